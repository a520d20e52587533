import { errorCodes, type ErrorCode } from '@forecourt/contract/errors';
import type { Accepted } from '@forecourt/contract/jobs';
import { sql } from 'kysely';
import { isConnectionError } from '../db/connection-errors.ts';
import { affectsRows, type Db, type Tx } from '../db/database.ts';
import { defineJob } from '../define-job.ts';
import { isSpaceError } from '../disk-space.ts';
import {
  callerOf,
  inTransaction,
  type Context,
  type TransactionProgress,
  type Viewer,
  type TxContext,
} from '../http/context.ts';
import { AppError, folderError, withoutValues } from '../http/errors.ts';
import type { Claim } from '../http/idempotency.ts';
import { createSemaphore } from '../http/semaphore.ts';
import { newId } from '../ids.ts';
import type { EventBus } from '../live/event-bus.ts';
import type { Log } from '../log.ts';

/** The longest that a request waits for its job before it returns 202 (docs/product/api.md, Long work). */
const RESPONSE_MS = 10_000;
const ALIVE_MS = 5000;
/** A job without a heartbeat for this long ended with its server. */
const DEAD_SECONDS = 30;
const RETENTION_DAYS = 7;
/**
 * The kinds of jobs that can be cancelled, with what is left of one. A restore is none of them: replacing the data runs
 * to its end.
 */
const CANCELLABLE: Readonly<Record<string, string>> = {
  import: 'Nothing was imported.',
  export: 'No file was kept.',
  backup: 'No backup was created.',
  upload: 'The file was not kept.',
  check: 'Nothing was changed.',
  fetch: 'The copy on the SSH server was kept.',
};
export const isCancellable = (kind: string): boolean => Object.hasOwn(CANCELLABLE, kind);

/** Work in a transaction uses a connection for its whole duration; further work of a user waits for its turn. */
const TRANSACTIONS = { permits: 4, permitsEach: 2, maxQueued: 200 };

/** Steps and percents are written at most this often. */
const REPORT_MS = 400;

/** A literal, as in the predicate of the index, which a parameter would not match. */
const RUNNING = sql<boolean>`status = 'running'`;

const INTERRUPTED = 'The server was stopped while this ran. Nothing was half done; please start it again.';

/** Reports the progress of a job: the name of the step, and the total in percent. Never throws. */
export type Report = (step: string, percent?: number, count?: Count) => void;
type Count = { done: number; total: number };

type Work<R> = (report: Report, signal: AbortSignal, jobId: string) => Promise<R>;
type Started<R> = { id: string; done: Promise<R> };
type CancelledJob = { id: string; kind: string; user_id: string | null };
type InsertedJob = { id: string; isRunning: boolean };

/** Returns why work failed, with the code and message that its request would have returned. */
function reasonOf(failure: unknown): { code: ErrorCode; message: string; errors?: string } {
  const error = folderError(failure) ?? failure;
  if (!(error instanceof AppError)) {
    const isAway = error instanceof Error && isConnectionError(error);
    const code = isSpaceError(error) ? 'NO_SPACE' : isAway ? 'UNAVAILABLE' : 'SERVER_ERROR';
    return { code, message: errorCodes[code].message };
  }
  const { errors } = error.details;
  return { code: error.code, message: error.reason, ...(errors && { errors: JSON.stringify(errors) }) };
}
const interrupted = () => new AppError('UNAVAILABLE', { message: INTERRUPTED });

const updateRunning = (db: Db | Tx, id: string) =>
  db.updateTable('jobs').where('id', '=', id).where('status', '=', 'running');

/** Work that ends after a sweep found no heartbeat has its own outcome: what it has done is done. */
const updateEnding = (db: Db, id: string) =>
  db.updateTable('jobs').where('id', '=', id).where('status', 'in', ['running', 'failed']);

/** Returns the error of work whose job was cancelled. */
async function findCancellation(db: Db | Tx, id: string): Promise<AppError | undefined> {
  const cancelled = db.selectFrom('jobs').where('id', '=', id).where('status', '=', 'cancelled');
  const job = await cancelled.select('message').executeTakeFirst();
  return job && new AppError('CANCELLED', { message: job.message! });
}

type Starter = Pick<Viewer, 'userId'> | null;

type Parts = {
  db: Db;
  eventBus: EventBus;
  log: Log;
  /** How long a request waits for its job, in milliseconds. */
  responseMs?: number;
  /** How often a job reports that it is alive, and finds that it was cancelled, in milliseconds. */
  aliveMs?: number;
};

export type Progress = ReturnType<typeof createProgress>;

