import { z } from 'zod';
import { ColumnFilterInput } from './deal-filter.ts';
import { Month } from './deals.ts';
import { monthChecks } from './month-checks.ts';
import { Instant, typedText, wholeList, wholeNumber, type RouteTable } from './route.ts';

const MAX_WAIVER_REASON_LENGTH = 500;

const Check = z.enum(monthChecks);
const MonthParams = z.strictObject({ month: Month });

/** A check of a month (docs/product/month-close.md, Checks). */
const CheckResult = z.strictObject({
  key: Check,
  /** Number of rows that the caller sees. */
  count: z.int(),
  /** Selects these rows in Data Entry. Null if no row can be in the check, for example without an inactive owner. */
  filter: ColumnFilterInput.nullable(),
  waiver: z
    .strictObject({
      reason: z.string(),
      /** Number of rows for which the check is waived. If it is less than `count`, rows were added since. */
      rows: z.int(),
      waivedByName: z.string(),
      waivedAt: Instant,
    })
    .nullable(),
});
export type CheckResult = z.infer<typeof CheckResult>;

export const monthRoutes = {
  'GET /months': {
    summary: 'The months with rows that the caller sees, newest first',
    response: wholeList(z.strictObject({ month: Month, rows: z.int() })),
  },
  'GET /months/:month': {
    summary: 'What is to be settled before a month is paid, without checks of columns hidden from the caller',
    params: MonthParams,
    response: z.strictObject({
      month: Month,
      /** Number of rows that the caller sees. */
      rows: z.int(),
      checks: z.array(CheckResult),
    }),
  },
  'POST /months/:month/waive': {
    summary: 'Waives a check of a month with a reason; another reason replaces the former one',
    params: MonthParams,
    body: z.strictObject({
      check: Check,
      /** Number of rows that the caller saw. Rows that were added since are not waived. */
      rows: wholeNumber(1, 1_000_000_000, 'Must be the number of rows'),
      reason: typedText(MAX_WAIVER_REASON_LENGTH).refine((text) => text !== '', 'Reason is required'),
    }),
    response: CheckResult,
  },
  'DELETE /months/:month/waivers/:check': {
    summary: 'Takes the waiver of a check back',
    params: MonthParams.extend({ check: Check }),
    status: 204,
  },
} as const satisfies RouteTable;
