import { errorCodes, type ErrorCode } from '@forecourt/contract/errors';
import type { Accepted, Job } from '@forecourt/contract/jobs';
import { sql } from 'kysely';
import { isDatabaseAway } from './db/away.ts';
import type { Db, Tx } from './db/database.ts';
import { inTransaction, type Context, type Viewer } from './http/context.ts';
import { AppError, withoutValues } from './http/errors.ts';
import type { Claim } from './http/idempotency.ts';
import { newId } from './ids.ts';
import type { Notices } from './live/notices.ts';
import type { Log } from './log.ts';

/** A call waits for its work at most so long before it answers 202 (product.md section 3: 12 s). */
const ANSWER_MS = 10_000;
const ALIVE_MS = 5000;
/** Nothing was heard of its server for so long: the work ended with it. */
const DEAD_SECONDS = 30;
const KEPT_DAYS = 7;
/** Steps and percents are written down at most this often. */
const REPORT_MS = 400;

/** In the very words of the index, which a parameter would not find. */
const RUNNING = sql<boolean>`status = 'running'`;

const INTERRUPTED = 'The server was stopped while this ran. Nothing was half done; please start it again.';

/** Tells how far a piece of work is: its step in a word, and the whole in percent. Never throws. */
export type Report = (step: string, percent?: number, count?: Count) => void;
type Count = { done: number; total: number };

type Work<R> = (report: Report, signal: AbortSignal, jobId: string) => Promise<R>;
type Started<R> = { id: string; done: Promise<R> };
type Begun = { id: string; isRunning: boolean };
/** What work in one step is given: it tells how many of all are done, which throws once the server is told to stop. */
export type OneStep = { count: (step: string, done: number, total: number) => void };

/** Why work failed, as its call would have said it. */
function reasonOf(
  error: unknown,
  isStopping: boolean,
): { code: ErrorCode; message: string; errors?: string } {
  if (isStopping) return { code: 'UNAVAILABLE', message: INTERRUPTED };
  if (!(error instanceof AppError)) {
    const code = error instanceof Error && isDatabaseAway(error) ? 'UNAVAILABLE' : 'SERVER_ERROR';
    return { code, message: errorCodes[code].message };
  }
  const { details, errors } = error.details;
  return {
    code: error.code,
    message: details ?? error.message,
    ...(errors && { errors: JSON.stringify(errors) }),
  };
}
const interrupted = () => new AppError('UNAVAILABLE', { message: INTERRUPTED });
type Who = Pick<Viewer, 'userId'> | null;

type Parts = {
  db: Db;
  notices: Notices;
  log: Log;
  /** How long a call waits for its work, in milliseconds. */
  answerMs?: number;
};

export type Progress = ReturnType<typeof createProgress>;

/**
 * Work that may outlive its request: it runs in this process, its row in `jobs` tells everybody how far it is, and
 * its person's open pages are told of each change. When the process dies, the row is ended within 30 s by any
 * instance; whoever began it starts it again.
 */
