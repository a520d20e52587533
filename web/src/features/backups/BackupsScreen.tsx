import type { Backup } from '@forecourt/contract/backups';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import DatabaseBackup from 'lucide-react/icons/database-backup';
import Plus from 'lucide-react/icons/plus';
import Server from 'lucide-react/icons/server';
import Upload from 'lucide-react/icons/upload';
import { useRef, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { texts } from '../../texts/backups.ts';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { toastFailed, toastOutcome } from '../../ui/toasts.ts';
import { BackupActions } from './BackupActions.tsx';
import { backupColumns } from './backups.columns.tsx';
import { backupsKey, backupsQuery, downloadBackup, useCreateBackup } from './backups.queries.ts';
import { DeleteBackups } from './DeleteBackups.tsx';
import { RestoreDialog } from './RestoreDialog.tsx';
import { RestoreOverlay } from './RestoreOverlay.tsx';
import { RestoreResultDialog } from './RestoreResultDialog.tsx';
import { SchedulerPanel } from './SchedulerPanel.tsx';
import { SshSettingsModal } from './SshSettingsModal.tsx';
import { UploadZone } from './UploadZone.tsx';
import { useRestore } from './use-restore.ts';

type Open =
  | { kind: 'ssh' }
  | { kind: 'restore'; name: string }
  | { kind: 'delete'; backups: readonly Backup[] };

/** Backups (docs/product/backups.md, Backups screen): created, stored, fetched, restored. */
export function BackupsScreen(): ReactNode {
  const query = useQuery(backupsQuery);
  const { data, refetch } = query;
  useLiveRefresh('backup', backupsKey);
  const create = useCreateBackup();
  const { restore, run, close } = useRestore();
  const [open, setOpen] = useState<Open | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const openFiles = useRef<(() => void) | null>(null);
  const chosen = (data?.items ?? []).filter(({ name, pending }) => selected.has(name) && !pending);

  return (
    <ListScreen
      texts={texts}
      actions={
        <>
          <Button variant="default" leftSection={<Server />} onClick={() => setOpen({ kind: 'ssh' })}>
            {texts.sshButton}
          </Button>
          <Button variant="default" leftSection={<Upload />} onClick={() => openFiles.current?.()}>
            {texts.upload}
          </Button>
          <Button
            leftSection={<Plus />}
            loading={create.isPending}
            onClick={() => create.mutate(undefined, toastOutcome(texts.created, texts.createFailed))}
          >
            {texts.create}
          </Button>
        </>
      }
      before={
        <>
          <SchedulerPanel />
          <UploadZone openRef={openFiles} />
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
      rowActions={(backup) => (
        <BackupActions
          backup={backup}
          onOpen={(kind) =>
            setOpen(kind === 'restore' ? { kind, name: backup.name } : { kind, backups: [backup] })
          }
        />
      )}
      icon={<DatabaseBackup />}
    >
      {open?.kind === 'ssh' && <SshSettingsModal onClose={() => setOpen(null)} />}
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
      {restore.phase === 'running' && <RestoreOverlay />}
      {(restore.phase === 'succeeded' || restore.phase === 'failed') && (
        <RestoreResultDialog restore={restore} onRefresh={() => void refetch()} onClose={close} />
      )}
    </ListScreen>
  );
}

type BulkActionsProps = { chosen: readonly Backup[]; onDelete: () => void };

/** Actions on the selected backups (docs/product/backups.md, Backups screen). */
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
