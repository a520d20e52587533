import { z } from 'zod';
import { dealTextLimits } from './deal-fields.ts';
import { MAX_BULK_RECORDS, MAX_DUPLICATES } from './deal-limits.ts';
import { GivenDeal, Month } from './deals.ts';
import { Accepted } from './jobs.ts';
import { PHONE, PHONE_MESSAGE } from './phone.ts';
import { Id, IdParams, list, typedText, wholeList, type RouteTable } from './route.ts';

const dealNumber = typedText(dealTextLimits.dealNumber).refine(
  (text) => text !== '',
  'Deal number is required',
);

/** The fields of a visible row that identify it as a duplicate. */
const ExistingDeal = z.strictObject({
  _id: Id,
  month: Month,
  customerName: z.string().optional(),
  customerNumber: z.string().optional(),
  dealNumber: z.string().optional(),
  dealershipName: z.string().optional(),
});
export type ExistingDeal = z.infer<typeof ExistingDeal>;

export const dealImportRoutes = {
  'POST /deals/import': {
    summary:
      'Adds deal rows: all of them or none. A refusal names every wrong cell, as rows.3.customerNumber',
    body: z.strictObject({
      rows: list(
        GivenDeal,
        MAX_BULK_RECORDS,
        `At most ${MAX_BULK_RECORDS.toLocaleString('en-AU')} rows at once`,
      ).min(1),
    }),
    bodyLimit: 16 * 1024 * 1024,
    later: true,
    job: 'import',
    status: 201,
    /** In the order of the request. */
    response: z.union([wholeList(z.strictObject({ _id: Id })), Accepted]),
    changesDeals: 'call',
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
