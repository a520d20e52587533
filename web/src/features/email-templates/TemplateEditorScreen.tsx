import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/email-templates.ts';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { templateQuery } from './email-templates.queries.ts';
import { TemplateEditor } from './TemplateEditor.tsx';
import styles from './TemplateEditor.module.css';

/** Writes a new template, or the one whose id is in the address. */
export function TemplateEditorScreen(): ReactNode {
  const { id }: { id?: string } = useParams({ strict: false });
  return id === undefined ? <TemplateEditor template={undefined} /> : <StoredTemplate key={id} id={id} />;
}

/**
 * Opens the editor once the template is there as it is now. Later loads change nothing: what somebody is writing
 * stays, and changes of others show when it is saved.
 */
function StoredTemplate({ id }: { id: string }): ReactNode {
  const { data, error, refetch, isStale, isFetchedAfterMount } = useQuery(templateQuery(id));
  const [wasFresh] = useState(!isStale);

  if (data && (wasFresh || isFetchedAfterMount)) return <TemplateEditor template={data} />;
  return (
    <Page wide>
      <PageHeader title={texts.editTemplate} />
      {error ? (
        <LoadFailed error={error} message={texts.loadOneFailed} retry={() => void refetch()} />
      ) : (
        <div className={styles.loading} role="status" aria-label="Loading..." />
      )}
    </Page>
  );
}
