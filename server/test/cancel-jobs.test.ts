import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { makeOne } from '../src/features/backups/backups.fixture.ts';
import { addImporter } from '../src/features/deals/import/deal-import.fixture.ts';
import { IDLE } from '../src/platform/define-job.ts';
import { createFileStore } from '../src/platform/files/file-store.ts';
import { countUnmoved } from '../src/platform/files/move-content.queries.ts';
import { createContentMove } from '../src/platform/files/move-content.ts';
import { newId } from '../src/platform/ids.ts';
import { createProgress, type Report } from '../src/platform/jobs/progress.ts';
import { openEventBus } from '../src/platform/live/event-bus.ts';
import { createLog } from '../src/platform/log.ts';
import { testApp, type Person, type TestApp } from './app.ts';
import { blockInserts, blockWrites } from './block-inserts.ts';
import { addDealership } from './builders.ts';
import { uploadFile } from './uploads.ts';

/** Two instances with one database: `server` gets the cancellations, `worker` runs the work. */
const server = await testApp();
const worker = await testApp({}, { responseMs: 1, database: { ...server, close: async () => {} } });
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const clerk = await addImporter(server);
const dealershipId = await addDealership(server, admin, { name: 'Harbour New Cars' });
afterAll(async () => {
  await worker.close();
  await server.close();
});

const cancel = (id: string, by: Person = admin) =>
  server.call(`POST /jobs/${id}/cancel`, { token: by.token });
const jobOf = async (id: string) => (await server.call(`GET /jobs/${id}`, { token: admin.token })).body;
const newestJob = async (kind: string): Promise<string> => {
  const newest = server.db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc');
  return (await newest.executeTakeFirstOrThrow()).id;
};
const listed = async (id: string) =>
  (await server.call('GET /jobs', { token: admin.token })).body.jobs.find(
    ({ _id }: { _id: string }) => _id === id,
  );
const addJob = async (fields: object = {}): Promise<string> => {
  const id = newId();
  await server.db
    .insertInto('jobs')
    .values({ id, kind: 'export', user_id: clerk.id, ...fields })
    .execute();
  return id;
};
const entriesOf = (id: string) =>
  server.db
    .selectFrom('audit_entries')
    .where('record_id', '=', id)
    .select(['action', 'actor_id', 'after'])
    .execute();
const cancelledWith = (rest: string, by = 'Ada Admin') => ({
  status: 'cancelled',
  code: 'CANCELLED',
  message: `Cancelled by ${by}. ${rest}`,
  finishedAt: expect.any(String),
});

describe('the call', () => {
  test('the call that cancels a job is for administrators, also if the job is of the caller', async () => {
    const id = await addJob();
    expect((await server.call(`POST /jobs/${id}/cancel`)).status).toBe(401);
    expect(await cancel(id, clerk)).toMatchObject({ status: 403, body: { code: 'ADMIN_REQUIRED' } });
    expect((await cancel(newId())).status).toBe(404);
    expect([(await jobOf(id)).status, await entriesOf(id)]).toEqual(['running', []]);
  });

  test('the call that cancels a job cancels a running job once, names who did, and is audited', async () => {
    const id = await addJob();
    expect(await listed(id)).toMatchObject({ canCancel: true });
    expect((await cancel(id)).status).toBe(204);
    expect(await jobOf(id)).toMatchObject(cancelledWith('No file was kept.'));
    expect(await listed(id)).toMatchObject({ status: 'cancelled', canCancel: false });
    expect(await cancel(id)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', message: 'This work has ended already. There is nothing left to cancel.' },
    });
    expect(await entriesOf(id)).toEqual([
      { action: 'job.cancelled', actor_id: admin.id, after: { name: 'export' } },
    ]);
  });

  test('the call that cancels a job refuses a restore', async () => {
    const id = await addJob({ kind: 'restore' });
    expect(await listed(id)).toMatchObject({ canCancel: false });
    expect(await cancel(id)).toMatchObject({
      status: 409,
      body: { message: 'A restore cannot be cancelled: replacing the data has to run to its end.' },
    });
    expect([(await jobOf(id)).status, await entriesOf(id)]).toEqual(['running', []]);
  });

  test('the call that cancels a job waits for work that is committing, and refuses it', async () => {
    const id = await addJob();
    const { progress, close } = anotherWorker();
    const committing = server.db.transaction().execute(async (tx) => {
      await progress.succeed(tx, id, 'done');
      const cancelling = cancel(id);
      const waiting = () =>
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%for update%'`.execute(server.db);
      await expect.poll(async () => (await waiting()).rows.length).toBe(1);
      return { cancelling };
    });
    expect((await (await committing).cancelling).status).toBe(409);
    expect(await jobOf(id)).toMatchObject({ status: 'succeeded', result: 'done' });
    await close();
  });
});

/** The progress of a third instance, whose jobs report at once that they are alive. */
function anotherWorker() {
  const log = createLog('silent');
  const eventBus = openEventBus(server.connection, log);
  const progress = createProgress({ db: server.db, eventBus, log, aliveMs: 10 });
  return {
    progress,
    close: async () => {
      await progress.stop();
      await eventBus.close();
    },
  };
}

