import { jobQueues, MAX_FAILURE_LENGTH, MAX_LISTED_JOBS, type JobQueue } from '@forecourt/contract/jobs';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

export const findJob = (db: Db | Tx, id: string) =>
  db.selectFrom('jobs').where('id', '=', id).selectAll().executeTakeFirst();

/** Locks a job. Waits for the transaction that ends it. */
export const lockJob = (db: Tx, id: string) =>
  db.selectFrom('jobs').where('id', '=', id).select(['id', 'kind', 'user_id']).forUpdate().executeTakeFirst();

/** Returns running jobs and the newest finished jobs with the names of their users. */
export const listJobs = (db: Db | Tx) =>
  db
    .selectFrom('jobs')
    .leftJoin('users', 'users.id', 'jobs.user_id')
    .select(['jobs.id', 'jobs.kind', 'jobs.status', 'jobs.step', 'jobs.percent', 'jobs.done', 'jobs.total'])
    .select(['jobs.message', 'jobs.created_at', 'jobs.finished_at', 'users.name as user_name'])
    .orderBy(sql`jobs.status = 'running'`, 'desc')
    .orderBy('jobs.created_at', 'desc')
    .limit(MAX_LISTED_JOBS)
    .execute();

export const listRuns = (db: Db | Tx) => db.selectFrom('recurring_jobs').selectAll().execute();

type Counts = { name: JobQueue; waiting: number; running: number; failed: number };

/** Counts the jobs of each queue in the tables of pg-boss. Its own statistics are up to a minute old. */
export const countQueues = async (db: Db | Tx): Promise<Counts[]> => {
  const { rows } = await sql<Counts>`
    select queue.name, count(*) filter (where state in ('created', 'retry')) as waiting,
      count(*) filter (where state = 'active') as running, count(*) filter (where state = 'failed') as failed
    from unnest(${[...jobQueues]}::text[]) with ordinality as queue (name, position)
      left join pgboss.job on job.name = queue.name
        and state in ('created', 'retry', 'active', 'failed')
    group by queue.name, queue.position order by queue.position`.execute(db);
  return rows;
};

/** Counts the jobs of each queue that wait, with the seconds since the oldest one was due. */
export const readQueues = async (db: Db): Promise<{ name: string; waiting: number; age: number }[]> => {
  const { rows } = await sql<{ name: string; waiting: number; age: number }>`
    select queue.name, count(job.id)::int as waiting,
      coalesce(greatest(0, extract(epoch from now() - min(start_after))), 0)::float as age
    from unnest(${[...jobQueues]}::text[]) as queue (name)
      left join pgboss.job on job.name = queue.name and state in ('created', 'retry')
    group by queue.name`.execute(db);
  return rows;
};

type Failed = {
  id: string;
  queue: JobQueue;
  message: string;
  attempts: number;
  created_at: string;
  failed_at: string;
};

const failedJobs = sql`from pgboss.job where name = any(${[...jobQueues]}::text[]) and state = 'failed'`;

/** Returns the newest failed jobs of all queues, without their data. */
export const listFailed = async (db: Db | Tx): Promise<Failed[]> => {
  const { rows } = await sql<Failed>`
    select id, name as queue, left(coalesce(output ->> 'message', output ->> 'value', ''), ${MAX_FAILURE_LENGTH}::int) as message,
      retry_count + 1 as attempts, created_on as created_at, completed_on as failed_at
    ${failedJobs} order by completed_on desc limit ${MAX_LISTED_JOBS}`.execute(db);
  return rows;
};

export const lockFailed = async (db: Tx, id: string): Promise<JobQueue | undefined> => {
  const { rows } = await sql<{ name: JobQueue }>`
    select name ${failedJobs} and id = ${id} for update`.execute(db);
  return rows[0]?.name;
};