export function createProgress({ db, notices, log, answerMs = ANSWER_MS }: Parts) {
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  const tell = (who: Who, id: string) =>
    who ? notices.send(db, 'job', `${who.userId}:${id}`) : Promise.resolve();

  async function write(who: Who, id: string, fields: object): Promise<void> {
    try {
      await db.updateTable('jobs').set(fields).where('id', '=', id).where('status', '=', 'running').execute();
      await tell(who, id);
    } catch (error) {
      log.warn({ jobId: id, reason: (error as Error).message }, 'progress not written down');
    }
  }

  /** Begins. `done` settles as the work does, after the row says so. */
  async function start<R>(who: Who, kind: string, work: Work<R>): Promise<Started<R>> {
    const id = newId();
    await db
      .insertInto('jobs')
      .values({ id, kind, user_id: who?.userId ?? null })
      .execute();
    const done = carryOut(who, id, work);
    stays(done);
    return { id, done };
  }

  /** Tells how far work is while it runs. Reports of a step wait for their turn, and the last of them is told in any case. */
  function follow(who: Who, id: string): { report: Report; end: () => Promise<void> } {
    const alive = setInterval(() => void write(null, id, { alive_at: sql`now()` }), ALIVE_MS);
    let last = -Infinity;
    let lastStep = '';
    let next: object = {};
    let turn: NodeJS.Timeout | undefined;
    let writing: Promise<void> = Promise.resolve();
    const tellNext = (): void => {
      clearTimeout(turn);
      turn = undefined;
      last = performance.now();
      const fields = next;
      writing = writing.then(() => write(who, id, fields));
    };
    return {
      report(step, percent, count) {
        next = { step, percent: percent === undefined ? null : Math.floor(percent), ...count };
        const restMs = step === lastStep ? last + REPORT_MS - performance.now() : 0;
        lastStep = step;
        if (restMs <= 0) tellNext();
        else turn ??= setTimeout(tellNext, restMs);
      },
      end: () => {
        clearInterval(alive);
        clearTimeout(turn);
        return writing;
      },
    };
  }

  async function carryOut<R>(who: Who, id: string, work: Work<R>): Promise<R> {
    const { report, end } = follow(who, id);
    const finish = async (fields: object): Promise<void> => {
      await end();
      await write(who, id, { ...fields, finished_at: sql`now()` });
    };
    try {
      const result = await work(report, stopping.signal, id);
      await finish({ status: 'succeeded', percent: 100, result: JSON.stringify(result ?? null) });
      return result;
    } catch (error) {
      if (!(error instanceof AppError)) log.error({ jobId: id, err: error }, 'work failed');
      await finish({ status: 'failed', ...reasonOf(error, stopping.signal.aborted) });
      throw error;
    }
  }

  const stays = (done: Promise<unknown>): void => {
    underWay.add(done);
    void done.catch(() => {}).finally(() => underWay.delete(done));
  };

  /** What work answers, or `{jobId}` where that takes longer than its call waits. */
  async function withinPatience<R>(
    id: string,
    done: Promise<R>,
    onLater: () => unknown = () => {},
  ): Promise<R | Accepted> {
    const patience = Promise.withResolvers<Accepted>();
    const timeout = setTimeout(() => {
      onLater();
      patience.resolve({ jobId: id });
    }, answerMs);
    try {
      return await Promise.race([done, patience.promise]);
    } finally {
      clearTimeout(timeout);
    }
  }

  /** Begins the job of a call. While another of the same key runs, that one is answered instead: two never do it both. */
  async function beginOnce(userId: string, kind: string, claim: Claim | null): Promise<Begun> {
    const id = newId();
    const begun = await db
      .insertInto('jobs')
      .values({
        id,
        kind,
        user_id: userId,
        idempotency_key: claim?.key ?? null,
        request_hash: claim?.requestHash ?? null,
      })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'idempotency_key']).where(RUNNING).doUpdateSet({ is_awaited: true }),
      )
      .returning(['id', 'request_hash'])
      .executeTakeFirstOrThrow();
    if (claim && !begun.request_hash?.equals(claim.requestHash)) throw new AppError('KEY_REUSED');
    return { id: begun.id, isRunning: begun.id !== id };
  }

  /**
   * The job has succeeded when, and only when, the transaction of its work is committed. What others have given up
   * meanwhile, since they heard nothing of this server, is not done any more.
   */
  async function succeed(tx: Tx, id: string, result: unknown): Promise<void> {
    const succeeded = await tx
      .updateTable('jobs')
      .set({
        status: 'succeeded',
        percent: 100,
        done: sql`total`,
        result: JSON.stringify(result ?? null),
        finished_at: sql`now()`,
      })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .returning('id')
      .executeTakeFirst();
    if (!succeeded) throw interrupted();
  }

  /** A call that is refused leaves no trace: its job goes, unless somebody was told of it. */
  async function fail(who: Who, id: string, error: unknown, isTold: boolean): Promise<void> {
    const isSaid = error instanceof AppError;
    if (!isSaid) log.error({ jobId: id, err: withoutValues(error as Error) }, 'work failed');
    if (isSaid && !isTold) {
      const unheard = db.deleteFrom('jobs').where('id', '=', id).where('is_awaited', '=', false);
      const gone = await unheard.executeTakeFirst().catch(() => undefined);
      if (gone?.numDeletedRows) return;
    }
    await write(who, id, {
      status: 'failed',
      ...reasonOf(error, stopping.signal.aborted),
      finished_at: sql`now()`,
    });
  }

  /** Ends what died with its server, and forgets what is long over. */
  async function sweep(): Promise<void> {
    await db
      .updateTable('jobs')
      .set({ status: 'failed', code: 'UNAVAILABLE', message: INTERRUPTED, finished_at: sql`now()` })
      .where('status', '=', 'running')
      .where('alive_at', '<', sql<string>`now() - make_interval(secs => ${DEAD_SECONDS})`)
      .execute();
    await db
      .deleteFrom('jobs')
      .where('created_at', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
      .where('status', '<>', 'running')
      .execute();
  }
  const look = (): void => {
    sweep().catch((error: Error) => log.warn({ reason: error.message }, 'jobs not swept'));
  };
  const timer = setInterval(look, DEAD_SECONDS * 500);
  look();

  return {
    start,

    /** Does it and answers its result; what takes longer than 10 s goes on, and is answered as `{jobId}`. */
    async answer<R>(who: Who, kind: string, work: Work<R>): Promise<R | Accepted> {
      const { id, done } = await start(who, kind, work);
      return withinPatience(id, done);
    },

    /**
     * The same for work that is one transaction: all of it is done or nothing, also when the server dies, and the job
     * says which. A repeat of the call while it runs is answered the same `{jobId}`.
     */
    async inOneStep<R>(
      ctx: Context,
      kind: string,
      claim: Claim | null,
      work: (ctx: Context & { db: Tx }, step: OneStep) => Promise<R>,
    ): Promise<R | Accepted> {
      const { viewer } = ctx;
      const { id, isRunning } = await beginOnce(viewer.userId, kind, claim);
      if (isRunning) return { jobId: id };
      const { report, end } = follow(viewer, id);
      let isTold = false;
      const count: OneStep['count'] = (step, done, total) => {
        if (stopping.signal.aborted) throw interrupted();
        report(step, (100 * done) / total, { done, total });
      };
      const carriedOut = async (): Promise<R> => {
        try {
          const result = await inTransaction(ctx, async (inner) => {
            const made = await work(inner, { count });
            await succeed(inner.db, id, made);
            return made;
          });
          // The answer does not wait for what is only told.
          stays(end().then(() => tell(viewer, id)));
          return result;
        } catch (error) {
          await end();
          await fail(viewer, id, error, isTold);
          throw error;
        }
      };
      const done = carriedOut();
      stays(done);
      return withinPatience(id, done, () => (isTold = true));
    },

    /** One's own, or any for administrators; else NOT_FOUND. */
    async get(ctx: Context, id: string): Promise<Job> {
      const row = await ctx.db.selectFrom('jobs').where('id', '=', id).selectAll().executeTakeFirst();
      if (!row || (row.user_id !== ctx.viewer.userId && ctx.viewer.role !== 'admin')) {
        throw new AppError('NOT_FOUND');
      }
      return {
        _id: row.id,
        kind: row.kind,
        key: row.idempotency_key,
        status: row.status as Job['status'],
        step: row.step,
        percent: row.percent,
        done: row.done,
        total: row.total,
        result: row.result,
        code: row.code,
        message: row.message,
        errors: row.errors as Job['errors'],
        createdAt: row.created_at,
        finishedAt: row.finished_at,
      };
    },

    /** Tells what runs to end, and waits for it. */
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await Promise.allSettled(underWay);
    },
  };
}
