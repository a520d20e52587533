import { z } from 'zod';
import { auditFilters } from './audit.ts';
import { dealFilters } from './deal-list.ts';
import { EmailStatus } from './email-sending.ts';
import { EXPORT_RETENTION_DAYS } from './export-limits.ts';
import { DownloadTicket } from './jobs.ts';
import { BusinessDate, Id, IdParams, Instant, searchText, wholeList, type RouteTable } from './route.ts';
import { resourceIds } from './sharing.ts';

/** Kinds of exports (docs/product/exports-and-reports.md, Exports). All but deals require an administrator. */
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

/** A running or finished export. It is listed until its file is deleted. */
export const Export = z.strictObject({
  _id: Id,
  kind: ExportKind,
  format: ExportFormat,
  name: z.string(),
  /** The requested filter. A selection is stored as its number of ids. */
  filter: z.record(z.string(), z.union([z.string(), z.number()])),
  createdBy: Id,
  createdByName: z.string(),
  createdAt: Instant,
  state: z.enum(['running', 'ready', 'failed', 'cancelled']),
  /** Progress from 0 to 100; null before the rows are counted. */
  percent: z.int().nullable(),
  rows: z.int(),
  size: z.int(),
  /** Why it failed, or who cancelled it, for display. */
  message: z.string().nullable(),
  expiresAt: Instant,
});
export type Export = z.infer<typeof Export>;

const format = { format: ExportFormat.default('csv') };

export const NewExport = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('deals'),
    ...format,
    ...dealFilters,
    /** Restricts the export to these rows. Rows that the caller may not see are omitted. */
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
    summary: `Exports of the last ${EXPORT_RETENTION_DAYS} days, newest first: the caller’s, or all for administrators`,
    response: wholeList(Export),
  },
  'POST /exports': {
    summary: 'Starts an export in the background',
    body: NewExport,
    status: 201,
    response: Export,
  },
  'GET /exports/:id': { summary: 'One export with its progress', params: IdParams, response: Export },
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
    summary: 'Deletes an export with its file, and cancels a running one',
    params: IdParams,
    status: 204,
  },
} as const satisfies RouteTable;
