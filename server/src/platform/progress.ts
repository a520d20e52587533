import { errorCodes, type ErrorCode } from '@forecourt/contract/errors';
import type { Job } from '@forecourt/contract/jobs';
import { sql } from 'kysely';
import type { Db } from './db/database.ts';
import type { Context, Viewer } from './http/context.ts';
import { AppError } from './http/errors.ts';
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

const INTERRUPTED = 'The server was stopped while this ran. Nothing was half done; please start it again.';

/** Tells how far a piece of work is: its step in a word, and the whole in percent. Never throws. */
export type Report = (step: string, percent?: number) => void;

type Work<R> = (report: Report, signal: AbortSignal, jobId: string) => Promise<R>;
type Started<R> = { id: string; done: Promise<R> };
/** Why work failed, as its call would have said it. */
function reasonOf(error: unknown, isStopping: boolean): { code: ErrorCode; message: string } {
  if (isStopping) return { code: 'UNAVAILABLE', message: INTERRUPTED };
  if (!(error instanceof AppError)) return { code: 'SERVER_ERROR', message: errorCodes.SERVER_ERROR.message };
  return { code: error.code, message: error.details.details ?? error.message };
}
type Who = Pick<Viewer, 'userId'> | null;

export type Progress = ReturnType<typeof createProgress>;

/**
 * Work that may outlive its request: it runs in this process, its row in `jobs` tells everybody how far it is, and
 * its person's open pages are told of each change. When the process dies, the row is ended within 30 s by any
 * instance; whoever began it starts it again.
 */
export function createProgress({ db, notices, log }: { db: Db; notices: Notices; log: Log }) {
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
    underWay.add(done);
    void done.catch(() => {}).finally(() => underWay.delete(done));
    return { id, done };
  }

  async function carryOut<R>(who: Who, id: string, work: Work<R>): Promise<R> {
    const alive = setInterval(() => void write(null, id, { alive_at: sql`now()` }), ALIVE_MS);
    let last = -Infinity;
    let lastStep = '';
    let writing: Promise<void> = Promise.resolve();
    const report: Report = (step, percent) => {
      if (step === lastStep && performance.now() - last < REPORT_MS) return;
      [last, lastStep] = [performance.now(), step];
      writing = writing.then(() =>
        write(who, id, { step, percent: percent === undefined ? null : Math.floor(percent) }),
      );
    };
    const finish = async (fields: object): Promise<void> => {
      clearInterval(alive);
      await writing;
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
    async answer<R>(who: Who, kind: string, work: Work<R>): Promise<R | { jobId: string }> {
      const { id, done } = await start(who, kind, work);
      const patience = Promise.withResolvers<{ jobId: string }>();
      const timeout = setTimeout(() => patience.resolve({ jobId: id }), ANSWER_MS);
      try {
        return await Promise.race([done, patience.promise]);
      } finally {
        clearTimeout(timeout);
      }
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
        status: row.status as Job['status'],
        step: row.step,
        percent: row.percent,
        result: row.result,
        code: row.code,
        message: row.message,
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
