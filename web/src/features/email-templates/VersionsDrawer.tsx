import type { EmailTemplate, TemplateVersion } from '@forecourt/contract/email-templates';
import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/template-versions.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { versionsQuery } from './email-templates.queries.ts';

const VersionsCompare = lazyPart(() => import('./VersionsCompare.tsx'));

type VersionsDrawerProps = {
  template: EmailTemplate;
  /** Whether a restore would discard unsaved changes. */
  isDirty: boolean;
  onRestored: (template: EmailTemplate) => void;
  onClose: () => void;
};

/** Every saved version of a template, newest first. Two can be compared. */
export function VersionsDrawer({ template, isDirty, onRestored, onClose }: VersionsDrawerProps): ReactNode {
  const query = useQuery(versionsQuery(template._id));
  const { data } = query;
  const [compared, setCompared] = useState<number | null>(null);
  const [lastCompared, setLastCompared] = useState<number | null>(null);
  const versions = data?.items ?? [];

  if (compared !== null) {
    return (
      <Suspense>
        <VersionsCompare
          template={template}
          versions={versions}
          chosen={compared}
          isDirty={isDirty}
          onRestored={onRestored}
          onClose={() => setCompared(null)}
        />
      </Suspense>
    );
  }
  return (
    <SideDrawer title={texts.title} width={380} onClose={onClose}>
      <Loaded of={query} message={texts.failed} loading={<Loader size={20} />} />
      <ol className="ui-lines">
        {versions.map((version, index) => (
          <li key={version.id} className="ui-anywhere">
            <VersionEntry version={version} isCurrent={index === 0} />
            {versions.length > 1 && (
              <Button
                className="ui-mt-2"
                variant="default"
                size="compact-sm"
                aria-label={texts.compareNamed(version.version)}
                data-autofocus={version.version === lastCompared || undefined}
                onClick={() => {
                  setCompared(version.version);
                  setLastCompared(version.version);
                }}
              >
                {texts.compare}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </SideDrawer>
  );
}

function VersionEntry({ version, isCurrent }: { version: TemplateVersion; isCurrent: boolean }): ReactNode {
  return (
    <>
      <p className="ui-line ui-between">
        <span className="ui-bold">{texts.version(version.version)}</span>
        {isCurrent && <StatusBadge tone="accent">{texts.current}</StatusBadge>}
      </p>
      <p className="ui-quiet">{texts.savedBy(formatDateTime(version.createdAt), version.createdBy)}</p>
      {version.restoredFrom !== null && (
        <p className="ui-quiet">{texts.restoredFrom(version.restoredFrom)}</p>
      )}
      <p className="ui-mt-2">{version.name}</p>
      <p className="ui-quiet">{version.subject}</p>
    </>
  );
}
