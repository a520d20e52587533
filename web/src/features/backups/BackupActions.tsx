import type { Backup } from '@forecourt/contract/backups';
import { useQuery } from '@tanstack/react-query';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import Download from 'lucide-react/icons/download';
import Trash2 from 'lucide-react/icons/trash-2';
import type { ReactNode } from 'react';
import { jobQuery } from '../../platform/jobs.ts';
import { texts } from '../../texts/backups.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { toastFailed } from '../../ui/toasts.ts';
import { downloadBackup } from './backups.queries.ts';
import styles from './BackupsScreen.module.css';

type BackupActionsProps = { backup: Backup; onOpen: (kind: 'restore' | 'delete') => void };

/** The buttons of one row; how far it is while it is being made. */
export function BackupActions({ backup, onOpen }: BackupActionsProps): ReactNode {
  const { name, pending, isLocal, jobId } = backup;
  if (pending) return <Processing jobId={jobId} />;
  const ability = isLocal || texts.remoteOnlyReason;
  return (
    <div className={styles.actions}>
      <IconAction
        ability={ability}
        label={texts.download(name)}
        icon={<Download />}
        onClick={() => {
          downloadBackup(name).catch((error: unknown) => toastFailed(error, texts.downloadFailed));
        }}
      />
      <IconAction
        ability={ability}
        label={texts.restore(name)}
        icon={<ArchiveRestore />}
        onClick={() => onOpen('restore')}
      />
      <IconAction label={texts.delete(name)} icon={<Trash2 />} onClick={() => onOpen('delete')} />
    </div>
  );
}

function Processing({ jobId }: { jobId: string | null }): ReactNode {
  const { data } = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== null });
  const percent = data?.percent ?? null;
  return (
    <span className={styles.processing} role="status">
      {percent === null ? texts.processing : texts.processingSoFar(percent)}
    </span>
  );
}
