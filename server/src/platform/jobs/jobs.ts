import { MAX_FAILURE_LENGTH, type RecurringJobName } from '@forecourt/contract/jobs';
import { fromKysely, PgBoss, type Db as BossDb } from 'pg-boss';
import { KEEP_ALIVE, NO_LIMITS, withSettings, type Connection, type Db, type Tx } from '../db/database.ts';
import { GRACE_MS } from '../db/stalls.ts';
import {
  type Cron,
  FinalFailure,
  IDLE,
  type Interval,
  type JobDefinition,
  type QueuedJob,
  type RecurringJob,
  type RunResult,
} from '../define-job.ts';
import { AppError, folderError } from '../http/errors.ts';
import type { Log } from '../log.ts';

const QUEUE = { retryLimit: 3, retryDelay: 5, heartbeatSeconds: 45, expireInSeconds: 300 };
/** The interval at which one idle worker of a queue checks for a job: each check is a statement. */
const CHECK_MS = 1000;
/** The interval at which every idle worker checks for a job. */
const IDLE_SECONDS = 30;
/** How long finished runs stay in the queue; the last one is stored elsewhere. */
const KEEP_SECONDS = 3600;
/** A run is recorded as running after this time. */
const LONG_MS = 1000;
/** The interval at which unchanged results of frequent work are recorded. */
const RECORD_MS = 60_000;

type JobOptions = {
  /** Earliest start. */
  startAfter?: Date;
  /** At most one job with this key waits. */
  singletonKey?: string;
};

/** Recurring work of this instance. */
type Running = {
  /** Null if it is turned off. */
  nextRun(): Promise<Date | null>;
  /** Runs it now even if it is not due, without waiting for the result. */
  runNow(): void;
  /** Runs due work now instead of at the next time. */
  runDue(): void;
};

export type Jobs = {
  /** Starts the workers of queues, and runs recurring work from now on. */
  start(definitions: readonly JobDefinition[]): Promise<void>;
  /** Queues a job in the transaction of `db`, so that it exists only if that commits. */
  enqueue(db: Db | Tx, queue: QueuedJob['name'], data: object, options?: JobOptions): Promise<void>;
  /** Queues a failed job again, in the transaction of `db`. */
  retry(db: Tx, queue: QueuedJob['name'], id: string): Promise<void>;
  /** The recurring work of this instance. */
  recurring: ReadonlyMap<RecurringJobName, Running>;
  /** Waits at most 5 s for running jobs. */
  stop(): Promise<void>;
};

/** Longer than other timeouts: instances that start at the same time wait for the one that creates the schema. */
const STATEMENT_MS = 30_000;
/** pg closes a connection without a response. pg-boss passes these options, but its types lack them. */
const CLIENT = { ...KEEP_ALIVE, query_timeout: STATEMENT_MS + GRACE_MS };

/** Starts pg-boss in its own schema (`pgboss`), which is not part of a backup. */
export async function startJobs(connection: Connection, log: Log): Promise<Jobs> {
  const boss = new PgBoss({
    ...withSettings(connection, {
      ...NO_LIMITS,
      statement_timeout: String(STATEMENT_MS),
      // Otherwise its sessions would wait for a lost standby. A job that runs again detects what it has already done.
      synchronous_commit: 'local',
    }),
    ...CLIENT,
    schema: 'pgboss',
    max: 4,
    application_name: 'forecourt jobs',
  });
  boss.on('error', (error) => log.warn({ reason: error.message }, 'job queue'));
  await boss.start();
  const record = createRunRecords(boss.getDb(), log);
  const stopping = new AbortController();
  const recurring = new Map<RecurringJobName, Running & { stop?(): Promise<void> }>();

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
          // Another job may be waiting.
          wakeOne();
          const { id, data, signal } = job!;
          try {
            await definition.run(data, signal);
            return [{ id, status: 'completed' as const }];
          } catch (error) {
            // pg-boss retries a job whose worker throws.
            if (!(error instanceof FinalFailure)) throw error;
            return [{ id, status: 'deadletter' as const, output: { message: error.message } }];
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

  async function startCron({ name, run }: RecurringJob, { cron, timeZone: tz = 'UTC' }: Cron): Promise<void> {
    // At most one job waits or runs, even if a run takes longer than the interval.
    await boss.createQueue(name, { ...QUEUE, policy: 'exclusive', deleteAfterSeconds: KEEP_SECONDS });
    const worker = await boss.work(name, { pollingIntervalSeconds: IDLE_SECONDS }, ([job]) =>
      record(name, () => run(AbortSignal.any([stopping.signal, job!.signal])), false),
    );
    await boss.schedule(name, cron, null, { missed: 'once', tz });
    const runDue = (): void => {
      boss.send(name).then(
        () => boss.notifyWorker(worker),
        (error: Error) => log.warn({ job: name, reason: error.message }, 'job not queued'),
      );
    };
    recurring.set(name, {
      nextRun: async () => boss.previewSchedule(cron, { count: 1, tz })[0] ?? null,
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

  return {
    recurring,
    async start(definitions) {
      for (const definition of definitions) {
        if ('concurrency' in definition) await startQueue(definition);
        else if ('cron' in definition.schedule) await startCron(definition, definition.schedule);
        else startInterval(definition, definition.schedule);
      }
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

const messageOf = (error: unknown): string => {
  const appError = error instanceof AppError ? error : folderError(error);
  const text = appError?.reason ?? (error as Error).message;
  return text.slice(0, MAX_FAILURE_LENGTH);
};

/** Returns a function that runs recurring work, stores its last run in `recurring_jobs`, and throws its error. */
function createRunRecords(db: BossDb, log: Log) {
  const written = new Map<RecurringJobName, { at: number; problem: string | null | undefined }>();

  /** @param problem the failure; null if it succeeded, undefined while it runs */
  async function write(name: RecurringJobName, since: number, problem?: string | null): Promise<void> {
    const seconds = (performance.now() - since) / 1000;
    written.set(name, { at: performance.now(), problem });
    await db
      .executeSql(
        `insert into recurring_jobs (name, started_at, finished_at, problem)
         values ($1, now() - make_interval(secs => $2), case when $3 then now() end, $4)
         on conflict (name) do update set
           started_at = excluded.started_at, finished_at = excluded.finished_at, problem = excluded.problem`,
        [name, seconds, problem !== undefined, problem ?? null],
      )
      .catch((error: Error) => log.warn({ job: name, reason: error.message }, 'run not recorded'));
  }

  /** @param isFrequent records an unchanged result only once a minute */
  return async (
    name: RecurringJobName,
    work: () => Promise<RunResult>,
    isFrequent: boolean,
  ): Promise<void> => {
    const since = performance.now();
    let recording: Promise<void> | undefined;
    const timer = setTimeout(() => {
      recording = write(name, since);
    }, LONG_MS);
    const finish = async (problem: string | null): Promise<void> => {
      await recording;
      const last = written.get(name);
      if (isFrequent && last?.problem === problem && since - last.at < RECORD_MS) return;
      await write(name, since, problem);
    };
    try {
      const result = await work();
      clearTimeout(timer);
      if (result !== IDLE || recording) await finish(result instanceof Error ? messageOf(result) : null);
    } catch (error) {
      clearTimeout(timer);
      log.warn({ job: name, reason: (error as Error).message }, 'background work failed');
      await finish(messageOf(error));
      throw error;
    }
  };
}
