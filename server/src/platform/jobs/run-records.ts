import { MAX_FAILURE_LENGTH, type RecurringJobName } from '@forecourt/contract/jobs';
import type { Db as BossDb } from 'pg-boss';
import { AppError } from '../http/errors.ts';
import type { Log } from '../log.ts';
import { IDLE, type RunResult } from './define-job.ts';

/** A run that takes longer is recorded as running. */
const LONG_MS = 1000;
/** An unchanged result of frequent work is recorded at most this often. */
const RECORD_MS = 60_000;

const messageOf = (error: unknown): string => {
  const text = error instanceof AppError ? error.reason : (error as Error).message;
  return text.slice(0, MAX_FAILURE_LENGTH);
};

/** Returns a function that runs recurring work and records its last run in `recurring_jobs`. It throws if the work does. */
export function createRunRecords(db: BossDb, log: Log) {
  const written = new Map<RecurringJobName, { at: number; problem: string | null | undefined }>();

  /** @param problem the failure; null: none; undefined: still running */
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

  /** @param isFrequent an unchanged result is recorded once a minute */
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
