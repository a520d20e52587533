import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { defineJob } from '../define-job.ts';
import { createLog } from '../log.ts';
import { startJobs, type Jobs } from './jobs.ts';

const WORKERS = 8;

let database: Awaited<ReturnType<typeof testDatabase>>;
let jobs: Jobs;
beforeEach(async () => {
  database = await testDatabase();
  jobs = await startJobs(database.connection, createLog('silent'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await jobs.stop();
  await database.close();
});

const startQueue = (run: () => Promise<void>) =>
  jobs.start([defineJob({ name: 'mail', concurrency: WORKERS, run })]);

test('one worker of an idle queue checks it once a second', async () => {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const checks = () => query.mock.calls.filter(([text]) => /skip locked/i.test(text)).length;
  await startQueue(async () => {});
  await expect.poll(checks).toBeGreaterThanOrEqual(WORKERS);

  const [before, since] = [checks(), performance.now()];
  await expect.poll(checks).toBeGreaterThanOrEqual(before + 4);
  expect(performance.now() - since).toBeGreaterThan(2500);
});

test('simultaneous jobs are taken by all workers', async () => {
  const all = Promise.withResolvers<void>();
  let running = 0;
  await startQueue(async () => {
    running += 1;
    if (running === WORKERS) all.resolve();
    await all.promise;
  });
  for (let count = 0; count < WORKERS; count += 1) await jobs.enqueue(database.db, 'mail', {});
  await all.promise;
  expect(running).toBe(WORKERS);
});
