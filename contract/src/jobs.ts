import { z } from 'zod';
import { Id, IdParams, Instant, type RouteTable } from './route.ts';

/** Work that outlives its request (product.md section 3): a backup, a restore, an export, an import. */
export const Job = z.strictObject({
  _id: Id,
  /** What is done, such as `backup`, `restore` or `export`. */
  kind: z.string(),
  /** The Idempotency-Key of the call that began it, by which a page knows its own; null: it had none. */
  key: z.string().nullable(),
  status: z.enum(['running', 'succeeded', 'failed']),
  /** Where it is, in a word that the screen has a text for; empty before the first step. */
  step: z.string(),
  /** How far the whole is, from 0 to 100; null: not known. */
  percent: z.int().min(0).max(100).nullable(),
  /** How many of how many, where it goes by number: rows that are written. */
  done: z.int().nullable(),
  total: z.int().nullable(),
  /** What the call would have answered, once it has succeeded. */
  result: z.unknown(),
  /** Why it failed, as the call would have said it; null otherwise. */
  code: z.string().nullable(),
  /** The same in words for people. */
  message: z.string().nullable(),
  /** And field by field. */
  errors: z.record(z.string(), z.string()).nullable(),
  createdAt: Instant,
  finishedAt: Instant.nullable(),
});
export type Job = z.infer<typeof Job>;

/** The answer, with 202, of a call whose work takes longer than 12 s. */
export const Accepted = z.strictObject({ jobId: Id });
export type Accepted = z.infer<typeof Accepted>;

/** A call for one download: a URL that works once, for 60 s, without the session's header. */
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
