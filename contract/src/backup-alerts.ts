import { z } from 'zod';
import { CopyDestination } from './copy-destination.ts';

/** What can be wrong with backups. Each is also a kind of notification for administrators. */
export const backupAlertKinds = [
  'backupFailed',
  'restoreTestFailed',
  'backupCopyFailed',
  // The newest good backup is older than BACKUP_OVERDUE_HOURS, although the scheduler is on.
  'backupOverdue',
] as const;
export type BackupAlertKind = (typeof backupAlertKinds)[number];

export const BackupAlert = z.strictObject({
  kind: z.enum(backupAlertKinds),
  /** Of a failed copy only. */
  destination: CopyDestination.optional(),
  /** Why it failed, for display; null for an overdue backup. */
  problem: z.string().nullable(),
});
export type BackupAlert = z.infer<typeof BackupAlert>;
