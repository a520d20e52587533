import type { Backup } from '@forecourt/contract/backups';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import Cloud from 'lucide-react/icons/cloud';
import CloudDownload from 'lucide-react/icons/cloud-download';
import DatabaseBackup from 'lucide-react/icons/database-backup';
import Download from 'lucide-react/icons/download';
import ListRestart from 'lucide-react/icons/list-restart';
import Plus from 'lucide-react/icons/plus';
import Server from 'lucide-react/icons/server';
import Trash2 from 'lucide-react/icons/trash-2';
import Upload from 'lucide-react/icons/upload';
import { useRef, useState, type ReactNode, useEffect } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { formatDateTime, formatSize } from '../../platform/formats.ts';
import { jobQuery } from '../../platform/jobs.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { texts } from '../../texts/backups.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { StatusBadge, type BadgeTone } from '../../ui/StatusBadge.tsx';
import { valueColumn, timeColumn } from '../../ui/table/columns.tsx';
import { toastFailed, toastOutcome, toastDone } from '../../ui/toasts.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { BackupRowsDialog } from '../deals/backup-rows.lazy.ts';
import {
  backupsKey,
  backupsQuery,
  downloadBackup,
  useCreateBackup,
  useFetchBackup,
} from './backups.queries.ts';
import { DeleteBackups } from './DeleteBackups.tsx';
import { RestoreDialog, RestoreOverlay, RestoreResultDialog, useRestore } from './RestoreDialog.tsx';
import { S3SettingsModal } from './S3SettingsForm.tsx';
import { SchedulerPanel } from './SchedulerPanel.tsx';
import { SshSettingsModal } from './SshSettingsForm.tsx';
import { UploadZone } from './UploadZone.tsx';

/** On a phone, size and time are below the name. */
const backupColumns: readonly DataColumn<Backup>[] = [
  {
    id: 'name',
    header: texts.name,
    sortBy: ({ name }) => name,
    filterBy: { kind: 'text', of: ({ name }) => name },
    render: (backup) => (
      <div className="ui-stack ui-gap-1 ui-top">
        <span className="ui-strong ui-anywhere">{backup.name}</span>
        <span className="ui-row ui-gap-1">
          <StatusBadge tone={backup.type === 'manual' ? 'neutral' : 'accent'}>
            {texts.types[backup.type]}
          </StatusBadge>
          {backup.signature === 'foreign' && <StatusBadge tone="warn">{texts.foreign}</StatusBadge>}
        </span>
        <span className="ui-sub ui-phone-only">{`${formatSize(backup.size)} · ${formatDateTime(backup.createdAt)}`}</span>
        <span className="ui-sub ui-phone-only">
          <Checked backup={backup} />
        </span>
      </div>
    ),
  },
  valueColumn({
    id: 'size',
    header: texts.size,
    width: '110px',
    align: 'right',
    of: ({ size }) => size,
    render: ({ size, pending }) => (pending ? '' : formatSize(size)),
  }),
  timeColumn({ id: 'createdAt', header: texts.createdAt, width: '180px', of: ({ createdAt }) => createdAt }),
  {
    id: 'checked',
    header: texts.checked,
    width: '210px',
    render: (backup) => <Checked backup={backup} />,
    wideOnly: true,
  },
];

function Checked({ backup }: { backup: Backup }): ReactNode {
  if (backup.pending) return null;
  return (
    <span className="ui-row ui-gap-1">
      <Trust backup={backup} />
      {backup.copies.map(({ destination, state, problem }) => (
        <Reason key={destination} text={problem} tone={state === 'failed' ? 'danger' : 'neutral'}>
          {texts.copies[destination][state === 'copied' && !backup.isLocal ? 'only' : state]}
        </Reason>
      ))}
    </span>
  );
}