/**
 * Runs work that may outlive its request: in this process, with its progress in a row of `jobs` and published to the
 * open pages of its user. When the process dies, any instance marks the row as failed within 30 s; the user starts the
 * work again.
 */
export function createProgress({ db, eventBus, log, responseMs = RESPONSE_MS, aliveMs = ALIVE_MS }: Parts) {
  const stopping = new AbortController();
  const inFlight = new Set<Promise<unknown>>();
  const withPermit = createSemaphore(TRANSACTIONS);

  const publish = (starter: Starter, id: string) =>
    starter ? eventBus.send(db, 'job', `${starter.userId}:${id}`) : Promise.resolve();

  /** Publishes to administrators that a job has started or ended. Never throws: their list is also polled. */
  const publishState = (id: string): Promise<void> =>
    eventBus.send(db, 'job-state', id).catch((error: Error) => {
      log.warn({ jobId: id, reason: error.message }, 'state of a job not published');
    });

  /** Updates a running job, or ends it. Returns the error of its work if the job was cancelled. */
  async function write(starter: Starter, id: string, fields: object): Promise<AppError | undefined> {
    try {
      const isEnd = 'status' in fields;
      const update = isEnd ? updateEnding(db, id) : updateRunning(db, id);
      const isRunning = await update.set(fields).$call(affectsRows);
      await publish(starter, id);
      if (isEnd) await publishState(id);
      if (!isRunning) return await findCancellation(db, id);
    } catch (error) {
      log.warn({ jobId: id, reason: (error as Error).message }, 'progress not written down');
    }
    return undefined;
  }

  /** Inserts the job of work that `run` starts: after the commit, if `at` is a transaction. Returns its id. */
  const insert = async (at: Db | Tx, starter: Starter, kind: string): Promise<string> =>
    (await insertOrJoin(at, starter, kind, null)).id;

  /** Starts the work of an inserted job. Settles with it, after its row is updated. */
  function run<R>(starter: Starter, id: string, work: Work<R>): Promise<R> {
    track(publishState(id));
    const done = runJob(starter, id, work);
    track(done);
    return done;
  }

  /** Starts work. `done` settles with the work, after its row is updated. */
  async function start<R>(starter: Starter, kind: string, work: Work<R>): Promise<Started<R>> {
    const id = await insert(db, starter, kind);
    return { id, done: run(starter, id, work) };
  }

  /**
   * Writes and publishes progress while work runs. Reports of one step are throttled; the last one is always written.
   * The signal is aborted when the server stops, or when a report or heartbeat finds the job cancelled.
   */
  function follow(starter: Starter, id: string) {
    const cancelled = new AbortController();
    const writeOrAbort = async (by: Starter, fields: object): Promise<void> => {
      const reason = await write(by, id, fields);
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
      return write(starter, id, { ...fields, finished_at: sql`now()` });
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
   * Returns the result of work, or `{jobId}` when it takes longer than its request waits.
   * @param canReturnId whether the job will exist: asked when the wait ends
   */
  async function resultOrJobId<R>(
    id: string,
    done: Promise<R>,
    canReturnId: () => boolean = () => true,
  ): Promise<R | Accepted> {
    const accepted = Promise.withResolvers<Accepted>();
    const timeout = setTimeout(() => {
      if (canReturnId()) accepted.resolve({ jobId: id });
    }, responseMs);
    try {
      return await Promise.race([done, accepted.promise]);
    } finally {
      clearTimeout(timeout);
    }
  }

  /** Inserts a job. While another with the same key runs, returns that one: the work never runs twice. */
  async function insertOrJoin(
    at: Db | Tx,
    starter: Starter,
    kind: string,
    claim: Claim | null,
  ): Promise<InsertedJob> {
    const id = newId();
    const inserted = await at
      .insertInto('jobs')
      .values({
        id,
        kind,
        user_id: starter?.userId ?? null,
        idempotency_key: claim?.key ?? null,
        request_hash: claim?.requestHash ?? null,
      })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'idempotency_key']).where(RUNNING).doUpdateSet({ is_awaited: true }),
      )
      .returning(['id', 'request_hash'])
      .executeTakeFirstOrThrow();
    if (claim && !inserted.request_hash?.equals(claim.requestHash)) throw new AppError('KEY_REUSED');
    return { id: inserted.id, isRunning: inserted.id !== id };
  }

  /**
   * Marks the job as succeeded in the transaction of its work. Throws when it was cancelled meanwhile, or another
   * instance has marked it as failed after missing heartbeats; the work is rolled back then.
   */
  async function succeed(tx: Tx, id: string, result: unknown): Promise<void> {
    const hasSucceeded = await updateRunning(tx, id)
      .set({
        status: 'succeeded',
        percent: 100,
        done: sql`total`,
        result: JSON.stringify(result ?? null),
        finished_at: sql`now()`,
      })
      .$call(affectsRows);
    if (!hasSucceeded) throw (await findCancellation(tx, id)) ?? interrupted();
  }

  /** Deletes the job of a rejected request, unless its id was returned to a client; else marks it as failed. */
  async function fail(starter: Starter, id: string, error: unknown, isIdReturned: boolean): Promise<void> {
    const isExpected = error instanceof AppError;
    if (!isExpected) log.error({ jobId: id, err: withoutValues(error as Error) }, 'work failed');
    if (isExpected && !isIdReturned) {
      const unawaited = db.deleteFrom('jobs').where('id', '=', id).where('is_awaited', '=', false);
      // A cancelled one stays listed.
      const isDeleted = unawaited.where(RUNNING).$call(affectsRows);
      if (await isDeleted.catch(() => false)) return publishState(id);
    }
    await write(starter, id, { status: 'failed', ...reasonOf(error), finished_at: sql`now()` });
  }

  /** Marks jobs of dead servers as failed, and deletes old ones. */
  async function sweep(): Promise<void> {
    const ended = await db
      .updateTable('jobs')
      .set({ status: 'failed', code: 'UNAVAILABLE', message: INTERRUPTED, finished_at: sql`now()` })
      .where('status', '=', 'running')
      .where('heartbeat_at', '<', sql<string>`now() - make_interval(secs => ${DEAD_SECONDS})`)
      .returning('id')
      .execute();
    for (const { id } of ended) await publishState(id);
    await db
      .deleteFrom('jobs')
      .where('created_at', '<', sql<string>`now() - make_interval(days => ${RETENTION_DAYS})`)
      .where('status', '<>', 'running')
      .execute();
  }

  return {
    sweep: defineJob({ name: 'interrupted-work', schedule: { everyMs: DEAD_SECONDS * 500 }, run: sweep }),

    insert,
    run,
    start,
    succeed,

    /**
     * Marks a job as cancelled; its work stops at its next report or heartbeat, or at its end. Returns false if the job
     * has ended.
     */
    async cancel(tx: Tx, job: CancelledJob, byName: string): Promise<boolean> {
      const message = `Cancelled by ${byName}. ${CANCELLABLE[job.kind]}`;
      const isCancelled = await updateRunning(tx, job.id)
        .set({ status: 'cancelled', code: 'CANCELLED', message, finished_at: sql`now()` })
        .$call(affectsRows);
      if (!isCancelled) return false;
      if (job.user_id !== null) await eventBus.send(tx, 'job', `${job.user_id}:${job.id}`);
      await eventBus.send(tx, 'job-state', job.id);
      return true;
    },

    /** Cancels the running imports of a user. Returns their ids. */
    async cancelImports(tx: Tx, userId: string, byName: string): Promise<string[]> {
      const running = tx.selectFrom('jobs').where('user_id', '=', userId).where('kind', '=', 'import');
      const jobs = await running
        .where(RUNNING)
        .select(['id', 'kind', 'user_id'])
        .orderBy('id')
        .forUpdate()
        .execute();
      for (const job of jobs) await this.cancel(tx, job, byName);
      return jobs.map(({ id }) => id);
    },

    /** Runs work and returns its result; after 10 s it continues in the background and this returns `{jobId}`. */
    async respond<R>(starter: Starter, kind: string, work: Work<R>): Promise<R | Accepted> {
      const { id, done } = await start(starter, kind, work);
      return resultOrJobId(id, done);
    },

    /**
     * Like `respond`, for work that is one transaction: it is applied completely or not at all, also when the server
     * dies, and the job reports which. A repeated request returns the same `{jobId}` while it runs.
     */
    async respondInTransaction<R>(
      ctx: Context,
      kind: string,
      claim: Claim | null,
      work: (ctx: TxContext, step: TransactionProgress) => Promise<R>,
    ): Promise<R | Accepted> {
      const { viewer } = ctx;
      const { id, isRunning } = await insertOrJoin(db, viewer, kind, claim);
      if (isRunning) return { jobId: id };
      track(publishState(id));
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
              await succeed(inner.db, id, made);
              return made;
            });
          });
          // The response does not wait for the notification.
          track(end().then(() => Promise.all([publish(viewer, id), publishState(id)])));
          return result;
        } catch (thrown) {
          const error: unknown = signal.aborted ? signal.reason : thrown;
          await end();
          isRejected = true;
          await fail(viewer, id, error, isIdReturned);
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
