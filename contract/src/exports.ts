import { z } from 'zod';
import { auditFilters } from './audit.ts';
import { dealFilters } from './deal-list.ts';
import { EmailStatus } from './email-sending.ts';
import { DownloadTicket } from './jobs.ts';
import { BusinessDate, Id, IdParams, Instant, searchText, wholeList, type RouteTable } from './route.ts';
import { resourceIds } from './sharing.ts';

/** What can be exported (product.md section 8). All but deals are for administrators. */
export const exportKinds = [
  'deals',
  'dealerships',
  'contacts',
  'templates',
  'emails',
  'audit',
  'users',
] as const;
export const ExportKind = z.enum(exportKinds);
export type ExportKind = z.infer<typeof ExportKind>;

/** `csv`: UTF-8 with BOM, dates as in en-AU. `xlsx`: typed cells. */
export const ExportFormat = z.enum(['csv', 'xlsx']);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** One export, while it is made and as long as its file is kept. */
export const Export = z.strictObject({
  _id: Id,
  kind: ExportKind,
  format: ExportFormat,
  /** What the file is called. */
  name: z.string(),
  /** What it was narrowed to, as it was asked for; ids of a selection as their number. */
  filter: z.record(z.string(), z.union([z.string(), z.number()])),
  createdBy: Id,
  createdByName: z.string(),
  createdAt: Instant,
  state: z.enum(['running', 'ready', 'failed']),
  /** How far it is, from 0 to 100; null before the rows are counted. */
  percent: z.int().nullable(),
  /** How many rows there are in it, so far or in all. */
  rows: z.int(),
  /** Bytes of the file, so far or in all. */
  size: z.int(),
  /** Why it failed, in words for people. */
  message: z.string().nullable(),
  /** When the file goes. */
  expiresAt: Instant,
});
export type Export = z.infer<typeof Export>;

const format = { format: ExportFormat.default('csv') };

/** What is wanted, narrowed as far as its kind can be. */
export const NewExport = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('deals'),
    ...format,
    ...dealFilters,
    /** Only these rows, of those that the caller sees. */
    ids: resourceIds.optional(),
  }),
  z.strictObject({
    kind: z.literal('emails'),
    ...format,
    status: EmailStatus.optional(),
    from: BusinessDate.optional(),
    to: BusinessDate.optional(),
    search: searchText.optional(),
  }),
  z.strictObject({ kind: z.literal('audit'), ...format, ...auditFilters }),
  z.strictObject({ kind: z.enum(['dealerships', 'contacts', 'templates', 'users']), ...format }),
]);
export type NewExport = z.infer<typeof NewExport>;

export const exportRoutes = {
  'GET /exports': {
    summary: 'Exports of the last 7 days, newest first: the own ones, for administrators all',
    response: wholeList(Export),
  },
  'POST /exports': {
    summary: 'Begins an export; it runs in the background',
    body: NewExport,
    status: 201,
    response: Export,
  },
  'GET /exports/:id': { summary: 'One export, and how far it is', params: IdParams, response: Export },
  'GET /exports/:id/download': {
    summary: 'The finished file',
    params: IdParams,
    download: true,
  },
  'POST /exports/:id/download-ticket': {
    summary: 'A URL for the finished file that works once, within a minute',
    params: IdParams,
    secret: true,
    status: 201,
    response: DownloadTicket,
  },
  'DELETE /exports/:id': {
    summary: 'Removes an export with its file; one that still runs is cancelled',
    params: IdParams,
    status: 204,
  },
} as const satisfies RouteTable;
