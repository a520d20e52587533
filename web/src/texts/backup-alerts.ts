import type { BackupAlert, BackupAlertKind } from '@forecourt/contract/backup-alerts';
import { BACKUP_OVERDUE_HOURS } from '@forecourt/contract/backup-limits';
import type { CopyDestination } from '@forecourt/contract/copy-destination';

/** What is wrong with backups, on the dashboard, in notifications and on the Backups screen. */
export const backupAlertTexts: Record<BackupAlertKind, string> = {
  backupFailed: 'The last automatic backup failed',
  restoreTestFailed: 'The last restore test failed',
  backupCopyFailed: 'A backup could not be copied to another place',
  backupOverdue: `There has been no good backup for more than ${BACKUP_OVERDUE_HOURS} hours`,
};

const copyTexts: Record<CopyDestination, string> = {
  ssh: 'A backup could not be copied by SSH',
  s3: 'A backup could not be copied to S3',
};

export function backupAlertText({ kind, destination, problem }: BackupAlert): string {
  const text = destination ? copyTexts[destination] : backupAlertTexts[kind];
  return problem === null ? `${text}.` : `${text}: ${problem}`;
}
