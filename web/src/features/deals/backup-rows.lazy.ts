import { lazyPart } from '../../ui/lazy-part.ts';

/** The search for rows of a backup, on the screen of backups. */
export const BackupRowsDialog = lazyPart(() => import('./backup-rows/BackupRowsDialog.tsx'));