describe('running work', () => {
  /** Runs until its signal is aborted. */
  const untilAborted = (work: (report: Report) => void) => (report: Report, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      work(report);
    });

  test('running work stops at its next heartbeat, with the text of the cancellation', async () => {
    const { progress, close } = anotherWorker();
    const { id, done } = await progress.start(
      clerk as never,
      'check',
      untilAborted(() => {}),
    );
    expect((await cancel(id)).status).toBe(204);
    await expect(done).rejects.toMatchObject({
      code: 'CANCELLED',
      details: { message: 'Cancelled by Ada Admin. Nothing was changed.' },
    });
    expect(await jobOf(id)).toMatchObject(cancelledWith('Nothing was changed.'));
    await close();
  });

  test('running work stops when it reports progress', async () => {
    const reported = Promise.withResolvers<Report>();
    const { id, done } = await createProgress({
      db: server.db,
      eventBus: { send: async () => {} } as never,
      log: createLog('silent'),
      aliveMs: 3_600_000,
    }).start(null, 'check', untilAborted(reported.resolve));
    const report = await reported.promise;
    await cancel(id);
    report('comparing');
    await expect(done).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  test('running work that ends without having noticed returns no result', async () => {
    const { progress, close } = anotherWorker();
    const result = Promise.withResolvers<string>();
    const { id, done } = await progress.start(null, 'check', () => result.promise);
    await cancel(id);
    result.resolve('done');
    await expect(done).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await jobOf(id)).toMatchObject({ status: 'cancelled', result: null });
    await close();
  });
});

describe('an import', () => {
  const rows = (customerName: string) => [
    ...Array.from({ length: 2000 }, () => ({ dealershipId, customerName })),
    { dealershipId, customerName: 'Last' },
  ];
  const countDeals = async () =>
    (await server.db.selectFrom('deals').select('id').where('created_by', '=', clerk.id).execute()).length;
  const run = (customerName: string) =>
    worker.call('POST /deals/import', {
      token: clerk.token,
      body: { rows: rows(customerName) },
      headers: { 'idempotency-key': 'one' },
    });

  test('an import that is cancelled adds nothing, and can be started again with its key', async () => {
    const id = await blockInserts(server.db, 'Held', async (untilBlocked) => {
      const { status, body } = await run('Held');
      expect(status).toBe(202);
      await untilBlocked();
      expect((await cancel(body.jobId)).status).toBe(204);
      return body.jobId as string;
    });
    // The repeat waits until the cancelled import has released the key.
    const { body } = await run('Held');
    await expect.poll(async () => (await jobOf(body.jobId)).status).toBe('succeeded');
    expect(body.jobId).not.toBe(id);
    expect(await jobOf(id)).toMatchObject({ ...cancelledWith('Nothing was imported.'), result: null });
    expect(await countDeals()).toBe(2001);
    expect((await cancel(body.jobId)).status).toBe(409);
    expect(await countDeals()).toBe(2001);
  });

  test('an import that is awaited gets the text of the cancellation, and its job stays listed', async () => {
    const before = await countDeals();
    const [reply, id] = await blockInserts(server.db, 'Awaited', async (untilBlocked) => {
      const running = server.call('POST /deals/import', {
        token: clerk.token,
        body: { rows: [{ dealershipId, customerName: 'Awaited' }] },
      });
      await untilBlocked();
      const jobId = await newestJob('import');
      expect((await cancel(jobId)).status).toBe(204);
      return [running, jobId] as const;
    });
    expect(await reply).toMatchObject({
      status: 409,
      body: { code: 'CANCELLED', message: 'Cancelled by Ada Admin. Nothing was imported.' },
    });
    expect(await listed(id)).toMatchObject({ status: 'cancelled' });
    expect(await countDeals()).toBe(before);
  });
});

