import { z } from 'zod';
import { Id, type RouteTable } from './route.ts';

/** Rows without a commission rate, calculated with the current rates in AUD. */
const amounts = {
  /** Number of rows that get a rate. */
  deals: z.int(),
  /** Commission of the rows that get a rate and whose status counts for commission. */
  commission: z.number(),
  /** Number of rows for which no rate is set. */
  stillWithout: z.int(),
};

const DealsWithoutRate = z.strictObject({
  ...amounts,
  /** By owner, sorted by name. */
  people: z.array(z.strictObject({ ...amounts, owner: Id, ownerName: z.string() })),
});
export type DealsWithoutRate = z.infer<typeof DealsWithoutRate>;

export const dealRateRoutes = {
  'GET /deals/without-rate': {
    summary: 'The commission of rows without a rate at the current rates, by owner',
    response: DealsWithoutRate,
  },
  'POST /deals/without-rate': {
    summary: 'Sets the current rates on rows without one: exactly as previewed, or on none of them',
    /** The values that the GET returned. */
    body: z.strictObject({ deals: z.int().min(0), commission: z.number().min(0) }),
    response: z.strictObject({ deals: z.int() }),
    changesDeals: 'call',
  },
} as const satisfies RouteTable;
