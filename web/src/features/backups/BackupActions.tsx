import type { Backup } from '@forecourt/contract/backups';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import CloudDownload from 'lucide-react/icons/cloud-download';
import Download from 'lucide-react/icons/download';
import Trash2 from 'lucide-react/icons/trash-2';
import { useEffect, type ReactNode } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { jobQuery } from '../../platform/jobs.ts';
import { texts } from '../../texts/backups.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { backupsKey, downloadBackup, useFetchBackup } from './backups.queries.ts';

type BackupActionsProps = { backup: Backup; onOpen: (kind: 'restore' | 'delete') => void };

/** The buttons of one row, or the progress while the backup is being created or fetched. */
export function BackupActions({ backup, onOpen }: BackupActionsProps): ReactNode {
  const { name, pending, isLocal, isFetchable, isFetching, jobId } = backup;
  const { mutate: fetchBack, isPending: isStarted } = useFetchBackup();
  if (pending) return <Working jobId={jobId} label={texts.processing} soFar={texts.processingSoFar} />;
  if (isFetching || isStarted)
    return <Working jobId={jobId} label={texts.fetching} soFar={texts.fetchingSoFar} />;
  const ability = isLocal || texts.remoteOnlyReason;
  return (
    <div className="ui-row ui-gap-1 ui-end">
      {isFetchable && (
        <IconAction
          label={texts.fetch(name)}
          icon={CloudDownload}
          onClick={() =>
            fetchBack(name, {
              onSuccess: () => toastDone(texts.fetched(name)),
              onError: (thrown) =>
                toastFailed(null, texts.failedFor(name, messageOf(thrown, texts.fetchFailed))),
            })
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
        onClick={() => onOpen('restore')}
      />
      <IconAction label={texts.delete(name)} icon={Trash2} onClick={() => onOpen('delete')} />
    </div>
  );
}

type WorkingProps = {
  jobId: string | null;
  label: string;
  soFar: (percent: number) => string;
};

/** The progress of a job started here or elsewhere. Reloads the list when it has ended. */
function Working({ jobId, label, soFar }: WorkingProps): ReactNode {
  const client = useQueryClient();
  const { data } = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== null });
  const hasEnded = data !== undefined && data.status !== 'running';
  useEffect(() => {
    if (hasEnded) void client.invalidateQueries({ queryKey: backupsKey });
  }, [client, hasEnded]);
  const percent = data?.percent ?? null;
  return (
    <span className="ui-quiet" role="status">
      {percent === null ? label : soFar(percent)}
    </span>
  );
}