function Trust({ backup: { problem, provenAt, verifiedAt } }: { backup: Backup }): ReactNode {
  if (problem !== null)
    return (
      <Reason text={problem} tone="danger">
        {texts.damaged}
      </Reason>
    );
  if (provenAt !== null)
    return (
      <>
        <Reason text={texts.provenAt(formatDateTime(provenAt))} tone="good">
          {texts.proven}
        </Reason>
        <span className="ui-quiet">{formatDateTime(provenAt)}</span>
      </>
    );
  return verifiedAt === null ? (
    <StatusBadge>{texts.unchecked}</StatusBadge>
  ) : (
    <Reason text={texts.verifiedAt(formatDateTime(verifiedAt))} tone="good">
      {texts.verified}
    </Reason>
  );
}

type ReasonProps = { text: string | null; tone: BadgeTone; children: ReactNode };

/** A badge with a tooltip that keyboard users can focus. */
function Reason({ text, tone, children }: ReasonProps): ReactNode {
  const badge = <StatusBadge tone={tone}>{children}</StatusBadge>;
  if (text === null) return badge;
  return (
    <Tooltip label={text}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the tooltip is the only place of this text */}
      <span tabIndex={0}>{badge}</span>
    </Tooltip>
  );
}

type Open =
  | { kind: 'ssh' | 's3' }
  | { kind: 'restore'; name: string }
  | { kind: 'rows'; name: string }
  | { kind: 'delete'; backups: readonly Backup[] };

