import type { Accepted } from '@forecourt/contract/jobs';
import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';
import { defineJob } from '../define-job.ts';
import {
  callerOf,
  inTransaction,
  type Context,
  type TransactionProgress,
  type TxContext,
} from '../http/context.ts';
import { AppError, withoutValues } from '../http/errors.ts';
import type { Claim } from '../http/idempotency.ts';
import { createSemaphore } from '../http/semaphore.ts';
import type { EventBus } from '../live/event-bus.ts';
import type { Log } from '../log.ts';
import { withTimeout } from '../with-timeout.ts';
import { createJobRows, DEAD_SECONDS, interrupted, reasonOf, type Starter } from './job-rows.ts';

/** How long a request waits for its job before it returns 202 (docs/product/api.md, Long work). */
const RESPONSE_MS = 10_000;
const ALIVE_MS = 5000;
/** Work in a transaction uses a connection for its whole duration; further work of a user waits for its turn. */
const TRANSACTIONS = { permits: 4, permitsEach: 2, maxQueued: 200 };

/** The minimum interval between writes of the progress. */
const REPORT_MS = 400;

/** Reports the progress of a job: the name of the step, and the total in percent. Never throws. */
export type Report = (step: string, percent?: number, count?: Count) => void;
type Count = { done: number; total: number };

type Work<R> = (report: Report, signal: AbortSignal, jobId: string) => Promise<R>;
type Started<R> = { id: string; done: Promise<R> };
type Parts = {
  db: Db;
  eventBus: EventBus;
  log: Log;
  /** How long a request waits for its job, in milliseconds. */
  responseMs?: number;
  /** The interval of a job's heartbeat, which also detects a cancellation, in milliseconds. */
  aliveMs?: number;
};

export type Progress = ReturnType<typeof createProgress>;

/**
 * Runs work that may outlive its request: in this process, with its progress in a row of `jobs` and published to the
 * open pages of its user. If the process dies, another instance marks the row as failed within 30 s; the user then
 * starts the work again.
 */
