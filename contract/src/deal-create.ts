import { z } from 'zod';
import { MAX_CREATED_ROWS } from './deal-limits.ts';
import { Deal, GivenDeal } from './deals.ts';
import { list, type RouteTable } from './route.ts';

/** 128 random bits in hexadecimal, which the browser generates for each new row. */
const DraftKey = z.string().regex(/^[0-9a-f]{32}$/, 'Must be 32 hexadecimal digits');

/** The error that POST /deals would have returned. */
const Refusal = z.strictObject({
  code: z.string(),
  message: z.string(),
  details: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
});

const Created = z.union([
  z.strictObject({ key: DraftKey, deal: Deal }),
  z.strictObject({ key: DraftKey, refusal: Refusal }),
]);
export type Created = z.infer<typeof Created>;

export const dealCreateRoutes = {
  'POST /deals/bulk/create': {
    summary:
      'Adds deal rows independently of each other: a refused row does not stop the others. A row whose key was used before is returned in its current state, and not added again',
    body: z.strictObject({
      rows: list(
        z.strictObject({ key: DraftKey, deal: GivenDeal }),
        MAX_CREATED_ROWS,
        `At most ${MAX_CREATED_ROWS} rows at once`,
      ).min(1),
    }),
    // The maximum number of rows with the longest notes and the most items.
    bodyLimit: 8 * 1024 * 1024,
    /** In the order of the request. */
    response: z.strictObject({ items: z.array(Created), total: z.int() }),
    changesDeals: 'minute',
  },
} as const satisfies RouteTable;
