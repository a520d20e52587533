import { z } from 'zod';
import { DealershipOption } from './dealerships.ts';
import { EmailStatus } from './email-sending.ts';
import { PHONE, PHONE_MESSAGE } from './phone.ts';
import {
  Ability,
  BusinessDate,
  EmailAddress,
  Id,
  IdParams,
  Instant,
  Version,
  plainText,
  queryNumber,
  searchText,
  typedLines,
  typedText,
  type RouteTable,
} from './route.ts';

/** AUD with at most 2 decimals, within numeric(12,2). */
const Money = z
  .number()
  .min(0, 'Please enter a valid number')
  .max(9_999_999_999.99, 'Please enter a valid number')
  .refine((amount) => Number(amount.toFixed(2)) === amount, 'Money has at most 2 decimals');

/** A business month in the company's time zone: `2026-11`. */
export const Month = z.string().regex(/^(19|20)\d\d-(0[1-9]|1[0-2])$/, 'Must be a month such as 2026-11');

const optionalPhone = z.string().regex(PHONE, PHONE_MESSAGE).or(z.literal(''));

const fields = {
  status: plainText(60),
  dealershipId: Id,
  customerName: typedText(120).refine((text) => text !== '', 'Customer name is required'),
  customerNumber: optionalPhone,
  customerEmail: EmailAddress.or(z.literal('')),
  dealNumber: typedText(40),
  vehicle: typedText(120),
  deliveryDate: BusinessDate.nullable(),
  saleAmount: Money.nullable(),
  costAmount: Money.nullable(),
  notes: typedLines(5000),
  followUpAt: Instant.nullable(),
  month: Month,
};

/** One deal row. Fields that this person may not see are absent. */
export const Deal = z.strictObject({
  _id: Id,
  ...fields,
  dealershipName: z.string(),
  grossProfit: z.number().nullable(),
  owner: Id,
  ownerName: z.string(),
  createdBy: Id,
  createdAt: Instant,
  updatedAt: Instant,
  /** Who changed it last. */
  updatedByName: z.string(),
  lastEmailedAt: Instant.nullable(),
  /** The fate of the newest message about this row; null: none was sent. */
  emailStatus: EmailStatus.nullable(),
  version: Version,
  abilities: z.strictObject({ edit: Ability, delete: Ability, email: Ability }),
});
export type Deal = z.infer<typeof Deal>;

/** What a row needs to be saved: a name and a dealership. The rest has defaults. */
export const NewDeal = z.strictObject(fields).partial().required({ dealershipId: true, customerName: true });
export type NewDeal = z.infer<typeof NewDeal>;

/** The changed fields only, and the version that the caller saw (product.md section 4). */
export const DealPatch = z.strictObject(fields).partial().extend({ version: Version });
export type DealPatch = z.infer<typeof DealPatch>;

/** A deal status with its colour (`#rrggbb`); the order is the order of the status cycle. */
export const DealStatus = z.strictObject({
  _id: Id,
  name: z.string(),
  color: z.string(),
  order: z.int(),
  isDefault: z.boolean(),
});
export type DealStatus = z.infer<typeof DealStatus>;

/** Which rows: the same filters for the list and its sums. */
const filters = {
  month: Month.optional(),
  dealershipId: Id.optional(),
  status: plainText(60).optional(),
  search: searchText.optional(),
};

export const dealRoutes = {
  'GET /deals': {
    summary: 'Deal rows, newest first',
    query: z.strictObject({
      ...filters,
      /** Where the page before ended: its `nextCursor`. */
      cursor: Id.optional(),
      limit: queryNumber(z.int().min(1).max(500)).default(100),
    }),
    response: z.strictObject({
      items: z.array(Deal),
      /** At most 1001 with a search; see `totalIsCapped`. */
      total: z.int(),
      totalIsCapped: z.boolean(),
      nextCursor: z.string().nullable(),
    }),
  },
  'GET /deals/summary': {
    summary: 'Counts by status and sums of the same rows',
    query: z.strictObject(filters),
    response: z.strictObject({
      total: z.int(),
      byStatus: z.array(z.strictObject({ status: z.string(), count: z.int() })),
      saleAmount: z.number(),
      grossProfit: z.number(),
    }),
  },
  'GET /deals/options': {
    summary: 'What the cells of a row offer: statuses and dealerships by name',
    response: z.strictObject({
      statuses: z.array(DealStatus),
      dealerships: z.array(DealershipOption),
      /** The month that new rows get: today in the company's time zone. */
      currentMonth: Month,
    }),
  },
  'GET /deals/:id': { summary: 'One deal row', params: IdParams, response: Deal },
  'POST /deals': { summary: 'Adds a deal row', body: NewDeal, status: 201, response: Deal },
  'PATCH /deals/:id': {
    summary: 'Changes fields of a row; merges with what others changed elsewhere in it, else 409',
    params: IdParams,
    body: DealPatch,
    response: Deal,
  },
  'DELETE /deals/:id': {
    summary: 'Deletes a row; an administrator can bring it back for 30 days',
    params: IdParams,
    status: 204,
  },
} as const satisfies RouteTable;