describe('an export', () => {
  const begin = async (by: Person = admin) =>
    (await worker.call('POST /exports', { token: by.token, body: { kind: 'deals', month: '2026-01' } })).body
      ._id as string;
  const read = async (id: string) => (await server.call(`GET /exports/${id}`, { token: admin.token })).body;
  const jobOfExport = async (id: string): Promise<string> => {
    const find = async () =>
      (await server.db.selectFrom('exports').select('job_id').where('id', '=', id).executeTakeFirst())
        ?.job_id;
    await expect.poll(find).toEqual(expect.any(String));
    return (await find())!;
  };
  const filesOf = async (ids: string[]) =>
    (
      await server.db
        .selectFrom('exports')
        .select('id')
        .where('id', 'in', ids)
        .where('digest', 'is not', null)
        .execute()
    ).length;
  const whileHeld = <R>(meanwhile: (untilBlocked: (count?: number) => Promise<void>) => Promise<R>) =>
    blockWrites(server.db, 'hold_exports', sql`update on exports for each row`, meanwhile);

  test('an export is cancelled without a file while it runs and while it waits for another, and states the reason', async () => {
    const [running, other, waiting] = await whileHeld(async (untilBlocked) => {
      const first = [await begin(), await begin()] as const;
      await untilBlocked();
      const third = await begin();
      for (const id of [first[0], third]) expect((await cancel(await jobOfExport(id))).status).toBe(204);
      return [...first, third] as const;
    });
    await expect.poll(async () => (await read(other)).state).toBe('ready');
    for (const id of [running, waiting]) {
      expect(await read(id)).toMatchObject({
        state: 'cancelled',
        message: 'Cancelled by Ada Admin. No file was kept.',
      });
      expect((await server.call(`GET /exports/${id}/download`, { token: admin.token })).status).toBe(409);
    }
    expect(await filesOf([running, waiting])).toBe(0);
    expect(await filesOf([other])).toBe(1);
  });

  test('an export that its user cancels has a cancelled job', async () => {
    const exporter = await server.person({
      name: 'Eva Exporter',
      permissions: { dataEntry: { canAddRows: true } },
    });
    const jobId = await whileHeld(async (untilBlocked) => {
      await begin(exporter);
      const second = await begin(exporter);
      await untilBlocked();
      const third = await begin(exporter);
      const job = await jobOfExport(third);
      expect((await server.call(`DELETE /exports/${third}`, { token: exporter.token })).status).toBe(204);
      expect((await server.call(`GET /exports/${second}`, { token: exporter.token })).status).toBe(200);
      return job;
    });
    expect(await jobOf(jobId)).toMatchObject(cancelledWith('No file was kept.', 'Eva Exporter'));
  });
});

describe('a backup', () => {
  const filesOf = async ({ dataDir }: TestApp) => readdir(join(dataDir, 'backups')).catch(() => []);
  const catalogue = async () =>
    (await server.call('GET /backups', { token: admin.token })).body.items.map(
      ({ name }: { name: string }) => name,
    );
  const whileHeld = <R>(meanwhile: (untilBlocked: () => Promise<void>) => Promise<R>) =>
    blockWrites(server.db, 'hold_backups', sql`update on backups for each row`, meanwhile);

  test('a backup that is cancelled when its file is complete leaves no file and is not listed', async () => {
    const jobId = await whileHeld(async (untilBlocked) => {
      const { status, body } = await worker.call('POST /backups', { token: admin.token });
      expect(status).toBe(201);
      await untilBlocked();
      expect(await filesOf(worker)).toHaveLength(1);
      expect((await cancel(body.jobId)).status).toBe(204);
      return body.jobId as string;
    });
    await expect.poll(() => filesOf(worker)).toEqual([]);
    await expect.poll(catalogue).toEqual([]);
    expect(await jobOf(jobId)).toMatchObject(cancelledWith('No backup was created.'));
    const created = server.db.selectFrom('audit_entries').select('id').where('action', '=', 'backup.created');
    expect(await created.execute()).toEqual([]);
  });

  test('a backup that is uploaded and cancelled is deleted', async () => {
    const name = await makeOne(server, admin);
    const content = await readFile(join(server.dataDir, 'backups', name));
    const jobId = await whileHeld(async (untilBlocked) => {
      const { status, body } = await uploadFile(worker, admin, '/backups/upload', content, {
        field: 'backup',
        filename: name,
      });
      expect(status).toBe(202);
      await untilBlocked();
      expect((await cancel(body.jobId)).status).toBe(204);
      return body.jobId as string;
    });
    await expect.poll(() => filesOf(worker)).toEqual([]);
    expect(await catalogue()).toEqual([name]);
    expect(await jobOf(jobId)).toMatchObject(cancelledWith('The file was not kept.'));
  });
});

test('a move of files that is cancelled while it runs moves the file at hand, and goes on only when it is started again', async () => {
  const { progress, close } = anotherWorker();
  const noticed = Promise.withResolvers<unknown>();
  const start: typeof progress.start = (starter, kind, work) =>
    progress.start(starter, kind, (report, signal, id) => {
      signal.addEventListener('abort', noticed.resolve);
      return work(report, signal, id);
    });
  const { connection, db } = server;
  const move = createContentMove({
    connection,
    db,
    files: createFileStore(server.dataDir),
    progress: { start },
  });
  for (const content of ['one', 'two', 'three'])
    await sql`insert into template_images (id, type, width, height, content, created_by)
      values (${newId()}, 'image/png', 1, 1, ${Buffer.from(content)}, ${admin.id})`.execute(db);
  const { signal } = new AbortController();
  const insert = sql`insert on files for each row`;
  const { running, id } = await blockWrites(db, 'hold_files', insert, async (untilBlocked) => {
    const running = move.runDue(signal);
    await untilBlocked();
    const id = await newestJob('move-files');
    expect((await cancel(id)).status).toBe(204);
    await noticed.promise;
    return { running, id };
  });
  expect(await running).toBe(IDLE);
  expect(await jobOf(id)).toMatchObject(
    cancelledWith('Files that were moved stay there, and the others can be opened as before.'),
  );
  expect([await countUnmoved(db), await move.runDue(signal), await countUnmoved(db)]).toEqual([2, IDLE, 2]);
  await move.run(signal);
  expect(await countUnmoved(db)).toBe(0);
  await close();
});
