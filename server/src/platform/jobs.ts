import { fromKysely, PgBoss, type Job } from 'pg-boss';
import { NO_LIMITS, withSettings, type Connection, type Db, type Tx } from './db/database.ts';
import type { Log } from './log.ts';

type JobOptions = {
  /** The earliest start. */
  startAfter?: Date;
  /** At most one waiting job for each key. */
  singletonKey?: string;
};

export type Jobs = {
  /** Registers the worker of a queue. A worker that dies is detected by its missing heartbeat; its job is retried within a minute. */
  work<D extends object>(
    queue: string,
    concurrency: number,
    worker: (data: D, signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /** Queues a job in the transaction of `db`: it exists exactly when that transaction commits. */
  enqueue(db: Db | Tx, queue: string, data: object, options?: JobOptions): Promise<void>;
  /** Waits at most 5 s for running jobs. */
  stop(): Promise<void>;
};

/** Starts pg-boss in its own schema (`pgboss`), which is not part of a backup. */
export async function startJobs(connection: Connection, log: Log): Promise<Jobs> {
  const boss = new PgBoss({
    // Instances that start at the same time wait for the one that creates the schema.
    ...withSettings(connection, NO_LIMITS),
    schema: 'pgboss',
    max: 4,
    application_name: 'forecourt jobs',
  });
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
      const workOne = async ([job]: Job<D>[]) => worker(job!.data, job!.signal);
      await boss.work<D>(
        queue,
        { batchSize: 1, localConcurrency: concurrency, pollingIntervalSeconds: 1 },
        workOne,
      );
    },
    async enqueue(db, queue, data, options = {}) {
      await boss.send(queue, data, { ...options, db: fromKysely(db) });
    },
    stop: () => boss.stop({ graceful: true, timeout: 5000 }),
  };
}
