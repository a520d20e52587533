import type { BackupAlert } from '@forecourt/contract/backup-alerts';
import { BACKUP_OVERDUE_HOURS } from '@forecourt/contract/backup-limits';

/** What the database stores about backups. */
export type BackupState = {
  now: string;
  scheduler_running: boolean;
  /** When the scheduler was turned on. */
  running_since: string;
  last_problem: string | null;
  restore_test_problem: string | null;
  copy_problem: string | null;
  /** When the newest good backup was finished. */
  newest_good: string | null;
};

const OVERDUE_MS = BACKUP_OVERDUE_HOURS * 3_600_000;

/**
 * Returns what is wrong with backups now (docs/product/backups.md, Alerts).
 * @param uptimeMs since this instance started: hours without any instance are made up for, and are no reason for an alert
 */
export function findAlerts(state: BackupState, uptimeMs: number): BackupAlert[] {
  const alerts: BackupAlert[] = [];
  const { last_problem, restore_test_problem, copy_problem } = state;
  if (state.scheduler_running) {
    if (last_problem !== null) alerts.push({ kind: 'backupFailed', problem: last_problem });
    if (restore_test_problem !== null)
      alerts.push({ kind: 'restoreTestFailed', problem: restore_test_problem });
    const since = Math.max(
      Date.parse(state.running_since),
      Date.parse(state.newest_good ?? state.running_since),
    );
    if (Math.min(Date.parse(state.now) - since, uptimeMs) > OVERDUE_MS)
      alerts.push({ kind: 'backupOverdue', problem: null });
  }
  if (copy_problem !== null) alerts.push({ kind: 'backupCopyFailed', problem: copy_problem });
  return alerts;
}
