import { BACKUP_RETENTION_DAYS } from '@forecourt/contract/backup-limits';
import { typeOf } from './backups.policy.ts';
import type { BackupRow } from './backups.queries.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;

/**
 * Returns the newest instant at which the local time of the zone was a full hour (docs/product/backups.md, Schedule).
 * Offsets are multiples of a quarter of an hour, so it steps back in quarters; where a time change skips minute 0, as
 * on Lord Howe Island, it returns the hour before.
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

/** The hour of the night from which the newest backup is tested by a restore. */
const RESTORE_TEST_HOUR = 3;

export const isNight = (now: Date, timeZone: string): boolean =>
  Number(new Intl.DateTimeFormat('en-AU', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now)) >=
  RESTORE_TEST_HOUR;

/** What retention reads of a backup. */
export type RetainedBackup = Pick<
  BackupRow,
  'name' | 'created_at' | 'origin' | 'verified_at' | 'is_local' | 'remote' | 'fetch_started_at'
>;

const RETENTION_MS = BACKUP_RETENTION_DAYS * 24 * HOUR_MS;
/** This many of the newest verified backups are kept regardless of age. */
const ALWAYS_KEPT = 3;
/** The most deletions in one run, a day's worth: a clock that is wrong for an hour must not delete a week. */
const MAX_DELETED = 24;

/**
 * Returns the automatic backups to delete, oldest first: older than 7 days, created here, and not among the newest
 * three verified ones. Returns none while fewer than three are verified (docs/product/security.md, Retention keeps what
 * verified).
 * - A local file is deleted only if three other local files are verified: a copy on the SSH server may not be readable
 * in time.
 * - An entry whose file exists only on the SSH server is deleted from the list, since the copy remains. Verified copies
 * count for it; otherwise the list would grow for ever where no local files are kept.
 * - After a fetch the 7 days start again: the file is needed, and its age would delete it at once.
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
const isVerifiedRemotely = ({ remote, verified_at }: RetainedBackup): boolean =>
  remote === 'copied' && verified_at !== null;
