import { errorCodes, type ErrorCode } from '@forecourt/contract/errors';
import { sql } from 'kysely';
import { isConnectionError } from '../db/connection-errors.ts';
import { affectsRows, type Db, type Tx } from '../db/database.ts';
import { isSpaceError } from '../disk-space.ts';
import type { Viewer } from '../http/context.ts';
import { AppError, folderError, withoutValues } from '../http/errors.ts';
import type { Claim } from '../http/idempotency.ts';
import { newId } from '../ids.ts';
import type { EventBus } from '../live/event-bus.ts';
import type { Log } from '../log.ts';

/** A job without a heartbeat for this long has ended with its server. */
export const DEAD_SECONDS = 30;
const RETENTION_DAYS = 7;
/** The kinds of jobs that can be cancelled, with the effect of a cancellation. A restore cannot. */
const CANCELLABLE: Readonly<Record<string, string>> = {
  import: 'Nothing was imported.',
  export: 'No file was kept.',
  backup: 'No backup was created.',
  upload: 'The file was not kept.',
  check: 'Nothing was changed.',
  'backup-rows': 'Nothing was changed.',
  fetch: 'The copy it was fetched from was kept.',
  'move-files': 'Files that were moved stay there, and the others can be opened as before.',
};
export const isCancellable = (kind: string): boolean => Object.hasOwn(CANCELLABLE, kind);

/** A literal, because PostgreSQL would not match a parameter with the predicate of the index. */
const RUNNING = sql<boolean>`status = 'running'`;

const INTERRUPTED = 'The server stopped during this. No changes were saved. Please start it again.';

type CancelledJob = { id: string; kind: string; user_id: string | null };
type InsertedJob = { id: string; isRunning: boolean };
/** Returns code and message with which the request would have failed. */
export function reasonOf(failure: unknown): { code: ErrorCode; message: string; errors?: string } {
  const error = folderError(failure) ?? failure;
  if (!(error instanceof AppError)) {
    const isAway = error instanceof Error && isConnectionError(error);
    const code = isSpaceError(error) ? 'NO_SPACE' : isAway ? 'UNAVAILABLE' : 'SERVER_ERROR';
    return { code, message: errorCodes[code].message };
  }
  const { errors } = error.details;
  return { code: error.code, message: error.reason, ...(errors && { errors: JSON.stringify(errors) }) };
}
export const interrupted = () => new AppError('UNAVAILABLE', { message: INTERRUPTED });

const updateRunning = (db: Db | Tx, id: string) =>
  db.updateTable('jobs').where('id', '=', id).where('status', '=', 'running');

/** Also updates a job that a sweep has marked as failed, because its work has completed after all. */
const updateEnding = (db: Db, id: string) =>
  db.updateTable('jobs').where('id', '=', id).where('status', 'in', ['running', 'failed']);

/** Returns the error of work whose job was cancelled. */
async function findCancellation(db: Db | Tx, id: string): Promise<AppError | undefined> {
  const cancelled = db.selectFrom('jobs').where('id', '=', id).where('status', '=', 'cancelled');
  const job = await cancelled.select('message').executeTakeFirst();
  return job && new AppError('CANCELLED', { message: job.message! });
}

export type Starter = Pick<Viewer, 'userId'> | null;

/** The rows of `jobs`: written, and published to the open pages of their users and of administrators. */
export function createJobRows({ db, eventBus, log }: { db: Db; eventBus: EventBus; log: Log }) {
  const publish = (starter: Starter, id: string) =>
    starter ? eventBus.send(db, 'job', `${starter.userId}:${id}`) : Promise.resolve();

  /** Publishes to administrators that a job has started or ended. Never throws, because their list is also polled. */
  const publishState = (id: string): Promise<void> =>
    eventBus.send(db, 'job-state', id).catch((error: Error) => {
      log.warn({ jobId: id, reason: error.message }, 'state of a job not published');
    });

  /** Updates or ends a running job. Returns the error of its work if the job was cancelled. */
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

  /** Inserts a job, or returns the running one with the same key, so that the work never runs twice. */
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
   * Marks the job as succeeded in the transaction of its work. Throws, so that the work is rolled back, if the job was
   * cancelled or another instance has marked it as failed.
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

  /** Deletes the job of a refused request unless its id was returned to a client; otherwise marks it as failed. */
  async function fail(starter: Starter, id: string, error: unknown, isIdReturned: boolean): Promise<void> {
    const isExpected = error instanceof AppError;
    if (!isExpected) log.error({ jobId: id, err: withoutValues(error as Error) }, 'work failed');
    if (isExpected && !isIdReturned) {
      const unawaited = db.deleteFrom('jobs').where('id', '=', id).where('is_awaited', '=', false);
      // A cancelled job stays listed.
      const isDeleted = unawaited.where(RUNNING).$call(affectsRows);
      if (await isDeleted.catch(() => false)) return publishState(id);
    }
    await write(starter, id, { status: 'failed', ...reasonOf(error), finished_at: sql`now()` });
  }

  /** Marks jobs of dead servers as failed, and deletes old jobs. */
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

  /**
   * Marks a job as cancelled. Its work stops at its next report or heartbeat, or at its end. Returns false if it has
   * ended.
   */
  async function cancel(tx: Tx, job: CancelledJob, byName: string): Promise<boolean> {
    const message = `Cancelled by ${byName}. ${CANCELLABLE[job.kind]}`;
    const isCancelled = await updateRunning(tx, job.id)
      .set({ status: 'cancelled', code: 'CANCELLED', message, finished_at: sql`now()` })
      .$call(affectsRows);
    if (!isCancelled) return false;
    if (job.user_id !== null) await eventBus.send(tx, 'job', `${job.user_id}:${job.id}`);
    await eventBus.send(tx, 'job-state', job.id);
    return true;
  }

  /** Cancels the running imports of a user. Returns their ids. */
  async function cancelImports(tx: Tx, userId: string, byName: string): Promise<string[]> {
    const running = tx.selectFrom('jobs').where('user_id', '=', userId).where('kind', '=', 'import');
    const jobs = await running
      .where(RUNNING)
      .select(['id', 'kind', 'user_id'])
      .orderBy('id')
      .forUpdate()
      .execute();
    for (const job of jobs) await cancel(tx, job, byName);
    return jobs.map(({ id }) => id);
  }

  return { publish, publishState, write, insertOrJoin, succeed, fail, sweep, cancel, cancelImports };
}
