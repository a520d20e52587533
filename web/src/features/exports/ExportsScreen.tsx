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
import { Loaded } from '../../ui/Loaded.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { valuesOfLink, emptyValues, type ExportValues } from './export-values.ts';
import { exportColumns } from './exports.columns.tsx';
import { downloadExport, exportsQuery, useDeleteExport } from './exports.queries.ts';
import { NewExportForm } from './NewExportForm.tsx';

/** All exports (docs/product/exports-and-reports.md, Exports). A link can open the prefilled form. */
export function ExportsScreen(): ReactNode {
  const navigate = useNavigate();
  const linked = valuesOfLink(useSearch({ strict: false }));
  const query = useQuery(exportsQuery);
  const { data } = query;
  const [form, setForm] = useState<ExportValues | null>(linked);
  const [deleting, setDeleting] = useState<Export | null>(null);
  const { mutate, mutateAsync } = useDeleteExport();

  const open = (): void => setForm(emptyValues());
  const close = (): void => {
    setForm(null);
    if (linked) void navigate({ to: paths.exports, search: {}, replace: true });
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
      <Loaded of={query} message={texts.loadFailed}>
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
          actions={(item) => (
            <>
              {item.state === 'ready' && (
                <IconAction
                  label={texts.download(item.name)}
                  icon={<Download />}
                  onClick={() => download(item)}
                />
              )}
              {item.state === 'running' ? (
                <IconAction label={texts.cancel(item.name)} icon={<CircleX />} onClick={() => cancel(item)} />
              ) : (
                <IconAction
                  label={texts.delete(item.name)}
                  icon={<Trash2 />}
                  onClick={() => setDeleting(item)}
                />
              )}
            </>
          )}
        />
      </Loaded>
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
