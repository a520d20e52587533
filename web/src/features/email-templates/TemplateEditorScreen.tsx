import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/email-templates.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { templateQuery } from './email-templates.queries.ts';
import { TemplateEditor } from './TemplateEditor.tsx';
import styles from './TemplateEditor.module.css';

export default function TemplateEditorScreen(): ReactNode {
  const { id }: { id?: string } = useParams({ strict: false });
  return id === undefined ? <TemplateEditor template={undefined} /> : <StoredTemplate key={id} id={id} />;
}

/** Later loads do not change the editor: unsaved text stays, and other users' changes are shown on save. */
function StoredTemplate({ id }: { id: string }): ReactNode {
  const query = useQuery(templateQuery(id));
  const { data, isStale, isFetchedAfterMount } = query;
  const [wasFresh] = useState(!isStale);

  if (data && (wasFresh || isFetchedAfterMount)) return <TemplateEditor template={data} />;
  return (
    <Page wide>
      <PageHeader title={texts.editTemplate} />
      <Loaded of={query} message={texts.loadOneFailed}>
        <div className={`ui-card ${styles.loading}`} role="status" aria-label="Loading..." />
      </Loaded>
    </Page>
  );
}
