import type { CatalogueEntry } from './engine.ts';

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;

/**
 * The newest instant at which a clock on the wall of the zone showed minute 0 (spec.md section 9). Zones are apart by
 * full quarters of an hour, so it is found by stepping back through those; where a change of the clock skips minute
 * 0, as on Lord Howe Island, it is the one before.
 */
export function newestFullHour(now: Date, timeZone: string): Date {
  const minuteOf = new Intl.DateTimeFormat('en-AU', { timeZone, minute: 'numeric' });
  let at = Math.floor(now.getTime() / QUARTER_MS) * QUARTER_MS;
  while (minuteOf.format(at) !== '0') at -= QUARTER_MS;
  return new Date(at);
}

/** The next instant at minute 0. */
export function nextFullHour(now: Date, timeZone: string): Date {
  for (let at = now.getTime() + QUARTER_MS; ; at += QUARTER_MS) {
    const hour = newestFullHour(new Date(at), timeZone);
    if (hour > now) return hour;
  }
}

/** The hour of the night from which the newest backup is proven restorable. */
const DRILL_HOUR = 3;

export const isNight = (now: Date, timeZone: string): boolean =>
  Number(new Intl.DateTimeFormat('en-AU', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now)) >=
  DRILL_HOUR;

const KEPT_MS = 7 * 24 * HOUR_MS;
/** So many of the newest that verify stay, however old they are. */
const FLOOR = 3;
/** A clock that is wrong for an hour must not clear out a week: no more go at once than a day makes. */
const AT_ONCE = 24;

/**
 * The automatic backups to delete, oldest first: older than 7 days, made here, and none of the newest three that
 * verify. Nothing goes while fewer than three are known to be whole (security.md L15).
 */
export function expired(newestFirst: readonly CatalogueEntry[], now: Date): string[] {
  const floor = newestVerified(newestFirst);
  if (floor.length < FLOOR) return [];
  return newestFirst
    .filter(({ type, origin }) => type === 'automatic' && origin === 'made')
    .filter(({ name }) => !floor.some((kept) => kept.name === name))
    .filter(({ createdAt }) => now.getTime() - Date.parse(createdAt) > KEPT_MS)
    .map(({ name }) => name)
    .toReversed()
    .slice(0, AT_ONCE);
}

/** The newest three that are here and were found whole. */
export const newestVerified = (newestFirst: readonly CatalogueEntry[]): CatalogueEntry[] =>
  newestFirst.filter(({ isLocal, verifiedAt }) => isLocal && verifiedAt !== null).slice(0, FLOOR);
