import type { Export } from '@forecourt/contract/exports';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import CircleX from 'lucide-react/icons/circle-x';
import Download from 'lucide-react/icons/download';
import FileDown from 'lucide-react/icons/file-down';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState, type ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/exports.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { askedFor, emptyValues, type ExportValues } from './export-values.ts';
import { exportColumns } from './exports.columns.tsx';
import { downloadExport, exportsQuery, useDeleteExport } from './exports.queries.ts';
import { NewExportForm } from './NewExportForm.tsx';

/** Everybody's exports (spec section 2; product section 8). A link can open the form filled in. */
export function ExportsScreen(): ReactNode {
  const navigate = useNavigate();
  const asked = askedFor(useSearch({ strict: false }));
  const { data, error, refetch } = useQuery(exportsQuery);
  const [form, setForm] = useState<ExportValues | null>(asked);
  const [deleting, setDeleting] = useState<Export | null>(null);
  const { mutate, mutateAsync } = useDeleteExport();

  const open = (): void => setForm(emptyValues());
  const close = (): void => {
    setForm(null);
    if (asked) void navigate({ to: paths.exports, search: {}, replace: true });
  };
  const cancel = ({ _id }: Export): void =>
    mutate(_id, {
      onSuccess: () => toastDone(texts.cancelled),
      onError: (failure) => toastFailed(failure, texts.deleteFailed),
    });
  const remove = async (id: string): Promise<void> => {
    await mutateAsync(id);
    toastDone(texts.deleted);
  };
  const download = ({ _id }: Export): void =>
    void downloadExport(_id).catch((failure: unknown) => toastFailed(failure, texts.downloadFailed));

  const add = (
    <Button leftSection={<FileDown />} onClick={open}>
      {texts.add}
    </Button>
  );
  return (
    <Page wide>
      <PageHeader title={texts.title} note={texts.note} actions={add} />
      {error ? (
        <LoadFailed error={error} message={texts.loadFailed} retry={() => void refetch()} />
      ) : (
        <DataTable
          label={texts.table}
          name="exports"
          columns={exportColumns}
          rows={data?.items}
          rowKey={({ _id }) => _id}
          rowLabel={({ name }) => name}
          isMuted={({ state }) => state === 'failed'}
          empty={
            <EmptyState icon={<FileDown />} title={texts.empty}>
              {texts.emptyNext}
            </EmptyState>
          }
          actions={(made) => (
            <>
              {made.state === 'ready' && (
                <IconAction
                  label={texts.download(made.name)}
                  icon={<Download />}
                  onClick={() => download(made)}
                />
              )}
              {made.state === 'running' ? (
                <IconAction label={texts.cancel(made.name)} icon={<CircleX />} onClick={() => cancel(made)} />
              ) : (
                <IconAction
                  label={texts.delete(made.name)}
                  icon={<Trash2 />}
                  onClick={() => setDeleting(made)}
                />
              )}
            </>
          )}
        />
      )}
      {form && <NewExportForm initial={form} onClose={close} />}
      {deleting && (
        <ConfirmDialog
          title={texts.deleteTitle}
          confirmLabel={texts.deleteSubmit}
          failed={texts.deleteFailed}
          destructive
          onConfirm={() => remove(deleting._id)}
          onClose={() => setDeleting(null)}
        >
          {texts.deleteWhat(deleting.name)}
        </ConfirmDialog>
      )}
    </Page>
  );
}
