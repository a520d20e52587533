import { fromKysely, PgBoss, type Job } from 'pg-boss';
import type { Connection, Db, Tx } from './db/database.ts';
import type { Log } from './log.ts';

type JobOptions = {
  /** Not before then. */
  startAfter?: Date;
  /** At most one waiting job of this key. */
  singletonKey?: string;
};

export type Jobs = {
  /** Names a queue and what works on it. A worker that dies is noticed by its heartbeat; its job is taken up again within a minute. */
  work<D extends object>(
    queue: string,
    concurrency: number,
    worker: (data: D, signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /** Puts a job into the queue in the transaction of `db`: it exists exactly when what it is about does. */
  enqueue(db: Db | Tx, queue: string, data: object, options?: JobOptions): Promise<void>;
  /** Lets running jobs end, for at most 5 s. */
  stop(): Promise<void>;
};

/** Starts pg-boss in a schema of its own (`pgboss`), which is no part of a backup. */
export async function startJobs(connection: Connection, log: Log): Promise<Jobs> {
  const boss = new PgBoss({ ...connection, schema: 'pgboss', max: 4, application_name: 'forecourt jobs' });
  boss.on('error', (error) => log.warn({ reason: error.message }, 'job queue'));
  await boss.start();
  return {
    async work<D extends object>(
      queue: string,
      concurrency: number,
      worker: (data: D, signal: AbortSignal) => Promise<void>,
    ) {
      await boss.createQueue(queue, {
        retryLimit: 3,
        retryDelay: 5,
        heartbeatSeconds: 45,
        expireInSeconds: 300,
      });
      const one = async ([job]: Job<D>[]) => worker(job!.data, job!.signal);
      await boss.work<D>(
        queue,
        { batchSize: 1, localConcurrency: concurrency, pollingIntervalSeconds: 1 },
        one,
      );
    },
    async enqueue(db, queue, data, options = {}) {
      await boss.send(queue, data, { ...options, db: fromKysely(db) });
    },
    stop: () => boss.stop({ graceful: true, timeout: 5000 }),
  };
}
