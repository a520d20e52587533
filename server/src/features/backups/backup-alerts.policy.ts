import type { BackupAlert } from '@forecourt/contract/backup-alerts';
import { BACKUP_OVERDUE_HOURS } from '@forecourt/contract/backup-limits';
import type { CopyDestination } from '@forecourt/contract/copy-destination';
import { hashedId } from '../../platform/ids.ts';

/** What the database stores about backups. */
export type BackupState = {
  now: string;
  scheduler_running: boolean;
  /** When the scheduler was turned on. */
  running_since: string;
  last_problem: string | null;
  restore_test_problem: string | null;
  copy_problems: { destination: CopyDestination; problem: string }[];
  /** When the newest good backup was finished. */
  newest_good: string | null;
  /** Since when instances have been running, one or another of them. */
  watched_since: string;
};

const OVERDUE_MS = BACKUP_OVERDUE_HOURS * 3_600_000;

/** Returns what is wrong with backups now (docs/product/backups.md, Alerts). */
export function findAlerts(state: BackupState): BackupAlert[] {
  const alerts: BackupAlert[] = [];
  const { last_problem, restore_test_problem, copy_problems } = state;
  if (state.scheduler_running) {
    if (last_problem !== null) alerts.push({ kind: 'backupFailed', problem: last_problem });
    if (restore_test_problem !== null)
      alerts.push({ kind: 'restoreTestFailed', problem: restore_test_problem });
    // Hours without any instance are made up for, and are no reason for an alert.
    const since = [state.running_since, state.watched_since, state.newest_good ?? state.running_since];
    if (Date.parse(state.now) - Math.max(...since.map((time) => Date.parse(time))) > OVERDUE_MS)
      alerts.push({ kind: 'backupOverdue', problem: null });
  }
  for (const copy of copy_problems) alerts.push({ kind: 'backupCopyFailed', ...copy });
  return alerts;
}

/**
 * Returns the id of the cause of an alert. Numbers, times, and names with numbers in them differ between attempts that
 * fail for the same reason.
 */
export const causeOf = ({ destination, problem }: BackupAlert): string =>
  hashedId(destination ?? '', (problem ?? '').replaceAll(/\S*\d\S*/g, ''));