export default function BackupsScreen(): ReactNode {
  const query = useLiveQuery(backupsQuery, 'backup', backupsKey);
  const { data, refetch } = query;
  const create = useCreateBackup();
  const { restore, run, close } = useRestore();
  const [open, setOpen] = useState<Open | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const fileInput = useRef<HTMLInputElement>(null);
  const chosen = (data?.items ?? []).filter(({ name, pending }) => selected.has(name) && !pending);

  return (
    <ListScreen
      texts={texts}
      actions={
        <>
          <Button variant="default" leftSection={<Server />} onClick={() => setOpen({ kind: 'ssh' })}>
            {texts.sshButton}
          </Button>
          <Button variant="default" leftSection={<Cloud />} onClick={() => setOpen({ kind: 's3' })}>
            {texts.s3Button}
          </Button>
          <Button variant="default" leftSection={<Upload />} onClick={() => fileInput.current?.click()}>
            {texts.upload}
          </Button>
          <Button
            leftSection={<Plus />}
            loading={create.isPending}
            onClick={() => toastOutcome(create.mutateAsync(), texts.created, texts.createFailed)}
          >
            {texts.create}
          </Button>
        </>
      }
      before={
        <>
          <SchedulerPanel />
          <UploadZone inputRef={fileInput} />
          {chosen.length > 0 && (
            <BulkActions chosen={chosen} onDelete={() => setOpen({ kind: 'delete', backups: chosen })} />
          )}
        </>
      }
      query={query}
      name="backups"
      columns={backupColumns}
      rows={data?.items}
      rowKey={({ name }) => name}
      rowLabel={({ name }) => name}
      isMuted={({ pending }) => pending}
      selected={selected}
      onSelectedChange={setSelected}
      rowActions={(backup) => <BackupActions backup={backup} onOpen={setOpen} />}
      icon={<DatabaseBackup />}
    >
      {open?.kind === 'ssh' && <SshSettingsModal onClose={() => setOpen(null)} />}
      {open?.kind === 's3' && <S3SettingsModal onClose={() => setOpen(null)} />}
      {open?.kind === 'delete' && (
        <DeleteBackups
          backups={open.backups}
          onDeleted={(names) => setSelected(new Set([...selected].filter((name) => !names.includes(name))))}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'restore' && (
        <RestoreDialog
          name={open.name}
          onConfirm={(body) => {
            setOpen(null);
            void run(open.name, body);
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'rows' && <BackupRowsDialog name={open.name} onClose={() => setOpen(null)} />}
      {restore.phase === 'running' && <RestoreOverlay />}
      {(restore.phase === 'succeeded' || restore.phase === 'failed') && (
        <RestoreResultDialog restore={restore} onRefresh={() => void refetch()} onClose={close} />
      )}
    </ListScreen>
  );
}

type BulkActionsProps = { chosen: readonly Backup[]; onDelete: () => void };

function BulkActions({ chosen, onDelete }: BulkActionsProps): ReactNode {
  const here = chosen.filter(({ isLocal }) => isLocal);
  const downloadAll = async (): Promise<void> => {
    try {
      for (const { name } of here) await downloadBackup(name);
    } catch (thrown) {
      toastFailed(thrown, texts.downloadFailed);
    }
  };
  return (
    <div className="ui-row ui-mb-3">
      <span role="status">{texts.selected(chosen.length)}</span>
      <Button variant="default" disabled={here.length === 0} onClick={() => void downloadAll()}>
        {texts.downloadAll}
      </Button>
      <Button variant="default" color="danger" onClick={onDelete}>
        {texts.deleteSelected}
      </Button>
      {here.length < chosen.length && (
        <span className="ui-quiet">{texts.notDownloaded(chosen.length - here.length)}</span>
      )}
    </div>
  );
}

type BackupActionsProps = { backup: Backup; onOpen: (open: Open) => void };

/** The buttons of a row, or the progress of a backup being created or fetched. */
function BackupActions({ backup, onOpen }: BackupActionsProps): ReactNode {
  const { name, pending, isLocal, isFetchable, isFetching, jobId, signature } = backup;
  const { mutateAsync: fetchBack, isPending: isStarted } = useFetchBackup();
  if (pending) return <Working jobId={jobId} label={texts.processing} soFar={texts.processingSoFar} />;
  if (isFetching || isStarted)
    return <Working jobId={jobId} label={texts.fetching} soFar={texts.fetchingSoFar} />;
  const ability = isLocal || texts.copiesOnlyReason;
  return (
    <div className="ui-row ui-gap-1 ui-end">
      {isFetchable && (
        <IconAction
          label={texts.fetch(name)}
          icon={CloudDownload}
          onClick={() =>
            void fetchBack(name).then(
              () => toastDone(texts.fetched(name)),
              (thrown: unknown) =>
                toastFailed(null, texts.failedFor(name, messageOf(thrown, texts.fetchFailed))),
            )
          }
        />
      )}
      <IconAction
        ability={ability}
        label={texts.download(name)}
        icon={Download}
        onClick={() => {
          downloadBackup(name).catch((error: unknown) => toastFailed(error, texts.downloadFailed));
        }}
      />
      <IconAction
        ability={ability}
        label={texts.restore(name)}
        icon={ArchiveRestore}
        onClick={() => onOpen({ kind: 'restore', name })}
      />
      <IconAction
        ability={ability === true ? signature === 'own' || texts.foreignRowsReason : ability}
        label={texts.copyRows(name)}
        icon={ListRestart}
        onClick={() => onOpen({ kind: 'rows', name })}
      />
      <IconAction
        label={texts.delete(name)}
        icon={Trash2}
        onClick={() => onOpen({ kind: 'delete', backups: [backup] })}
      />
    </div>
  );
}

type WorkingProps = {
  jobId: string | null;
  label: string;
  soFar: (percent: number) => string;
};

/** The progress of a job, started by any user. Reloads the list when it has ended. */
function Working({ jobId, label, soFar }: WorkingProps): ReactNode {
  const client = useQueryClient();
  const { data } = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== null });
  const cancelled = data?.status === 'cancelled' ? data.message! : undefined;
  const hasEnded = data !== undefined && data.status !== 'running';
  useEffect(() => {
    if (hasEnded) void client.invalidateQueries({ queryKey: backupsKey });
    // The row of a cancelled backup disappears, so a toast shows the reason.
    if (cancelled !== undefined) toastFailed(null, cancelled);
  }, [client, hasEnded, cancelled]);
  const percent = data?.percent ?? null;
  return (
    <span className="ui-quiet" role="status">
      {percent === null ? label : soFar(percent)}
    </span>
  );
}
