import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import { addFailedJob } from '../../../test/builders.ts';
import { findOutdated } from '../../platform/db/postgres-releases.ts';
import { newId } from '../../platform/ids.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await server.person({ name: 'Bob Clerk' });
afterAll(() => server.close());

const list = async () => (await server.call('GET /jobs', { token: admin.token })).body;
const addJob = async (fields: object): Promise<string> => {
  const id = newId();
  await server.db
    .insertInto('jobs')
    .values({ id, kind: 'export', ...fields })
    .execute();
  return id;
};
const addFailed = () => addFailedJob(server.db, 'The server is away');
const lastEntry = () =>
  server.db
    .selectFrom('audit_entries')
    .select(['action', 'actor_id', 'record_id', 'after'])
    .where('entity', '=', 'job')
    .orderBy('id', 'desc')
    .executeTakeFirst();

describe('background work', () => {
  test('background work lists running jobs before finished ones, with their user and failure but no response', async () => {
    const running = await addJob({ user_id: clerk.id, step: 'rows', percent: 40, done: 4, total: 10 });
    const failed = await addJob({
      kind: 'import',
      user_id: admin.id,
      status: 'failed',
      code: 'NO_SPACE',
      message: 'The disk is full',
      finished_at: new Date().toISOString(),
    });
    const { jobs } = await list();
    expect(jobs.map(({ _id }: { _id: string }) => _id)).toEqual([running, failed]);
    expect(jobs[0]).toMatchObject({
      kind: 'export',
      status: 'running',
      step: 'rows',
      percent: 40,
      startedByName: 'Bob Clerk',
    });
    expect(jobs[1]).toMatchObject({
      status: 'failed',
      message: 'The disk is full',
      finishedAt: expect.any(String),
    });
    expect(jobs[1]).not.toHaveProperty('result');
  });

  test('background work lists recurring work with its last and next run', async () => {
    const seals = async () =>
      (await list()).recurring.find(({ name }: { name: string }) => name === 'audit-seals');
    await expect.poll(seals).toMatchObject({
      status: 'succeeded',
      lastRunAt: expect.any(String),
      message: null,
      nextRunAt: expect.any(String),
    });
    const cleanUp = (await list()).recurring.find(({ name }: { name: string }) => name === 'export-clean-up');
    expect(cleanUp.nextRunAt).toMatch(/:00\.000Z$/);
  });
});

test('background work compares the running PostgreSQL with its newest minor release', async () => {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int as version`.execute(server.db);
  expect((await list()).outdatedDatabase).toEqual(findOutdated(rows[0]!.version));
});

describe('Run now', () => {
  test('Run now runs work with a schedule, and is audited', async () => {
    await server.db
      .insertInto('exports')
      .values({
        id: newId(),
        user_id: admin.id,
        kind: 'deals',
        format: 'csv',
        name: 'Old.csv',
        filter: '{}',
        permissions_hash: Buffer.from(''),
        created_at: '2020-01-01T00:00:00.000Z',
      })
      .execute();
    const { status } = await server.call('POST /jobs/recurring/export-clean-up/run', { token: admin.token });
    expect(status).toBe(204);
    const left = () => server.db.selectFrom('exports').select('name').execute();
    await expect.poll(left).toEqual([]);
    expect(await lastEntry()).toEqual({
      action: 'job.started',
      actor_id: admin.id,
      record_id: null,
      after: { name: 'export-clean-up' },
    });
  });

  test('Run now runs work with an interval, which records its failure', async () => {
    const { db } = server;
    const runs = () =>
      db
        .selectFrom('recurring_jobs')
        .select(['problem', 'finished_at'])
        .where('name', '=', 'interrupted-work')
        .executeTakeFirst();
    await expect.poll(runs).toMatchObject({ problem: null });
    await sql`alter table jobs rename to jobs_away`.execute(db);
    const run = () => server.call('POST /jobs/recurring/interrupted-work/run', { token: admin.token });
    expect((await run()).status).toBe(204);
    await expect.poll(runs).toMatchObject({ problem: 'relation "jobs" does not exist' });
    await sql`alter table jobs_away rename to jobs`.execute(db);
    await run();
    await expect.poll(runs).toMatchObject({ problem: null });
  });

  test('Run now returns 404 for unknown work', async () => {
    const { status } = await server.call('POST /jobs/recurring/nothing/run', { token: admin.token });
    expect(status).toBe(404);
  });
});

describe('a failed job of a queue', () => {
  test('a failed job of a queue is listed with the message of its failure, and counted', async () => {
    const id = await addFailed();
    const { failed, queues } = await list();
    expect(failed.find(({ _id }: { _id: string }) => _id === id)).toEqual({
      _id: id,
      queue: 'mail',
      message: 'The server is away',
      attempts: 4,
      createdAt: expect.any(String),
      failedAt: expect.any(String),
    });
    expect(queues).toContainEqual({ name: 'mail', waiting: 0, running: 0, failed: failed.length });
  });

  test('a failed job of a queue is tried again, and audited', async () => {
    const id = await addFailed();
    const retry = () => server.call(`POST /jobs/failed/${id}/retry`, { token: admin.token });
    expect((await retry()).status).toBe(204);
    const stateOf = async () =>
      (await sql<{ state: string }>`select state from pgboss.job where id = ${id}`.execute(server.db))
        .rows[0];
    await expect.poll(stateOf).toEqual({ state: 'completed' });
    expect(await lastEntry()).toEqual({
      action: 'job.retried',
      actor_id: admin.id,
      record_id: id,
      after: { name: 'mail' },
    });
    expect((await retry()).status).toBe(404);
  });
});
