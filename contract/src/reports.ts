import { z } from 'zod';
import { Month } from './deals.ts';
import { Figures } from './figures.ts';
import { Money } from './money.ts';
import { reportDimensions } from './report-dimensions.ts';
import { Id, plainText, type RouteTable } from './route.ts';

const ReportRow = Figures.extend({
  /** The month itself, else the id of the record; null: rows without an item. */
  key: z.string().nullable(),
  name: z.string(),
  /** By item: how many of it were sold, and for how much at the price that each row was written with. */
  quantity: z.number().optional(),
  itemAmount: z.number().optional(),
});
export type ReportRow = z.infer<typeof ReportRow>;

/** A row that earns commission, as it stands on a statement. Fields that the caller may not see are absent. */
const EarningDeal = z.strictObject({
  _id: Id,
  customerName: z.string().optional(),
  dealNumber: z.string().optional(),
  dealershipName: z.string().optional(),
  status: z.string().optional(),
  saleAmount: Money.nullable().optional(),
  commissionRate: z.number().nullable().optional(),
  commission: z.number(),
});

export const reportRoutes = {
  'GET /reports': {
    summary: 'What rows come to, by month, dealership, owner, item or status',
    query: z
      .strictObject({
        by: z.enum(reportDimensions).default('month'),
        /** The first and the last month, both included; without them the current one. */
        from: Month.optional(),
        to: Month.optional(),
        dealershipId: Id.optional(),
        owner: Id.optional(),
        status: plainText(60).optional(),
      })
      .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
        path: ['to'],
        message: 'Must not be before the first month',
      }),
    response: z.strictObject({
      rows: z.array(ReportRow),
      /** Each deal counted once, also where it stands in several rows. */
      total: Figures,
    }),
  },
  'GET /reports/commission-statement': {
    summary: 'What a person earns of the rows of a month',
    /** Without them the caller, and the current month. */
    query: z.strictObject({ owner: Id.optional(), month: Month.optional() }),
    response: z.strictObject({
      ownerName: z.string(),
      month: Month,
      rows: z.array(EarningDeal),
      total: Figures,
    }),
  },
} as const satisfies RouteTable;
