import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasFaketime, openFakedClock, type FakedClock } from './faked-clock.ts';
import { startServer, type ServerProcess } from './process.ts';

/** Full hours in Sydney. The scheduler checks at least every 30 s, so each takes at most that long. */
const HOURS = [
  ['the hour that summer time begins with: 2 o’clock is 3 o’clock', '2026-10-03T16:00:00Z'],
  ...(process.env.LONG_TESTS
    ? [
        ['the next hour', '2026-10-03T17:00:00Z'],
        ['2 o’clock on the day that summer time ends', '2027-04-03T15:00:00Z'],
        ['2 o’clock once more', '2027-04-03T16:00:00Z'],
        ['3 o’clock', '2027-04-03T17:00:00Z'],
        ['an hour of a clock that went back a day', '2027-04-02T17:00:00Z'],
        ['an hour of a clock that went eight days ahead', '2027-04-11T17:00:00Z'],
        ['an hour of a clock that is right again', '2027-04-03T19:00:00Z'],
      ]
    : []),
] as [string, string][];

const BEFORE_MS = 3000;
/** Less than an hour, so that a backup by a slow machine still belongs to the same hour. */
const SOON_MS = 45 * 60_000;

// Without libfaketime, scheduler.test.ts covers the same with an injected clock.
describe.skipIf(!hasFaketime)('by the system clock, a backup is created for', () => {
  let clock: FakedClock;
  let dataDir: string;
  let server: ServerProcess;
  let client: pg.Client;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'backup-hours-'));
    clock = await openFakedClock('2026-10-03T15:30:00Z');
    server = await startServer(dataDir, {
      ...clock.environment,
      DATABASE_URL: clock.databaseUrl,
      TIME_ZONE: 'Australia/Sydney',
    });
    client = new pg.Client({ connectionString: clock.databaseUrl });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await server?.stop();
    await clock?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  test.each(HOURS)('%s', async (_what, hour) => {
    const madeThen = async (): Promise<number> => {
      const from = new Date(hour);
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from forecourt.backups
         where created_at >= $1 and created_at < $2 and verified_at is not null and name like 'auto_backup_%'`,
        [from.toISOString(), new Date(from.getTime() + SOON_MS).toISOString()],
      );
      return rows[0]!.count;
    };
    await clock.set(new Date(Date.parse(hour) - BEFORE_MS).toISOString());
    await expect.poll(madeThen).toBe(1);
  });
});
