import { z } from 'zod';
import { columnFilterText } from './deal-filter.ts';
import { Month } from './deals.ts';
import { Figures } from './figures.ts';
import { Money } from './money.ts';
import { reportDimensions } from './report-dimensions.ts';
import { Id, Instant, plainText, type RouteTable } from './route.ts';
import { MAX_STATUS_NAME_LENGTH } from './statuses.ts';

const ReportRow = Figures.extend({
  /** The month, or the id of the record; null for rows without an item. */
  key: z.string().nullable(),
  name: z.string(),
  /** Only by item: the quantity sold, and the amount at the price stored in each row. */
  quantity: z.number().optional(),
  itemAmount: z.number().optional(),
});
export type ReportRow = z.infer<typeof ReportRow>;

/** A deal that earns commission, in a statement. Fields that the caller may not see are absent. */
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

/** The commission of one user in one month, deal by deal. */
const Statement = z.strictObject({
  owner: Id,
  ownerName: z.string(),
  rows: z.array(EarningDeal),
  /** Totals of these deals. `withoutRate` counts deals that earn commission but have no rate. */
  total: Figures.pick({ deals: true, saleAmount: true, commission: true, withoutRate: true }),
});
export type Statement = z.infer<typeof Statement>;

const statementHead = z.strictObject({
  companyName: z.string(),
  /** Time at which the amounts were read. */
  asOf: Instant,
  month: Month,
});

/** Maximum number of deals in the statements of all users. */
export const MAX_STATEMENT_ROWS = 10_000;

export const reportRoutes = {
  'GET /reports': {
    summary: 'The figures of rows by month, dealership, owner, item or status',
    query: z
      .strictObject({
        by: z.enum(reportDimensions).default('month'),
        /** First and last month, both inclusive. Default: the current month. */
        from: Month.optional(),
        to: Month.optional(),
        dealershipId: Id.optional(),
        owner: Id.optional(),
        status: plainText(MAX_STATUS_NAME_LENGTH).optional(),
        /** Conditions on columns, as JSON (docs/product/api.md, Filters). */
        filter: columnFilterText.optional(),
      })
      .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
        path: ['to'],
        message: 'Must not be before the first month',
      }),
    response: z.strictObject({
      rows: z.array(ReportRow),
      /** A deal that is part of several rows counts once. */
      total: Figures,
    }),
  },
  'GET /reports/commission-statement': {
    summary: 'The commission of a person in a month, row by row',
    /** By default the caller and the current month. */
    query: z.strictObject({ owner: Id.optional(), month: Month.optional() }),
    response: statementHead.extend(Statement.shape),
  },
  'GET /reports/commission-statements': {
    summary: 'The commission statements of all people who earn something in a month',
    /** By default the current month. */
    query: z.strictObject({ month: Month.optional() }),
    response: statementHead.extend({ statements: z.array(Statement) }),
  },
} as const satisfies RouteTable;
