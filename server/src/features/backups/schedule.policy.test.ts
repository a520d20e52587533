import { describe, expect, test } from 'vitest';
import { expired, isNight, newestFullHour, nextFullHour, type RetainedBackup } from './schedule.policy.ts';

const hours = (now: string, zone: string) => {
  const at = new Date(now);
  return [newestFullHour(at, zone), nextFullHour(at, zone)].map((hour) => hour.toISOString().slice(5, 16));
};

describe('full hours are those of local time', () => {
  test.each([
    ['Australia/Sydney', '2026-11-21T22:59:59.999Z', '11-21T22:00', '11-21T23:00'],
    ['Australia/Sydney', '2026-11-21T23:00:00.000Z', '11-21T23:00', '11-22T00:00'],
    // Half an hour and three quarters apart from UTC.
    ['Australia/Adelaide', '2026-11-21T22:29:00.000Z', '11-21T21:30', '11-21T22:30'],
    ['Australia/Eucla', '2026-11-21T22:20:00.000Z', '11-21T22:15', '11-21T23:15'],
    // Sydney: 2:00 becomes 3:00, and 3:00 becomes 2:00. No hour is skipped and none repeats.
    ['Australia/Sydney', '2026-10-03T16:10:00.000Z', '10-03T16:00', '10-03T17:00'],
    ['Australia/Sydney', '2027-04-03T15:59:00.000Z', '04-03T15:00', '04-03T16:00'],
    ['Australia/Sydney', '2027-04-03T16:01:00.000Z', '04-03T16:00', '04-03T17:00'],
    // Lord Howe Island: 2:00 becomes 2:30 in October, and 2:00 becomes 1:30 in April.
    ['Australia/Lord_Howe', '2026-10-03T15:40:00.000Z', '10-03T14:30', '10-03T16:00'],
    ['Australia/Lord_Howe', '2027-04-03T15:10:00.000Z', '04-03T14:00', '04-03T15:30'],
  ])('full hours are those of local time: %s at %s', (zone, now, newest, next) => {
    expect(hours(now, zone)).toEqual([newest, next]);
  });

  test.each(['2026-10-03T00:00:00Z', '2027-04-03T00:00:00Z'])(
    'the two days after %s have 48, though one of them has an hour more or less',
    (begin) => {
      const seen = new Set<number>();
      for (let quarter = 0; quarter < 48 * 4; quarter += 1)
        seen.add(
          newestFullHour(new Date(Date.parse(begin) + quarter * 900_000), 'Australia/Sydney').getTime(),
        );
      expect(seen.size).toBe(48);
    },
  );
});

test('the restore test waits for the night of the zone', () => {
  expect(isNight(new Date('2026-11-21T15:59:00Z'), 'Australia/Sydney')).toBe(false);
  expect(isNight(new Date('2026-11-21T16:00:00Z'), 'Australia/Sydney')).toBe(true);
});

describe('after 7 days', () => {
  const NOW = new Date('2026-11-22T00:00:00Z');
  const DAY_MS = 86_400_000;
  const entry = (name: string, days: number, changes: Partial<RetainedBackup> = {}): RetainedBackup => {
    const created_at = new Date(NOW.getTime() - days * DAY_MS).toISOString();
    const facts = { is_local: true, copies: [], origin: 'made', fetch_started_at: null };
    return { name: `auto_backup_${name}`, created_at, verified_at: created_at, ...facts, ...changes };
  };
  const expiredNow = (all: RetainedBackup[]) =>
    expired(all, NOW).map((name) => name.replace('auto_backup_', ''));
  const fresh = [entry('one', 0), entry('two', 1), entry('three', 2)];

  test('the clean-up after 7 days deletes automatic backups, oldest first, and none of another type or origin', () => {
    const old = [
      entry('week', 7),
      entry('old', 7.01),
      entry('manual', 30, { name: 'backup_manual' }),
      entry('before', 30, { name: 'pre_restore_before' }),
      entry('found', 30, { origin: 'found' }),
      entry('older', 30),
    ];
    expect(expiredNow([...fresh, ...old])).toEqual(['older', 'old']);
  });

  test('the clean-up after 7 days keeps the newest three verified, whatever lies between them', () => {
    const broken = { verified_at: null };
    const all = [
      entry('a', 1, broken),
      entry('b', 8),
      entry('c', 9, broken),
      entry('d', 10),
      entry('e', 11, { is_local: false }),
      entry('f', 12),
      entry('g', 13),
    ];
    expect(expiredNow(all)).toEqual(['g', 'e', 'c']);
    expect(expiredNow(all.slice(0, 5))).toEqual([]);
  });

  const remoteOnly = {
    is_local: false,
    copies: [{ destination: 's3' as const, state: 'copied' as const, problem: null }],
  };

  test('the clean-up after 7 days also drops backups on the SSH server only, except the newest three verified here or there', () => {
    const all = [
      entry('a', 1),
      entry('b', 8, remoteOnly),
      entry('c', 9, { ...remoteOnly, verified_at: null }),
      entry('d', 10, remoteOnly),
      entry('e', 11, remoteOnly),
    ];
    expect(expiredNow(all)).toEqual(['e', 'c']);
    expect(expiredNow(all.slice(0, 3))).toEqual([]);
  });

  test('the clean-up after 7 days keeps a local file while fewer than three local ones are verified, however many copies exist', () => {
    const copies = [1, 2, 3].map((days) => entry(`copy ${days}`, days, remoteOnly));
    const old = entry('old', 8);
    expect(expiredNow([...copies, entry('a', 4), entry('b', 5), old])).toEqual([]);
    expect(expiredNow([...copies, entry('a', 4), entry('b', 5), entry('c', 6), old])).toEqual(['old']);
  });

  test('the clean-up after 7 days counts the days of a fetched backup from its fetch', () => {
    const fetched = (days: number) => new Date(NOW.getTime() - days * DAY_MS).toISOString();
    const all = [
      ...fresh,
      entry('lately', 30, { fetch_started_at: fetched(6.99) }),
      entry('being fetched', 30, { ...remoteOnly, fetch_started_at: fetched(0) }),
      entry('long ago', 30, { fetch_started_at: fetched(7.01) }),
    ];
    expect(expiredNow(all)).toEqual(['long ago']);
  });

  test('the clean-up after 7 days deletes at most a day of backups with a clock eight days ahead', () => {
    const week = Array.from({ length: 168 }, (_, hour) => entry(`hour ${hour}`, hour / 24));
    expect(expired(week, new Date(NOW.getTime() + 8 * DAY_MS))).toHaveLength(24);
    expect(expired(week, new Date(NOW.getTime() - DAY_MS))).toEqual([]);
  });
});
