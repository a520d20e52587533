import type { ResponseBody } from '@forecourt/contract/api';
import {
  recurringJobNames,
  type Job,
  type JobSummary,
  type RecurringJob,
  type RecurringJobName,
} from '@forecourt/contract/jobs';
import { audit } from '../../platform/audit.ts';
import { readOutdated } from '../../platform/db/postgres-releases.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, requireFound } from '../../platform/http/errors.ts';
import { isCancellable } from '../../platform/jobs/job-rows.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Progress } from '../../platform/jobs/progress.ts';
import type { DealsService } from '../deals/deals.service.ts';
import { canSeeJob } from './jobs.policy.ts';
import * as queries from './jobs.queries.ts';

export const { readQueues } = queries;

const MESSAGES = {
  ended: 'This work has ended already. There is nothing left to cancel.',
  restore: 'A restore cannot be cancelled: replacing the data has to run to its end.',
} as const;

/** Background work (docs/product/background-work.md). Routes restrict the list and its actions to administrators. */
export function createJobsService(
  jobs: Pick<Jobs, 'recurring' | 'retry'>,
  progress: Pick<Progress, 'cancel'>,
  files: Pick<DealsService['attachments'], 'listAlmostFull'>,
) {
  async function listRecurring({ db }: Context): Promise<RecurringJob[]> {
    const runs = new Map((await queries.listRuns(db)).map((run) => [run.name, run]));
    const started = recurringJobNames.filter((name) => jobs.recurring.has(name));
    return Promise.all(
      started.map(async (name) => {
        const run = runs.get(name);
        return {
          name,
          status: statusOf(run),
          lastRunAt: run?.started_at ?? null,
          message: run?.problem ?? null,
          nextRunAt: (await jobs.recurring.get(name)!.nextRun())?.toISOString() ?? null,
        };
      }),
    );
  }

  return {
    async get(ctx: Context, id: string): Promise<Job> {
      const row = await queries.findJob(ctx.db, id);
      if (!row || !canSeeJob(ctx.viewer, row)) throw new AppError('NOT_FOUND');
      return {
        ...present(row),
        key: row.idempotency_key,
        result: row.result,
        code: row.code,
        errors: row.errors as Job['errors'],
      };
    },

    async list(ctx: Context): Promise<ResponseBody<'GET /jobs'>> {
      return {
        jobs: (await queries.listJobs(ctx.db)).map((row) => ({
          ...present(row),
          startedByName: row.user_name,
          canCancel: row.status === 'running' && isCancellable(row.kind),
        })),
        recurring: await listRecurring(ctx),
        queues: await queries.countQueues(ctx.db),
        failed: (await queries.listFailed(ctx.db)).map(({ id, created_at, failed_at, ...job }) => ({
          _id: id,
          ...job,
          createdAt: created_at,
          failedAt: failed_at,
        })),
        space: await files.listAlmostFull(ctx),
        outdatedDatabase: await readOutdated(ctx.db),
      };
    },

    /** Cancels a running job. Refused if its work is already committed. */
    async cancel(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const job = requireFound(await queries.lockJob(inner.db, id));
        if (!isCancellable(job.kind)) throw new AppError('CONFLICT', { message: MESSAGES.restore });
        if (!(await progress.cancel(inner.db, job, ctx.viewer.name)))
          throw new AppError('CONFLICT', { message: MESSAGES.ended });
        await audit(inner, 'job.cancelled', id, { after: { name: job.kind } });
      });
    },

    /** Runs a recurring job after the commit, without waiting for it. */
    async run(ctx: Context, name: RecurringJobName): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const work = requireFound(jobs.recurring.get(name));
        await audit(inner, 'job.started', null, { after: { name } });
        inner.afterCommit(() => work.runNow());
      });
    },

    async retry(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const queue = requireFound(await queries.lockFailed(inner.db, id));
        await jobs.retry(inner.db, queue, id);
        await audit(inner, 'job.retried', id, { after: { name: queue } });
      });
    },
  };
}

export type JobsService = ReturnType<typeof createJobsService>;

type JobRow = Awaited<ReturnType<typeof queries.listJobs>>[number];

const present = (row: Omit<JobRow, 'user_name'>): Omit<JobSummary, 'startedByName' | 'canCancel'> => ({
  _id: row.id,
  kind: row.kind,
  status: row.status as Job['status'],
  step: row.step,
  percent: row.percent,
  done: row.done,
  total: row.total,
  message: row.message,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
});

type Run = { finished_at: string | null; problem: string | null };

function statusOf(run: Run | undefined): RecurringJob['status'] {
  if (!run) return 'waiting';
  if (run.finished_at === null) return 'running';
  return run.problem === null ? 'succeeded' : 'failed';
}
