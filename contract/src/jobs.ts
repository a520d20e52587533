import { z } from 'zod';
import { UsedSpace } from './deal-attachments.ts';
import { Id, IdParams, Instant, type RouteTable } from './route.ts';

/**
 * Work that continues after its request (docs/product/api.md, Long work): a backup, a restore, an export, an import.
 */
export const Job = z.strictObject({
  _id: Id,
  /** For example `backup`, `restore` or `export`. */
  kind: z.string(),
  /** The Idempotency-Key of the request that started it, by which a page finds its job; null: none. */
  key: z.string().nullable(),
  status: z.enum(['running', 'succeeded', 'failed', 'cancelled']),
  /** Identifier of the current step, which the screen maps to a text; empty before the first. */
  step: z.string(),
  /** Total progress from 0 to 100; null: unknown. */
  percent: z.int().min(0).max(100).nullable(),
  /** Processed items of `total`, for countable steps such as written rows. */
  done: z.int().nullable(),
  total: z.int().nullable(),
  /** The response body of the request, once succeeded. */
  result: z.unknown(),
  /** Error code of a failure or cancellation; null otherwise. */
  code: z.string().nullable(),
  /** Error message for display; of a cancellation, who cancelled it and what is left of it. */
  message: z.string().nullable(),
  errors: z.record(z.string(), z.string()).nullable(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
});
export type Job = z.infer<typeof Job>;

/** A job in the list of administrators, without the response of its request. */
export const JobSummary = Job.omit({ key: true, result: true, code: true, errors: true }).extend({
  /** Null: the program itself, or a user who no longer exists. */
  startedByName: z.string().nullable(),
  /** Whether `POST /jobs/{id}/cancel` is possible: it runs, and is not a restore. */
  canCancel: z.boolean(),
});
export type JobSummary = z.infer<typeof JobSummary>;

/** Finished jobs and failed jobs of queues that are listed, the newest of each. */
export const MAX_LISTED_JOBS = 100;

/** The longest message of a failure; the rest is cut off. */
export const MAX_FAILURE_LENGTH = 500;

/** Queues of work that one instance takes, retries included. */
export const jobQueues = ['mail', 'password-links', 'mention-mail'] as const;
export type JobQueue = (typeof jobQueues)[number];

/** Work that the program repeats. */
export const recurringJobNames = [
  'hourly-backup',
  'backup-copies',
  'backup-clean-up',
  'deleted-rows',
  'deal-sums',
  'change-sets',
  'audit-seals',
  'export-clean-up',
  'overdue-mail',
  'request-keys',
  'interrupted-work',
  'disk-space',
] as const;
export type RecurringJobName = (typeof recurringJobNames)[number];

export const RecurringJob = z.strictObject({
  name: z.enum(recurringJobNames),
  /** `waiting`: it has not run yet. */
  status: z.enum(['waiting', 'running', 'succeeded', 'failed']),
  /** When its last run began, on any instance; runs with the same result are recorded once a minute. */
  lastRunAt: Instant.nullable(),
  /** Why the last run failed. */
  message: z.string().nullable(),
  /** Null: it is off. */
  nextRunAt: Instant.nullable(),
});
export type RecurringJob = z.infer<typeof RecurringJob>;

export const QueueCounts = z.strictObject({
  name: z.enum(jobQueues),
  /** Jobs that wait for their time, for a worker or for a retry. */
  waiting: z.int(),
  running: z.int(),
  failed: z.int(),
});
export type QueueCounts = z.infer<typeof QueueCounts>;

/** A job of a queue that is not retried any more. */
export const FailedJob = z.strictObject({
  _id: Id,
  queue: z.enum(jobQueues),
  message: z.string(),
  attempts: z.int(),
  createdAt: Instant,
  failedAt: Instant,
});
export type FailedJob = z.infer<typeof FailedJob>;

/** The 202 response of a request that takes longer than 12 s. */
export const Accepted = z.strictObject({ jobId: Id });
export type Accepted = z.infer<typeof Accepted>;

/** A URL for one download: works once, for 60 s, without the session's header. */
export const DownloadTicket = z.strictObject({ url: z.string(), expiresAt: Instant });
export type DownloadTicket = z.infer<typeof DownloadTicket>;

export const jobRoutes = {
  'GET /jobs': {
    summary: 'What runs, waits and failed in the background',
    response: z.strictObject({
      /** Running jobs and the newest finished ones, newest first. */
      jobs: z.array(JobSummary),
      recurring: z.array(RecurringJob),
      queues: z.array(QueueCounts),
      failed: z.array(FailedJob),
      /** The fullest first, at most 20. */
      space: z.array(UsedSpace),
    }),
  },
  'POST /jobs/recurring/:name/run': {
    summary: 'Runs recurring work now',
    params: z.strictObject({ name: z.enum(recurringJobNames) }),
    status: 204,
  },
  'POST /jobs/failed/:id/retry': {
    summary: 'Queues a failed job again',
    params: IdParams,
    status: 204,
  },
  'POST /jobs/:id/cancel': {
    summary: 'Cancels a running job, except a restore; nothing of it is left',
    params: IdParams,
    status: 204,
  },
  'GET /jobs/:id': {
    summary: 'The progress of a job of the caller; administrators see all',
    params: IdParams,
    response: Job,
  },
  'GET /downloads/:ticket': {
    summary: 'The file of a download ticket, once',
    params: z.strictObject({ ticket: z.string().regex(/^[A-Za-z0-9_-]{43}$/) }),
    download: true,
  },
} as const satisfies RouteTable;
