import { z } from 'zod';
import { Month } from './deals.ts';
import { DownloadTicket } from './jobs.ts';
import { monthChecks } from './month-checks.ts';
import {
  Ability,
  BusinessDate,
  Id,
  IdParams,
  Instant,
  typedLines,
  typedText,
  wholeList,
  type RouteTable,
} from './route.ts';
import { statementKinds } from './statement-kinds.ts';

export const MAX_ADJUSTMENT_REASON_LENGTH = 500;
const MAX_QUERY_LENGTH = 2000;

/** Why money changes in a closed month: part of the body of each call that may change rows. */
export const AdjustmentReason = typedText(MAX_ADJUSTMENT_REASON_LENGTH).refine(
  (text) => text !== '',
  'Reason is required',
);

export const AdjustmentInput = z.strictObject({ reason: AdjustmentReason });

export const StatementKind = z.enum(statementKinds);
export type StatementKind = z.infer<typeof StatementKind>;

/** What a statement can be downloaded as (docs/product/month-close.md, Files). */
export const StatementFormat = z.enum(['pdf', 'csv', 'xlsx']);
export type StatementFormat = z.infer<typeof StatementFormat>;

/** AUD, to the cent; negative for what goes back. */
const Amount = z.number();

/** A row that counts for commission, as it was when the month was closed. Columns hidden from the caller are absent. */
const StatementLine = z.strictObject({
  dealId: Id,
  /** The business day on which the row was added. */
  date: BusinessDate,
  customerName: z.string().optional(),
  dealNumber: z.string().optional(),
  dealershipName: z.string().optional(),
  ownerName: z.string().optional(),
  status: z.string().optional(),
  /** Items with their quantities: `Dash cam × 2, Tint`. */
  items: z.string().optional(),
  saleAmount: Amount.optional(),
  /** Percent. */
  commissionRate: z.number().optional(),
  /** The commission, or the sale in an account statement. */
  amount: Amount,
});
export type StatementLine = z.infer<typeof StatementLine>;

const AdjustedField = z.enum([
  'saleAmount',
  'costAmount',
  'commissionRate',
  'items',
  'status',
  'dealershipName',
  'ownerName',
  'month',
  'counts',
]);
export type AdjustedField = z.infer<typeof AdjustedField>;

/** A change of a row after its month was closed. Columns hidden from the caller are absent. */
const StatementAdjustment = z.strictObject({
  dealId: Id,
  /** The closed month. */
  month: Month,
  customerName: z.string().optional(),
  dealNumber: z.string().optional(),
  /** Null before or after: the row was not in the month. Of items only those before are known. */
  changes: z.array(
    z.strictObject({
      field: AdjustedField,
      before: z.union([z.string(), z.number(), z.boolean()]).nullable(),
      after: z.union([z.string(), z.number(), z.boolean()]).nullable(),
    }),
  ),
  reason: z.string(),
  byName: z.string(),
  at: Instant,
  /** What is added to the total. */
  amount: Amount,
});
export type StatementAdjustment = z.infer<typeof StatementAdjustment>;

const StatementTotals = z.strictObject({
  lines: Amount,
  adjustments: Amount,
  /** With GST. */
  total: Amount,
  /** Percent, at the time of the close. */
  gstRate: z.number(),
  gst: Amount,
  withoutGst: Amount,
});

const statementHead = {
  _id: Id,
  kind: StatementKind,
  month: Month,
  /** The month and a number without gaps, per kind: `2026-11-007`. */
  number: z.string(),
  /** A person, or a dealership. */
  recipientId: Id,
  recipientName: z.string(),
  closedAt: Instant,
  closedByName: z.string(),
  /** Whether the month was opened again since. */
  isSuperseded: z.boolean(),
  totals: StatementTotals,
};

const StatementNote = z.strictObject({
  _id: Id,
  kind: z.enum(['seen', 'query', 'answer', 'sent']),
  /** Empty for *seen*. The recipients of a message that was *sent*. */
  text: z.string(),
  byName: z.string(),
  at: Instant,
});
export type StatementNote = z.infer<typeof StatementNote>;

/** A statement in a list. */
export const StatementEntry = z.strictObject({
  ...statementHead,
  /** Number of lines and of adjustments. */
  rows: z.int(),
  isSeen: z.boolean(),
  /** Whether the newest query has no answer. */
  isQueried: z.boolean(),
  sentAt: Instant.nullable(),
});
export type StatementEntry = z.infer<typeof StatementEntry>;

/** A frozen statement: what a person earned in a month, or what a dealership was sold in it. */
export const ClosedStatement = z.strictObject({
  ...statementHead,
  companyName: z.string(),
  lines: z.array(StatementLine),
  adjustments: z.array(StatementAdjustment),
  /** The checks that were waived when the month was closed. */
  waivers: z.array(
    z.strictObject({
      check: z.enum(monthChecks),
      rows: z.int(),
      reason: z.string(),
      waivedByName: z.string(),
      waivedAt: Instant,
    }),
  ),
  /** SHA-256 of the stored statement, which the audit log has too. */
  digest: z.string(),
  notes: z.array(StatementNote),
  abilities: z.strictObject({ see: Ability, query: Ability, answer: Ability, send: Ability }),
});
export type ClosedStatement = z.infer<typeof ClosedStatement>;

const noteText = typedLines(MAX_QUERY_LENGTH).refine((text) => text !== '', 'Enter a text');

export const statementRoutes = {
  'GET /statements': {
    summary: 'Statements of closed months, newest first: one’s own; who may close months sees all',
    query: z.strictObject({ month: Month.optional(), kind: StatementKind.optional() }),
    response: wholeList(StatementEntry),
  },
  'GET /statements/:id': { summary: 'One statement', params: IdParams, response: ClosedStatement },
  'GET /statements/:id.pdf': { summary: 'A statement as PDF, for print', params: IdParams, download: true },
  'GET /statements/:id.csv': { summary: 'A statement as CSV', params: IdParams, download: true },
  'GET /statements/:id.xlsx': { summary: 'A statement as a workbook', params: IdParams, download: true },
  'POST /statements/:id/download-ticket': {
    summary: 'A URL for the file of a statement that works once, within a minute',
    params: IdParams,
    body: z.strictObject({ format: StatementFormat }),
    secret: true,
    status: 201,
    response: DownloadTicket,
  },
  'POST /statements/:id/seen': {
    summary: 'Marks one’s own statement as seen',
    params: IdParams,
    response: ClosedStatement,
  },
  'POST /statements/:id/query': {
    summary: 'Asks about one’s own statement; who may close months is notified',
    params: IdParams,
    body: z.strictObject({ text: noteText }),
    response: ClosedStatement,
  },
  'POST /statements/:id/answer': {
    summary: 'Answers the query about a statement; its person is notified',
    params: IdParams,
    body: z.strictObject({ text: noteText }),
    response: ClosedStatement,
  },
} as const satisfies RouteTable;
