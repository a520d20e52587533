import type { EmailTemplateSummary } from '@forecourt/contract/email-templates';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import FileText from 'lucide-react/icons/file-text';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/email-templates.ts';
import { abilityWords } from '../../ui/ability-words.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { templatesKey, templatesQuery, useDeleteTemplate } from './email-templates.queries.ts';
import { templateColumns } from './templates.columns.tsx';
import styles from './TemplatesScreen.module.css';

/** All templates that this person may use. */
export function TemplatesScreen(): ReactNode {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(templatesQuery);
  useLiveRefresh('email-template', templatesKey);
  const [deleting, setDeleting] = useState<EmailTemplateSummary | null>(null);
  const { mutateAsync: remove } = useDeleteTemplate();

  const add = (
    <Button component={Link} to={paths.newTemplate} leftSection={<Plus />}>
      {texts.newTemplate}
    </Button>
  );

  return (
    <Page>
      <PageHeader title={texts.title} note={texts.note} actions={data?.total === 0 ? undefined : add} />
      {error ? (
        <LoadFailed error={error} message={texts.loadFailed} retry={() => void refetch()} />
      ) : (
        <DataTable
          label={texts.table}
          columns={templateColumns}
          rows={data?.items}
          rowKey={({ _id }) => _id}
          rowLabel={({ name }) => name}
          empty={
            <EmptyState icon={<FileText />} title={texts.empty} action={add}>
              {texts.emptyNext}
            </EmptyState>
          }
          actions={(template) => (
            <>
              <IconAction
                ability={abilityWords(template.abilities.edit, texts.reasons)}
                label={texts.rowEdit(template.name)}
                icon={<Pencil />}
                onClick={() => void navigate({ to: paths.editTemplate(template._id) })}
              />
              <IconAction
                ability={abilityWords(template.abilities.delete, texts.reasons)}
                label={texts.rowDelete(template.name)}
                icon={<Trash2 />}
                onClick={() => setDeleting(template)}
              />
            </>
          )}
        />
      )}
      {deleting && (
        <ConfirmDialog
          title={texts.deleteTitle}
          confirmLabel={texts.delete}
          destructive
          onConfirm={async () => {
            await remove(deleting._id);
            toastDone(texts.deleted);
          }}
          onClose={() => setDeleting(null)}
        >
          <p className={styles.question}>{texts.deleteQuestion}</p>
          <p className={styles.what}>{texts.deleteWhat(deleting.name, deleting.version)}</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}
