import { z } from 'zod';
import { ColumnFilterInput } from './deal-filter.ts';
import { Month } from './deals.ts';
import { monthChecks } from './month-checks.ts';
import { Ability, Instant, typedText, wholeList, wholeNumber, type RouteTable } from './route.ts';
import { MAX_ADJUSTMENT_REASON_LENGTH, StatementKind } from './statements.ts';

const MAX_WAIVER_REASON_LENGTH = 500;
const MAX_ACCOUNT_CODE_LENGTH = 20;

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

/** `closing`: a check was waived, or the month was opened again. */
const MonthState = z.enum(['open', 'closing', 'closed']);
export type MonthState = z.infer<typeof MonthState>;

/** All amounts of a kind of statement in a closed month. `statements` and `adjustments` add up to `rows`, to the cent. */
const Balance = z.strictObject({
  statements: z.number(),
  /** Of changes since the month was closed. */
  adjustments: z.number(),
  /** What the rows say now. */
  rows: z.number(),
});
export type Balance = z.infer<typeof Balance>;

const MonthOverview = z.strictObject({
  month: Month,
  state: MonthState,
  /** Number of rows that the caller sees. */
  rows: z.int(),
  checks: z.array(CheckResult),
  /** Null unless the month is closed. */
  closing: z
    .strictObject({
      closedAt: Instant,
      closedByName: z.string(),
      /** Null if the column on which it depends is hidden from the caller. */
      commission: Balance.nullable(),
      account: Balance.nullable(),
    })
    .nullable(),
  /** The last time that the month was opened again; null if it never was. */
  reopened: z.strictObject({ at: Instant, byName: z.string(), reason: z.string() }).nullable(),
  /** Number of rows of earlier closed months with changes that no statement has yet. */
  pendingAdjustments: z.int(),
  abilities: z.strictObject({ close: Ability, reopen: Ability }),
});
export type MonthOverview = z.infer<typeof MonthOverview>;

/** The accounting programs for which statements are written as bills and invoices. */
const AccountingProgram = z.enum(['xero', 'myob']);
export type AccountingProgram = z.infer<typeof AccountingProgram>;

const reason = (max: number) => typedText(max).refine((text) => text !== '', 'Reason is required');

export const monthRoutes = {
  'GET /months': {
    summary: 'The months with rows that the caller sees, newest first',
    response: wholeList(z.strictObject({ month: Month, rows: z.int(), state: MonthState })),
  },
  'GET /months/:month': {
    summary: 'What is to be settled before a month is paid, without checks of columns hidden from the caller',
    params: MonthParams,
    response: MonthOverview,
  },
  'POST /months/:month/waive': {
    summary: 'Waives a check of a month with a reason; another reason replaces the former one',
    params: MonthParams,
    body: z.strictObject({
      check: Check,
      /** Number of rows that the caller saw. Rows that were added since are not waived. */
      rows: wholeNumber(1, 1_000_000_000, 'Must be the number of rows'),
      reason: reason(MAX_WAIVER_REASON_LENGTH),
    }),
    response: CheckResult,
  },
  'DELETE /months/:month/waivers/:check': {
    summary: 'Takes the waiver of a check back',
    params: MonthParams.extend({ check: Check }),
    status: 204,
  },
  'POST /months/:month/close': {
    summary: 'Closes a month: freezes a statement for each person and dealership',
    params: MonthParams,
    response: MonthOverview,
  },
  'POST /months/:month/reopen': {
    summary: 'Opens the month that was closed last; its statements stay, superseded',
    params: MonthParams,
    body: z.strictObject({ reason: reason(MAX_ADJUSTMENT_REASON_LENGTH) }),
    response: MonthOverview,
  },
  'GET /months/:month/accounting': {
    summary:
      'The current statements of a closed month as a CSV file of bills or invoices for an accounting program',
    params: MonthParams,
    query: z.strictObject({
      kind: StatementKind,
      program: AccountingProgram,
      /** The code of the account in the program, to which all amounts are posted. */
      account: typedText(MAX_ACCOUNT_CODE_LENGTH).optional(),
    }),
    download: true,
  },
} as const satisfies RouteTable;
