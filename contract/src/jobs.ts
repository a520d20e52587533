import { z } from 'zod';
import { UsedSpace } from './deal-attachments.ts';
import { Id, IdParams, Instant, type RouteTable } from './route.ts';

/** Work that continues after the response, such as a backup or an import (docs/product/api.md, Long work). */
export const Job = z.strictObject({
  _id: Id,
  /** For example `backup`, `restore` or `export`. */
  kind: z.string(),
  /** The Idempotency-Key of the request that started the job: a page finds its job by it. Null without one. */
  key: z.string().nullable(),
  status: z.enum(['running', 'succeeded', 'failed', 'cancelled']),
  /** Identifier of the current step, which the screen maps to a text; empty before the first. */
  step: z.string(),
  /** Progress of the whole job from 0 to 100; null if unknown. */
  percent: z.int().min(0).max(100).nullable(),
  /** Number of processed items out of `total`, for steps that can be counted. */
  done: z.int().nullable(),
  total: z.int().nullable(),
  /** The response body of the request; set on success. */
  result: z.unknown(),
  /** Error code of a failure or cancellation. */
  code: z.string().nullable(),
  /** For display: the error message, or who cancelled the job and what it had already saved. */
  message: z.string().nullable(),
  errors: z.record(z.string(), z.string()).nullable(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
});
export type Job = z.infer<typeof Job>;

/** A job in the list of administrators, without the response of its request. */
export const JobSummary = Job.omit({ key: true, result: true, code: true, errors: true }).extend({
  /** Null if the program started it, or if the user no longer exists. */
  startedByName: z.string().nullable(),
  /** Whether `POST /jobs/{id}/cancel` is possible: it runs, and is not a restore. */
  canCancel: z.boolean(),
});
export type JobSummary = z.infer<typeof JobSummary>;

/** Maximum number of listed jobs: the newest finished jobs, and the newest failed jobs of queues. */
export const MAX_LISTED_JOBS = 100;

/** Longer messages of a failure are truncated. */
export const MAX_FAILURE_LENGTH = 500;

/** Queues of jobs. Each attempt of a job runs on one instance only. */
export const jobQueues = ['mail', 'password-links', 'mention-mail', 'backup-mail'] as const;
export type JobQueue = (typeof jobQueues)[number];

/** Periodic jobs of the program. */
export const recurringJobNames = [
  'hourly-backup',
  'backup-copies',
  'backup-clean-up',
  'backup-watch',
  'file-clean-up',
  'file-move',
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
  /** Start of the last run on any instance. Repeated runs with the same result are recorded once a minute. */
  lastRunAt: Instant.nullable(),
  /** Why the last run failed. */
  message: z.string().nullable(),
  /** Null if the job is turned off. */
  nextRunAt: Instant.nullable(),
});
export type RecurringJob = z.infer<typeof RecurringJob>;

export const QueueCounts = z.strictObject({
  name: z.enum(jobQueues),
  /** Number of jobs that wait for their time, a worker or a retry. */
  waiting: z.int(),
  running: z.int(),
  failed: z.int(),
});
export type QueueCounts = z.infer<typeof QueueCounts>;

/** A job of a queue that failed and is not retried. */
export const FailedJob = z.strictObject({
  _id: Id,
  queue: z.enum(jobQueues),
  message: z.string(),
  attempts: z.int(),
  createdAt: Instant,
  failedAt: Instant,
});
export type FailedJob = z.infer<typeof FailedJob>;

/** A PostgreSQL that is older than the newest minor release of its major version. */
export const OutdatedDatabase = z.strictObject({
  /** For example 18.4. */
  version: z.string(),
  newest: z.string(),
  /** When `newest` was released. */
  releasedOn: z.iso.date(),
});
export type OutdatedDatabase = z.infer<typeof OutdatedDatabase>;

/** The body of a 202 response, sent if a request takes longer than 12 s. */
export const Accepted = z.strictObject({ jobId: Id });
export type Accepted = z.infer<typeof Accepted>;

/** A URL of one download. It is valid once, for 60 s, and needs no session header. */
export const DownloadTicket = z.strictObject({ url: z.string(), expiresAt: Instant });
export type DownloadTicket = z.infer<typeof DownloadTicket>;

export const jobRoutes = {
  'GET /jobs': {
    summary: 'What runs, waits and failed in the background',
    response: z.strictObject({
      /** All running jobs and the newest finished jobs, newest first. */
      jobs: z.array(JobSummary),
      recurring: z.array(RecurringJob),
      queues: z.array(QueueCounts),
      failed: z.array(FailedJob),
      /** Used disk space, fullest disk first, at most 20 entries. */
      space: z.array(UsedSpace),
      /** Null unless the database is older than the newest release that this program knows. */
      outdatedDatabase: OutdatedDatabase.nullable(),
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
