import type { RecurringJobName } from '@forecourt/contract/jobs';
import { fromKysely, PgBoss, type Job } from 'pg-boss';
import { NO_LIMITS, withSettings, type Connection, type Db, type Tx } from '../db/database.ts';
import type { Log } from '../log.ts';
import {
  FinalFailure,
  type Interval,
  type JobDefinition,
  type QueuedJob,
  type RecurringJob,
} from './define-job.ts';
import { createRunRecords } from './run-records.ts';

const QUEUE = { retryLimit: 3, retryDelay: 5, heartbeatSeconds: 45, expireInSeconds: 300 };
/** The interval at which one of the idle workers of a queue checks for a job: each check is a statement. */
const CHECK_MS = 1000;
/** The interval at which every idle worker does so. */
const IDLE_SECONDS = 30;
/** Finished runs of a schedule are kept in the queue for this long; the last one is recorded by itself. */
const KEEP_SECONDS = 3600;

type JobOptions = {
  /** The earliest start. */
  startAfter?: Date;
  /** At most one waiting job for each key. */
  singletonKey?: string;
};

/** Work with a schedule, as this instance runs it. */
type Running = {
  /** Null: it is off. */
  nextRun(): Promise<Date | null>;
  /** Runs it now, also what is not due, without waiting for the result. */
  runNow(): void;
  /** Runs what is due now instead of at the next time. */
  runDue(): void;
};

export type Jobs = {
  /** Starts the workers of queues, and runs recurring work from now on. */
  start(definitions: readonly JobDefinition[]): Promise<void>;
  /** Queues a job in the transaction of `db`: it exists exactly when that transaction commits. */
  enqueue(db: Db | Tx, queue: QueuedJob['name'], data: object, options?: JobOptions): Promise<void>;
  /** Queues a failed job again, in the transaction of `db`. */
  retry(db: Tx, queue: QueuedJob['name'], id: string): Promise<void>;
  /** The recurring work of this instance. */
  recurring: ReadonlyMap<RecurringJobName, Running>;
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
  const record = createRunRecords(boss.getDb(), log);
  const stopping = new AbortController();
  const recurring = new Map<RecurringJobName, Running & { stop?(): Promise<void> }>();

  /** Returns the outcome of a job for pg-boss, which retries the job if this throws. */
  async function settle(job: Job, work: (signal: AbortSignal) => Promise<unknown>) {
    const { id } = job;
    try {
      await work(job.signal);
      return [{ id, status: 'completed' as const }];
    } catch (error) {
      if (!(error instanceof FinalFailure)) throw error;
      return [{ id, status: 'deadletter' as const, output: { message: error.message } }];
    }
  }

  async function startQueue(definition: QueuedJob): Promise<void> {
    const { name, concurrency } = definition;
    await boss.createQueue(name, QUEUE);
    const idle = new Set<string>();
    const wakeOne = (): void => {
      const [worker] = idle;
      if (worker) boss.notifyWorker(worker);
    };
    for (let count = 0; count < concurrency; count += 1) {
      const worker: string = await boss.work<object>(
        name,
        { batchSize: 1, pollingIntervalSeconds: IDLE_SECONDS, perJobResults: true },
        async ([job]) => {
          idle.delete(worker);
          // There may be another job.
          wakeOne();
          try {
            return await settle(job!, (signal) => definition.run(job!.data, signal));
          } finally {
            idle.add(worker);
            boss.notifyWorker(worker);
          }
        },
      );
      idle.add(worker);
    }
    const timer = setInterval(wakeOne, CHECK_MS);
    stopping.signal.addEventListener('abort', () => clearInterval(timer));
  }

  async function startCron({ name, run }: RecurringJob, cron: string): Promise<void> {
    // At most one job waits or runs, also when its run takes longer than the interval.
    await boss.createQueue(name, { ...QUEUE, policy: 'exclusive', deleteAfterSeconds: KEEP_SECONDS });
    const worker = await boss.work(name, { pollingIntervalSeconds: IDLE_SECONDS }, ([job]) =>
      record(name, () => run(AbortSignal.any([stopping.signal, job!.signal])), false),
    );
    await boss.schedule(name, cron, null, { missed: 'once' });
    const runDue = (): void => {
      boss.send(name).then(
        () => boss.notifyWorker(worker),
        (error: Error) => log.warn({ job: name, reason: error.message }, 'job not queued'),
      );
    };
    recurring.set(name, {
      nextRun: async () => boss.previewSchedule(cron, { count: 1 })[0] ?? null,
      runNow: runDue,
      runDue,
    });
  }

  function startInterval({ name, run }: RecurringJob, schedule: Interval): void {
    const { everyMs, dueInMs, runNow } = schedule;
    let timer: NodeJS.Timeout | undefined;
    let nextAt = Date.now();
    let running = Promise.resolve();
    async function repeat(work: RecurringJob['run'], isFrequent: boolean): Promise<void> {
      if (stopping.signal.aborted) return;
      clearTimeout(timer);
      await record(name, () => work(stopping.signal), isFrequent).catch(() => {});
      if (stopping.signal.aborted) return;
      const dueMs = (await dueInMs?.().catch(() => null)) ?? everyMs;
      const delayMs = Math.min(everyMs, dueMs);
      nextAt = Date.now() + delayMs;
      timer = setTimeout(runDue, delayMs);
    }
    const enqueue = (work: RecurringJob['run'], isFrequent: boolean): void => {
      running = running.then(() => repeat(work, isFrequent));
    };
    const runDue = (): void => enqueue(run, true);
    runDue();
    recurring.set(name, {
      runDue,
      runNow: () => enqueue(runNow ?? run, false),
      async nextRun() {
        if (!dueInMs) return new Date(nextAt);
        const dueMs = await dueInMs();
        return dueMs === null ? null : new Date(Date.now() + dueMs);
      },
      async stop() {
        clearTimeout(timer);
        await running;
      },
    });
  }

  async function start(definition: JobDefinition): Promise<void> {
    if ('concurrency' in definition) return startQueue(definition);
    const { schedule } = definition;
    if ('cron' in schedule) await startCron(definition, schedule.cron);
    else startInterval(definition, schedule);
  }

  return {
    recurring,
    async start(definitions) {
      for (const definition of definitions) await start(definition);
    },
    async enqueue(db, queue, data, options = {}) {
      await boss.send(queue, data, { ...options, db: fromKysely(db) });
    },
    async retry(db, queue, id) {
      await boss.retry(queue, id, { db: fromKysely(db) });
    },
    async stop() {
      stopping.abort();
      await Promise.all(Array.from(recurring.values(), async (each) => each.stop?.()));
      await boss.stop({ graceful: true, timeout: 5000 });
    },
  };
}
