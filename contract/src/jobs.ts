import { z } from 'zod';
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
  status: z.enum(['running', 'succeeded', 'failed']),
  /** Identifier of the current step, which the screen maps to a text; empty before the first. */
  step: z.string(),
  /** Total progress from 0 to 100; null: unknown. */
  percent: z.int().min(0).max(100).nullable(),
  /** Processed items of `total`, for countable steps such as written rows. */
  done: z.int().nullable(),
  total: z.int().nullable(),
  /** The response body of the request, once succeeded. */
  result: z.unknown(),
  /** Error code of a failure; null otherwise. */
  code: z.string().nullable(),
  /** Error message for display. */
  message: z.string().nullable(),
  /** Error messages by field. */
  errors: z.record(z.string(), z.string()).nullable(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
});
export type Job = z.infer<typeof Job>;

/** The 202 response of a request that takes longer than 12 s. */
export const Accepted = z.strictObject({ jobId: Id });
export type Accepted = z.infer<typeof Accepted>;

/** A URL for one download: works once, for 60 s, without the session's header. */
export const DownloadTicket = z.strictObject({ url: z.string(), expiresAt: Instant });
export type DownloadTicket = z.infer<typeof DownloadTicket>;

export const jobRoutes = {
  'GET /jobs/:id': {
    summary: 'How far a piece of work is that the caller began; administrators see all',
    params: IdParams,
    response: Job,
  },
  'GET /downloads/:ticket': {
    summary: 'The file of a download ticket, once',
    params: z.strictObject({ ticket: z.string().regex(/^[A-Za-z0-9_-]{43}$/) }),
    download: true,
  },
} as const satisfies RouteTable;
