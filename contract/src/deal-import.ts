import { z } from 'zod';
import { CustomFieldKey } from './custom-fields.ts';
import { dealTextLimits } from './deal-fields.ts';
import { MAX_BULK_RECORDS, MAX_DUPLICATES, MAX_IMPORT_COLUMNS } from './deal-limits.ts';
import { GivenDeal, HistoryEntry, Month } from './deals.ts';
import { comparedColumns, importKinds, importModes } from './import-modes.ts';
import { Accepted } from './jobs.ts';
import { PHONE, PHONE_MESSAGE } from './phone.ts';
import {
  Id,
  IdParams,
  list,
  plainText,
  record,
  typedText,
  Version,
  wholeList,
  type RouteTable,
} from './route.ts';

const dealNumber = typedText(dealTextLimits.dealNumber).refine(
  (text) => text !== '',
  'Deal number is required',
);

/** The fields of a visible row that identify it as a duplicate. */
export const ExistingDeal = z.strictObject({
  _id: Id,
  month: Month,
  customerName: z.string().optional(),
  customerNumber: z.string().optional(),
  dealNumber: z.string().optional(),
  dealershipName: z.string().optional(),
});
export type ExistingDeal = z.infer<typeof ExistingDeal>;

const MatchBy = z.union([
  z.enum(['dealNumber', 'phoneAndName']),
  z.strictObject({ column: z.union([z.enum(comparedColumns), CustomFieldKey]) }),
]);
export type MatchBy = z.infer<typeof MatchBy>;

/** Index of a row in the request. */
const RowIndex = z.int().min(0);

/** The header of the file's column for each field; of several equal ones the later are numbered, as `Amount (2)`. */
const ImportColumns = record(z.string().max(40), plainText(200), MAX_IMPORT_COLUMNS);
export type ImportColumns = z.infer<typeof ImportColumns>;

const ImportBody = z.strictObject({
  /** A field that is absent, or null and not to be cleared, keeps its value in an existing row. */
  rows: list(
    GivenDeal,
    MAX_BULK_RECORDS,
    `At most ${MAX_BULK_RECORDS.toLocaleString('en-AU')} rows at once`,
  ).min(1),
  /** The values of new rows without their own. */
  defaults: z.strictObject({ dealershipId: Id.optional(), month: Month.optional() }).optional(),
  mode: z.enum(importModes).default('add'),
  /** Required unless the mode is `add`. Case is ignored. */
  matchBy: MatchBy.optional(),
  /** Whether an empty value clears that of the existing row. */
  emptyClears: z.boolean().default(false),
  /**
   * What happens to a row: the existing row that it changes, one of those that match it; or it is added or left out.
   * `newIfUnmatched`: the caller saw no row that matches, so it is added, and left out if one matches since.
   */
  decisions: list(
    z.strictObject({
      row: RowIndex,
      deal: z.union([Id, z.literal(['new', 'newIfUnmatched', 'none'])]),
      /** The version of the existing row that the caller saw: a row with a field that was changed since is left out. */
      version: Version.optional(),
    }),
    MAX_BULK_RECORDS,
  ).default([]),
  /** Stored with the dealership after the import, for its next file. */
  remember: z.strictObject({ dealershipId: Id, columns: ImportColumns }).optional(),
});
export type ImportBody = z.infer<typeof ImportBody>;

/** What an import would do with a row of the request. */
const ImportPreviewRow = z.strictObject({
  kind: z.enum(importKinds),
  /** The row that matches. */
  deal: ExistingDeal.extend({ version: Version }).nullable(),
  /** The rows that match, newest first; at most 10. Empty if the only one is `deal`. */
  candidates: z.array(ExistingDeal),
  /** The values now and afterwards, also those that follow from others. */
  changes: HistoryEntry.shape.changes,
  /** Why the row is refused. */
  reason: z.string().nullable(),
  /** The row of the request for the same row, before this one, because of which this one is refused. */
  earlierRow: RowIndex.nullable(),
});
export type ImportPreviewRow = z.infer<typeof ImportPreviewRow>;

const bodyLimit = 16 * 1024 * 1024;

export const dealImportRoutes = {
  'POST /deals/import': {
    summary:
      'Adds deal rows, updates those that match, or both: all of it or nothing. A refusal names every wrong cell, as rows.3.customerNumber',
    body: ImportBody,
    bodyLimit,
    later: true,
    job: 'import',
    status: 201,
    response: z.union([
      /** The added rows in the order of the request. */
      wholeList(z.strictObject({ _id: Id })).extend({
        /** Numbers of existing rows. */
        changed: z.int(),
        same: z.int(),
        /** Rows of the request that were left out, with a sentence. */
        left: z.array(z.strictObject({ row: RowIndex, reason: z.string() })),
        /** The change set, which can be taken back; null if nothing was changed. */
        changeSetId: Id.nullable(),
      }),
      Accepted,
    ]),
    changesDeals: 'call',
  },
  'POST /deals/import/preview': {
    summary: 'What an import would do with each row, with the values before and after',
    body: ImportBody,
    bodyLimit,
    response: z.strictObject({
      counts: z.record(z.enum(importKinds), z.int()),
      /** In the order of the request. */
      rows: z.array(ImportPreviewRow),
    }),
    writesNothing: true,
  },
  'GET /deals/import/columns/:id': {
    summary: 'The columns of the last file of a dealership, by the headers that were chosen',
    params: IdParams,
    response: z.strictObject({ columns: ImportColumns }),
  },
  'POST /deals/import/duplicates': {
    summary:
      'The newest row with each of these phone numbers and deal numbers, of those that the caller sees',
    body: z.strictObject({
      customerNumbers: list(z.string().regex(PHONE, PHONE_MESSAGE), MAX_BULK_RECORDS).optional(),
      /** Case-insensitive. */
      dealNumbers: list(dealNumber, MAX_BULK_RECORDS).optional(),
    }),
    response: wholeList(ExistingDeal),
  },
  'GET /deals/:id/duplicates': {
    summary: `Other visible rows with the phone or deal number of a row, newest first; at most ${MAX_DUPLICATES}`,
    params: IdParams,
    response: wholeList(ExistingDeal),
  },
} as const satisfies RouteTable;
