import { z } from 'zod';
import { GivenDeal, Month } from './deals.ts';
import { Accepted } from './jobs.ts';
import { PHONE, PHONE_MESSAGE } from './phone.ts';
import { Id, typedText, wholeList, type RouteTable } from './route.ts';

/** In one import, as in one bulk call (product.md sections 3 and 4). */
const MOST_ROWS = 10_000;

const dealNumber = typedText(40).refine((text) => text !== '', 'Deal number is required');

/** A row that the caller sees already, as much of it as tells whether an imported one is the same. */
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
    body: z.strictObject({ rows: z.array(GivenDeal).min(1).max(MOST_ROWS, 'At most 10,000 rows at once') }),
    bodyLimit: 16 * 1024 * 1024,
    later: true,
    job: 'import',
    status: 201,
    /** In the order of the rows. */
    response: z.union([wholeList(z.strictObject({ _id: Id })), Accepted]),
  },
  'POST /deals/import/duplicates': {
    summary:
      'The newest row with each of these phone numbers and deal numbers, of those that the caller sees',
    body: z.strictObject({
      customerNumbers: z.array(z.string().regex(PHONE, PHONE_MESSAGE)).max(MOST_ROWS).optional(),
      /** Upper and lower case are the same. */
      dealNumbers: z.array(dealNumber).max(MOST_ROWS).optional(),
    }),
    response: wholeList(ExistingDeal),
  },
} as const satisfies RouteTable;
