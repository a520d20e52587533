import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import type { TemplateUsage } from '@forecourt/contract/template-usage';
import { Anchor, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { texts as templateTexts } from '../../texts/email-templates.ts';
import { texts } from '../../texts/template-usage.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';
import { templateUsageQuery, useDeleteTemplate } from './email-templates.queries.ts';

type UsageDrawerProps = { template: { _id: string; name: string }; onClose: () => void };

export function UsageDrawer({ template, onClose }: UsageDrawerProps): ReactNode {
  const query = useQuery(templateUsageQuery(template._id));
  const { data } = query;
  return (
    <SideDrawer title={texts.title} width={400} onClose={onClose}>
      <Loaded of={query} message={texts.failed} loading={<Loader size={20} aria-label={texts.loading} />} />
      {data && (
        <>
          <h3 className="ui-mt-5 ui-mb-1">{texts.dealerships}</h3>
          <TemplateUses usage={data} />
          <h3 className="ui-mt-5 ui-mb-1">{texts.emails}</h3>
          {data.sent + data.waiting === 0 ? (
            <p className="ui-mb-1">{texts.neverSent}</p>
          ) : (
            <>
              {data.sent > 0 && <p className="ui-mb-1">{texts.sent(data.sent, data.sentIsCapped)}</p>}
              {data.lastSentAt && <p className="ui-mb-1">{texts.last(formatDateTime(data.lastSentAt))}</p>}
              {data.waiting > 0 && (
                <p className="ui-mb-1">{texts.waiting(data.waiting, data.waitingMerges)}</p>
              )}
              <Anchor component={Link} to={paths.emailHistoryOfTemplate(template.name)} inherit>
                {texts.history}
              </Anchor>
            </>
          )}
        </>
      )}
    </SideDrawer>
  );
}

/** A template that any dealership uses, visible or not, cannot be deleted. */
const isUsed = ({ dealerships, others }: TemplateUsage): boolean => dealerships.length > 0 || others > 0;

/** The dealerships that use a template, with a link to their forms, and their contacts that use it. */
function TemplateUses({ usage }: { usage: TemplateUsage }): ReactNode {
  const { dealerships, others } = usage;
  return (
    <>
      {!isUsed(usage) && <p>{texts.noDealership}</p>}
      <ul className="ui-lines">
        {dealerships.map(({ _id, name, active, isDefault, contacts }) => (
          <li key={_id} className="ui-anywhere">
            <Anchor component={Link} to={paths.dealership(_id)} inherit>
              {name}
            </Anchor>
            <p className="ui-quiet">
              {[
                isDefault ? texts.isDefault : '',
                contacts.length > 0 ? texts.contacts(contacts) : '',
                active ? '' : texts.inactive,
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
      {others > 0 && <p>{texts.others(others)}</p>}
    </>
  );
}

type DeleteTemplateProps = { template: EmailTemplateSummary; onClose: () => void };

/** A template in use cannot be deleted: the dialog shows where it is used. */
export function DeleteTemplate({ template, onClose }: DeleteTemplateProps): ReactNode {
  const { _id, name } = template;
  const { mutateAsync } = useDeleteTemplate();
  // If the usage cannot be loaded, the server still refuses.
  const { data: usage, isPending } = useQuery(templateUsageQuery(_id));
  const inUse = usage !== undefined && isUsed(usage);
  return (
    <ConfirmDialog
      title={templateTexts.deleteTitle}
      confirmLabel={templateTexts.delete}
      destructive
      blocked={isPending || inUse}
      failed={templateTexts.deleteFailed}
      done={templateTexts.deleted}
      onConfirm={() => mutateAsync(_id)}
      onClose={onClose}
    >
      {isPending && <Loader size={20} aria-label={texts.loading} />}
      {inUse && (
        <>
          <p>{texts.cannotDelete(name)}</p>
          <TemplateUses usage={usage} />
        </>
      )}
      {!isPending && !inUse && (
        <>
          <p>{templateTexts.deleteQuestion}</p>
          <p className="ui-box ui-mt-3">{templateTexts.deleteWhat(name)}</p>
        </>
      )}
    </ConfirmDialog>
  );
}
