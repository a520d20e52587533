import type { BackupAlert, BackupAlertKind } from '@forecourt/contract/backup-alerts';
import { BACKUP_OVERDUE_HOURS } from '@forecourt/contract/backup-limits';

/** What is wrong with backups, on the dashboard, in notifications and on the Backups screen. */
export const backupAlertTexts: Record<BackupAlertKind, string> = {
  backupFailed: 'The last automatic backup failed',
  restoreTestFailed: 'The last restore test failed',
  backupCopyFailed: 'A backup could not be copied to another place',
  backupOverdue: `There has been no good backup for more than ${BACKUP_OVERDUE_HOURS} hours`,
};

export const backupAlertText = ({ kind, problem }: BackupAlert): string =>
  problem === null ? `${backupAlertTexts[kind]}.` : `${backupAlertTexts[kind]}: ${problem}`;
