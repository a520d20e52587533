import type { Connection, Db } from '../db/database.ts';
import { withClient } from '../db/dedicated-client.ts';
import { defineJob, IDLE, type RunResult } from '../define-job.ts';
import { AppError } from '../http/errors.ts';
import type { Progress } from '../jobs/progress.ts';
import type { FileStore } from './file-store.ts';
import * as queries from './move-content.queries.ts';

/** The interval at which each instance checks for content to move. */
const CHECK_MS = 60_000;

/** An arbitrary key of an advisory lock: one instance moves content. */
const MOVE_LOCK = 7_305_065;

const KIND = 'move-files';

type Parts = { connection: Connection; db: Db; files: FileStore; progress: Pick<Progress, 'start'> };

/**
 * Moves the content of files that an earlier release stored in the database to the data folder, each file in a
 * transaction of its own. Readers find it before, during and after. An administrator can cancel the job, and start it
 * again in Background Work.
 */
export function createContentMove({ connection, db, files, progress }: Parts) {
  async function moveAll(signal: AbortSignal): Promise<RunResult> {
    const { done } = await progress.start(null, KIND, async (report, cancelled) => {
      const total = await queries.countUnmoved(db);
      const either = AbortSignal.any([signal, cancelled]);
      for (let count = 0; ; count += 1) {
        either.throwIfAborted();
        report('moving', (100 * Math.min(count, total)) / Math.max(total, 1), { done: count, total });
        if (!(await queries.moveNext(db, (tx, content) => files.add(tx, content)))) return { files: count };
      }
    });
    try {
      await done;
      return undefined;
    } catch (error) {
      // It is in the list of jobs.
      if (error instanceof AppError && error.code === 'CANCELLED') return IDLE;
      throw error;
    }
  }

  const run = (signal: AbortSignal): Promise<RunResult> =>
    withClient(connection, async (client) => {
      const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
        MOVE_LOCK,
      ]);
      return rows[0]!.got ? moveAll(signal) : IDLE;
    });

  const runDue = async (signal: AbortSignal): Promise<RunResult> =>
    (await queries.isMoveDue(db, KIND)) ? run(signal) : IDLE;

  return {
    /** Moves all content, unless another instance does. */
    run,
    /** Does that if there is any, and the last job was not cancelled. */
    runDue,
    job: defineJob({
      name: 'file-move',
      schedule: {
        everyMs: CHECK_MS,
        dueInMs: async () => ((await queries.isMoveDue(db, KIND)) ? CHECK_MS : null),
        runNow: run,
      },
      run: runDue,
    }),
  };
}