export function createProgress({ db, eventBus, log, responseMs = RESPONSE_MS, aliveMs = ALIVE_MS }: Parts) {
  const stopping = new AbortController();
  const inFlight = new Set<Promise<unknown>>();
  const withPermit = createSemaphore(TRANSACTIONS);
  const rows = createJobRows({ db, eventBus, log });

  /** Inserts a job for `run`, after the commit if `at` is a transaction. Returns its id. */
  const insert = async (at: Db | Tx, starter: Starter, kind: string): Promise<string> =>
    (await rows.insertOrJoin(at, starter, kind, null)).id;

  /** Starts the work of an inserted job. Settles with the work, after the row is updated. */
  function run<R>(starter: Starter, id: string, work: Work<R>): Promise<R> {
    track(rows.publishState(id));
    const done = runJob(starter, id, work);
    track(done);
    return done;
  }

  /** Starts work. `done` settles with it, after the row is updated. */
  async function start<R>(starter: Starter, kind: string, work: Work<R>): Promise<Started<R>> {
    const id = await insert(db, starter, kind);
    return { id, done: run(starter, id, work) };
  }

  /**
   * Writes and publishes progress while work runs. Reports of one step are throttled, but the last one is always
   * written. The signal is aborted when the server stops, or when a report or heartbeat detects that the job was
   * cancelled.
   */
  function follow(starter: Starter, id: string) {
    const cancelled = new AbortController();
    const writeOrAbort = async (by: Starter, fields: object): Promise<void> => {
      const reason = await rows.write(by, id, fields);
      if (reason) cancelled.abort(reason);
    };
    const alive = setInterval(() => void writeOrAbort(null, { heartbeat_at: sql`now()` }), aliveMs);
    let last = -Infinity;
    let lastStep = '';
    let next: object = {};
    let writeTimer: NodeJS.Timeout | undefined;
    let writing: Promise<void> = Promise.resolve();
    const writeNext = (): void => {
      clearTimeout(writeTimer);
      writeTimer = undefined;
      last = performance.now();
      const fields = next;
      writing = writing.then(() => writeOrAbort(starter, fields));
    };
    const report: Report = (step, percent, count) => {
      next = { step, percent: percent === undefined ? null : Math.floor(percent), ...count };
      const restMs = step === lastStep ? last + REPORT_MS - performance.now() : 0;
      lastStep = step;
      if (restMs <= 0) writeNext();
      else writeTimer ??= setTimeout(writeNext, restMs);
    };
    const end = (): Promise<void> => {
      clearInterval(alive);
      clearTimeout(writeTimer);
      return writing;
    };
    return { report, end, signal: AbortSignal.any([stopping.signal, cancelled.signal]) };
  }

  async function runJob<R>(starter: Starter, id: string, work: Work<R>): Promise<R> {
    const { report, signal, end } = follow(starter, id);
    const finish = async (fields: object): Promise<AppError | undefined> => {
      await end();
      return rows.write(starter, id, { ...fields, finished_at: sql`now()` });
    };
    try {
      const result = await work(report, signal, id);
      const outcome = { status: 'succeeded', percent: 100, result: JSON.stringify(result ?? null) };
      const cancellation = await finish({ ...outcome, code: null, message: null });
      if (cancellation) throw cancellation;
      return result;
    } catch (thrown) {
      const error: unknown = signal.aborted ? signal.reason : thrown;
      if (!(error instanceof AppError))
        log.error({ jobId: id, err: withoutValues(error as Error) }, 'work failed');
      await finish({ status: 'failed', ...reasonOf(error) });
      throw error;
    }
  }

  const track = (done: Promise<unknown>): void => {
    inFlight.add(done);
    void done.catch(() => {}).finally(() => inFlight.delete(done));
  };

  /**
   * Returns the result of work, or `{jobId}` after the maximum wait.
   * @param canReturnId whether the job will exist; called after the wait
   */
  async function resultOrJobId<R>(
    id: string,
    done: Promise<R>,
    canReturnId: () => boolean = () => true,
  ): Promise<R | Accepted> {
    return withTimeout(responseMs, done, () => (canReturnId() ? { jobId: id } : done));
  }

  return {
    sweep: defineJob({
      name: 'interrupted-work',
      schedule: { everyMs: DEAD_SECONDS * 500 },
      run: rows.sweep,
    }),

    insert,
    run,
    start,
    succeed: rows.succeed,
    cancel: rows.cancel,
    cancelImports: rows.cancelImports,

    /** Returns the result of work, or after 10 s `{jobId}`; the work continues. */
    async respond<R>(starter: Starter, kind: string, work: Work<R>): Promise<R | Accepted> {
      const { id, done } = await start(starter, kind, work);
      return resultOrJobId(id, done);
    },

    /**
     * Like `respond`, for work in one transaction, which is applied completely or not at all even if the server dies. A
     * repeated request returns the same `{jobId}` while it runs.
     */
    async respondInTransaction<R>(
      ctx: Context,
      kind: string,
      claim: Claim | null,
      work: (ctx: TxContext, step: TransactionProgress) => Promise<R>,
    ): Promise<R | Accepted> {
      const { viewer } = ctx;
      const { id, isRunning } = await rows.insertOrJoin(db, viewer, kind, claim);
      if (isRunning) return { jobId: id };
      track(rows.publishState(id));
      const { report, signal, end } = follow(viewer, id);
      let isIdReturned = false;
      let isRejected = false;
      const count: TransactionProgress['count'] = (step, done, total) => {
        signal.throwIfAborted();
        report(step, (100 * done) / total, { done, total });
      };
      const runInTransaction = async (): Promise<R> => {
        try {
          const result = await withPermit(callerOf(viewer), () => {
            signal.throwIfAborted();
            return inTransaction(ctx, async (inner) => {
              const made = await work(inner, { count });
              await rows.succeed(inner.db, id, made);
              return made;
            });
          });
          // The response does not wait for the notification.
          track(end().then(() => Promise.all([rows.publish(viewer, id), rows.publishState(id)])));
          return result;
        } catch (thrown) {
          const error: unknown = signal.aborted ? signal.reason : thrown;
          await end();
          isRejected = true;
          await rows.fail(viewer, id, error, isIdReturned);
          throw error;
        }
      };
      const done = runInTransaction();
      track(done);
      return resultOrJobId(id, done, () => !isRejected && (isIdReturned = true));
    },

    /** Aborts running work and waits for it. */
    async stop(): Promise<void> {
      stopping.abort(interrupted());
      await Promise.allSettled(inFlight);
    },
  };
}
