import type { Export } from '@forecourt/contract/exports';
import { Button, Progress } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import CircleX from 'lucide-react/icons/circle-x';
import Download from 'lucide-react/icons/download';
import FileDown from 'lucide-react/icons/file-down';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState, type ReactNode } from 'react';
import { formatFilterDay } from '../../platform/days.ts';
import { downloadExport } from '../../platform/exports.ts';
import { formatCount, formatDateTime, formatSize } from '../../platform/formats.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/exports.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import '@mantine/core/styles/Progress.layer.css';
import { StatusBadge, type BadgeTone } from '../../ui/StatusBadge.tsx';
import { timeColumn } from '../../ui/table/columns.tsx';
import { TimeText } from '../../ui/table/TimeText.tsx';
import { toastFailed, toastOutcome } from '../../ui/toasts.ts';
import { valuesOfLink, emptyValues, type ExportValues } from './export-values.ts';
import { exportsQuery, useDeleteExport } from './exports.queries.ts';
import { NewExportForm } from './NewExportForm.tsx';
import styles from './ExportsScreen.module.css';

const tones: Record<Export['state'], BadgeTone> = {
  running: 'accent',
  ready: 'good',
  failed: 'danger',
  cancelled: 'neutral',
};

function narrowedTo({ filter }: Export): string {
  const parts = Object.entries(filter).map(([name, value]) => {
    const label = texts.filters[name] ?? name;
    if (name === 'rows') return `${formatCount(Number(value))} ${label}`;
    // Ids are not readable, and the filter on columns is JSON.
    if (/Id$|^(owner|filter)$/.test(name)) return label;
    return `${label} ${name === 'from' || name === 'to' ? formatFilterDay(name, String(value)) : value}`;
  });
  return parts.join(' · ') || texts.all;
}

/** The order is the server's: newest first. */
const exportColumns: readonly DataColumn<Export>[] = [
  {
    id: 'what',
    header: texts.what,
    render: (item) => (
      <span className="ui-stack ui-gap-1 ui-top ui-anywhere">
        <span className="ui-strong">{item.name}</span>
        <span className="ui-quiet">{narrowedTo(item)}</span>
        <span className="ui-fill ui-phone-only">
          <State item={item} />
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    header: texts.state,
    width: '220px',
    render: (item) => <State item={item} />,
    wideOnly: true,
  },
  {
    id: 'rows',
    header: texts.rows,
    width: '100px',
    align: 'right',
    render: ({ rows }) => formatCount(rows),
    wideOnly: true,
  },
  {
    id: 'size',
    header: texts.size,
    width: '100px',
    align: 'right',
    render: ({ size }) => formatSize(size),
    wideOnly: true,
  },
  {
    id: 'who',
    header: texts.who,
    width: '150px',
    render: ({ createdByName }) => createdByName,
    wideOnly: true,
  },
  timeColumn({
    id: 'when',
    header: texts.when,
    width: '160px',
    of: ({ createdAt }) => createdAt,
    isSorted: false,
  }),
];

/** The user's exports (docs/product/exports-and-reports.md, Exports). A link can open the form with values. */
export default function ExportsScreen(): ReactNode {
  const navigate = useNavigate();
  const linked = valuesOfLink(useSearch({ strict: false }));
  const query = useLiveQuery(exportsQuery, 'job');
  const [form, setForm] = useState<ExportValues | null>(linked);
  const [deleting, setDeleting] = useState<Export | null>(null);
  const { mutateAsync } = useDeleteExport();

  const close = (): void => {
    setForm(null);
    if (linked) void navigate({ to: paths.exports, search: {}, replace: true });
  };
  const cancel = ({ _id }: Export): void =>
    toastOutcome(mutateAsync({ params: { id: _id } }), texts.cancelled, texts.deleteFailed);
  const download = ({ _id }: Export): void =>
    void downloadExport(_id).catch((failure: unknown) => toastFailed(failure, texts.downloadFailed));

  return (
    <ListScreen
      texts={texts}
      wide
      actions={
        <Button leftSection={<FileDown />} onClick={() => setForm(emptyValues())}>
          {texts.add}
        </Button>
      }
      query={query}
      name="exports"
      columns={exportColumns}
      rows={query.data?.items}
      rowKey={({ _id }) => _id}
      rowLabel={({ name }) => name}
      isMuted={({ state }) => state === 'failed' || state === 'cancelled'}
      rowActions={(item) => (
        <>
          {item.state === 'ready' && (
            <IconAction icon={Download} label={texts.download(item.name)} onClick={() => download(item)} />
          )}
          {item.state === 'running' ? (
            <IconAction icon={CircleX} label={texts.cancel(item.name)} onClick={() => cancel(item)} />
          ) : (
            <IconAction icon={Trash2} label={texts.delete(item.name)} onClick={() => setDeleting(item)} />
          )}
        </>
      )}
      icon={<FileDown />}
    >
      {form && <NewExportForm initial={form} onClose={close} />}
      {deleting && (
        <ConfirmDialog
          title={texts.deleteTitle}
          confirmLabel={texts.deleteSubmit}
          failed={texts.deleteFailed}
          destructive
          done={texts.deleted}
          onConfirm={() => mutateAsync({ params: { id: deleting._id } })}
          onClose={() => setDeleting(null)}
        >
          {texts.deleteWhat(deleting.name)}
        </ConfirmDialog>
      )}
    </ListScreen>
  );
}

function State({ item }: { item: Export }): ReactNode {
  const { state, name, percent, message, expiresAt } = item;
  if (state === 'running')
    return (
      <span className={styles.progress}>
        <Progress value={percent ?? 0} aria-label={texts.progressOf(name)} size="sm" />
        <span className="ui-quiet">{texts.percent(percent)}</span>
      </span>
    );
  return (
    <span className="ui-stack ui-gap-1 ui-top ui-anywhere">
      <StatusBadge tone={tones[state]}>{texts.states[state]}</StatusBadge>
      <span className="ui-quiet">
        {message ?? <TimeText text={texts.until(formatDateTime(expiresAt))} />}
      </span>
    </span>
  );
}
