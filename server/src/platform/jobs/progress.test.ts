import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { openEventBus } from '../live/event-bus.ts';
import { createLog } from '../log.ts';
import { createProgress } from './progress.ts';

const database = await testDatabase();
const log = createLog('silent');
const eventBus = openEventBus(database.connection, log);
const progress = createProgress({ db: database.db, eventBus, log });
afterAll(async () => {
  await progress.stop();
  await eventBus.close();
  await database.close();
});

const jobOf = (id: string) =>
  database.db
    .selectFrom('jobs')
    .where('id', '=', id)
    .select(['status', 'percent', 'result', 'code', 'message'])
    .executeTakeFirstOrThrow();

/** Another instance finds no heartbeat of the job, as after a long pause of its server. */
async function sweepAway(id: string): Promise<void> {
  const heartbeat_at = sql<string>`now() - interval '1 minute'`;
  await database.db.updateTable('jobs').set({ heartbeat_at }).where('id', '=', id).execute();
  await progress.sweep.run({} as never, new AbortController().signal);
  expect(await jobOf(id)).toMatchObject({ status: 'failed', code: 'UNAVAILABLE' });
}

test('work that ends after its job was given up has its own outcome', async () => {
  const succeeded = await progress.start(null, 'backup', async (_report, _signal, id) => {
    await sweepAway(id);
    return { name: 'a backup' };
  });
  await succeeded.done;
  expect(await jobOf(succeeded.id)).toEqual({
    status: 'succeeded',
    percent: 100,
    result: { name: 'a backup' },
    code: null,
    message: null,
  });
  const failed = await progress.start(null, 'backup', async (_report, _signal, id) => {
    await sweepAway(id);
    throw new Error('no reason for users');
  });
  await expect(failed.done).rejects.toThrow('no reason for users');
  expect(await jobOf(failed.id)).toMatchObject({ status: 'failed', code: 'SERVER_ERROR' });
});

test('work that ends after its job was cancelled stays cancelled', async () => {
  const { id, done } = await progress.start(null, 'backup', async (_report, _signal, job) => {
    const row = { id: job, kind: 'backup', user_id: null };
    await database.db.transaction().execute((tx) => progress.cancel(tx, row, 'Ada Admin'));
  });
  await expect(done).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await jobOf(id)).toMatchObject({ status: 'cancelled', code: 'CANCELLED' });
});
