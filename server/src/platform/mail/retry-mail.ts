import type { JobQueue } from '@forecourt/contract/jobs';
import type { Db } from '../db/database.ts';
import { FinalFailure } from '../define-job.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import { SmtpFailure } from './smtp-failure.ts';

/** The delays of retries after a temporary failure. */
const RETRY_SECONDS = [10, 60, 300, 900];

type Failed<J> = { queue: JobQueue; job: J; userId: string; error: unknown };

/**
 * Queues the job of an unsent system mail again. Throws a FinalFailure after a permanent failure or the last retry, and
 * other errors unchanged.
 */
export async function retryMail<J extends { tries?: number }>(
  { jobs, db, log }: { jobs: Jobs; db: Db; log: Log },
  { queue, job, userId, error }: Failed<J>,
): Promise<void> {
  if (!(error instanceof SmtpFailure)) throw error;
  const { tries = 0 } = job;
  const seconds = error.isPermanent ? undefined : RETRY_SECONDS[tries];
  log.warn({ queue, userId, reason: error.message, again: seconds !== undefined }, 'system mail not sent');
  if (seconds === undefined) throw new FinalFailure(error.message);
  const startAfter = new Date(Date.now() + seconds * 1000);
  await jobs.enqueue(db, queue, { ...job, tries: tries + 1 }, { startAfter });
}
