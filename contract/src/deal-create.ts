import { z } from 'zod';
import { MOST_CREATED } from './deal-limits.ts';
import { Deal, GivenDeal } from './deals.ts';
import type { RouteTable } from './route.ts';

/** 128 random bits in hexadecimal, made by the browser for each new row. */
const DraftKey = z.string().regex(/^[0-9a-f]{32}$/, 'Must be 32 hexadecimal digits');

/** Why a row was not added, as POST /deals would have said it. */
const Refusal = z.strictObject({
  code: z.string(),
  message: z.string(),
  details: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
});

/** What became of a row. */
const Created = z.union([
  z.strictObject({ key: DraftKey, deal: Deal }),
  z.strictObject({ key: DraftKey, refusal: Refusal }),
]);
export type Created = z.infer<typeof Created>;

export const dealCreateRoutes = {
  'POST /deals/bulk/create': {
    summary:
      'Adds deal rows, each for itself: one that is refused holds up no other. A row whose key was taken before is answered as it is now, and not added again',
    body: z.strictObject({
      rows: z
        .array(z.strictObject({ key: DraftKey, deal: GivenDeal }))
        .min(1)
        .max(MOST_CREATED, `At most ${MOST_CREATED} rows at once`),
    }),
    // As many rows with the longest notes and the most items there can be.
    bodyLimit: 8 * 1024 * 1024,
    /** In the order of the rows. */
    response: z.strictObject({ items: z.array(Created), total: z.int() }),
  },
} as const satisfies RouteTable;
