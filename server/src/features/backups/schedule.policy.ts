import { BACKUP_RETENTION_DAYS } from '@forecourt/contract/backup-limits';
import { hasGoodCopy, typeOf } from './backups.policy.ts';
import type { BackupRow } from './backups.queries.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;

/**
 * Returns the latest full hour of the zone's local time (docs/product/backups.md, Schedule). Steps back in quarters of
 * an hour, since offsets are multiples of it. If a time change skips minute 0, as on Lord Howe Island, returns the hour
 * before.
 */
export function newestFullHour(now: Date, timeZone: string): Date {
  const minuteOf = new Intl.DateTimeFormat('en-AU', { timeZone, minute: 'numeric' });
  let at = Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS;
  while (minuteOf.format(at) !== '0') at -= QUARTER_MS;
  return new Date(at);
}

export function nextFullHour(now: Date, timeZone: string): Date {
  for (let at = now.getTime() + QUARTER_MS; ; at += QUARTER_MS) {
    const hour = newestFullHour(new Date(at), timeZone);
    if (hour > now) return hour;
  }
}

/** Local hour from which the newest backup is tested. */
const RESTORE_TEST_HOUR = 3;

export const isNight = (now: Date, timeZone: string): boolean =>
  Number(new Intl.DateTimeFormat('en-AU', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now)) >=
  RESTORE_TEST_HOUR;

/** The columns of a backup that retention depends on. */
export type RetainedBackup = Pick<
  BackupRow,
  'name' | 'created_at' | 'origin' | 'verified_at' | 'is_local' | 'fetch_started_at'
> & { copies: readonly Pick<BackupRow['copies'][number], 'destination' | 'state' | 'problem'>[] };

const RETENTION_MS = BACKUP_RETENTION_DAYS * 24 * HOUR_MS;
/** The number of newest verified backups that are never deleted. */
const ALWAYS_KEPT = 3;
/** Maximum deletions per run, those of one day: a clock that is wrong for an hour must not delete a week. */
const MAX_DELETED = 24;

/**
 * Returns the automatic backups to delete, oldest first: created here, older than 7 days, and not among the newest
 * three verified ones. Returns none if fewer than three are verified (docs/product/security.md, Retention keeps what
 * verified).
 * - A local file is deleted only if three other local files are verified: reading a copy may fail.
 * - A backup of which only copies exist is removed from the list, and the copies remain. Verified copies count
 * here, otherwise the list would grow without end if no local files are kept.
 * - The 7 days start again after a fetch; otherwise the fetched file would be deleted at once.
 */
export function expired(newestFirst: readonly RetainedBackup[], now: Date): string[] {
  const here = newestVerified(newestFirst);
  const anywhere = newestFirst
    .filter((entry) => isVerifiedLocally(entry) || isVerifiedRemotely(entry))
    .slice(0, ALWAYS_KEPT);
  return newestFirst
    .filter(({ name, origin }) => typeOf(name) === 'automatic' && origin === 'made')
    .filter((entry) => {
      const floor = entry.is_local ? here : anywhere;
      return floor.length === ALWAYS_KEPT && !floor.includes(entry);
    })
    .filter(
      ({ created_at, fetch_started_at }) =>
        now.getTime() - Date.parse(fetch_started_at ?? created_at) > RETENTION_MS,
    )
    .map(({ name }) => name)
    .toReversed()
    .slice(0, MAX_DELETED);
}

/** Returns the newest three local and verified backups. */
export const newestVerified = <R extends RetainedBackup>(newestFirst: readonly R[]): R[] =>
  newestFirst.filter(isVerifiedLocally).slice(0, ALWAYS_KEPT);

const isVerifiedLocally = ({ is_local, verified_at }: RetainedBackup): boolean =>
  is_local && verified_at !== null;
const isVerifiedRemotely = (backup: RetainedBackup): boolean =>
  hasGoodCopy(backup) && backup.verified_at !== null;
