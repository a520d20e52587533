import { z } from 'zod';
import { dealColumns } from './deal-fields.ts';
import { Month } from './deals.ts';
import { Figures } from './figures.ts';
import { Id, Instant, wholeList, type RouteTable } from './route.ts';

/** Figures of one month with the number of rows per status. */
const MonthFigures = Figures.extend({
  month: Month,
  byStatus: z.array(z.strictObject({ status: z.string(), count: z.int() })),
});
export type MonthFigures = z.infer<typeof MonthFigures>;

/** A row with a follow-up. Fields that the caller may not see are absent. */
export const CallToMake = z.strictObject({
  _id: Id,
  customerName: z.string().optional(),
  customerNumber: z.string().optional(),
  dealershipName: z.string().optional(),
  month: Month,
  followUpAt: Instant.nullable(),
});
export type CallToMake = z.infer<typeof CallToMake>;

/** A deal of the caller that other users changed: time and author of the newest change, and all changed fields. */
export const ChangedDeal = z.strictObject({
  _id: Id,
  customerName: z.string().optional(),
  month: Month,
  byName: z.string(),
  at: Instant,
  fields: z.array(z.enum([...dealColumns, 'month', 'sharedWith'])),
  /** The names of the changed custom fields. */
  customFields: z.array(z.string()),
});
export type ChangedDeal = z.infer<typeof ChangedDeal>;

export const dashboardRoutes = {
  'GET /dashboard': {
    summary: 'The figures of this month, the last one and the months before',
    response: z.strictObject({
      thisMonth: MonthFigures,
      /** Null if the caller may see only the current month. The trend then has only that month. */
      lastMonth: MonthFigures.nullable(),
      /** The last TREND_MONTHS, oldest first. */
      trend: z.array(Figures.extend({ month: Month })),
    }),
  },
  'GET /dashboard/to-call': {
    summary: 'The rows of the caller to call, by due time',
    /** `items` are the first 50. Counting stops at 1000; see `totalIsCapped`. */
    response: wholeList(CallToMake).extend({ totalIsCapped: z.boolean() }),
  },
  'GET /dashboard/changes': {
    summary: 'Rows of the caller, or shared with them, that others changed since their last visit',
    /** `total` counts all rows; `items` are the newest 20. */
    response: wholeList(ChangedDeal).extend({
      /**
       * When the caller's previous session was last used; null without a previous session. Later for a caller with very
       * many rows if others changed very many: the list then begins at this time.
       */
      since: Instant.nullable(),
    }),
  },
} as const satisfies RouteTable;
