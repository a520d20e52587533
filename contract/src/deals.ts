import { z } from 'zod';
import { DealershipOption } from './dealerships.ts';
import { EmailStatus } from './email-sending.ts';
import { Money } from './money.ts';
import { dealColumns } from './permission-defaults.ts';
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
  typedLines,
  typedText,
  wholeList,
  type RouteTable,
} from './route.ts';
import {
  DealOwnerBody,
  DealShareBody,
  DealShareLevel,
  resourceIds,
  seenVersions,
  sharingBody,
  sharingEntry,
  sharingInput,
} from './sharing.ts';

/** A business month in the company's time zone: `2026-11`. */
export const Month = z.string().regex(/^(19|20)\d\d-(0[1-9]|1[0-2])$/, 'Must be a month such as 2026-11');

const optionalPhone = z.string().regex(PHONE, PHONE_MESSAGE).or(z.literal(''));

const Quantity = z.int().min(1).max(9999);

/** What is sold in a deal, with the name and price it was written with, whatever becomes of the item. AUD. */
export const DealItem = z.strictObject({
  itemId: Id,
  name: z.string(),
  quantity: Quantity,
  unitPrice: Money,
});
export type DealItem = z.infer<typeof DealItem>;

/** An item as it is written: its price is the one of Item Configuration until somebody types another. */
const DealItemInput = DealItem.extend({ unitPrice: Money.optional(), name: plainText(80).optional() });
export type DealItemInput = z.infer<typeof DealItemInput>;

const fields = {
  status: plainText(60),
  dealershipId: z.uuid('Choose one of the dealerships').toLowerCase(),
  customerName: typedText(120).refine((text) => text !== '', 'Customer name is required'),
  customerNumber: optionalPhone,
  customerEmail: EmailAddress.or(z.literal('')),
  dealNumber: typedText(40),
  vehicle: typedText(120),
  deliveryDate: BusinessDate.nullable(),
  /** At most 50. Replaced as a whole. */
  items: z.array(DealItemInput).max(50, 'A deal has at most 50 items'),
  /** Without one that was typed, the sum of the items. */
  saleAmount: Money.nullable(),
  costAmount: Money.nullable(),
  notes: typedLines(5000),
  followUpAt: Instant.nullable(),
  month: Month,
};

/** What follows from the amounts: answered, and taken back only as it was answered. */
const computedMoney = {
  grossProfit: z.number().nullable(),
  /** Percent of the sale: what held when dealership, owner or sale amount was set. Null: not set since there are rates. */
  commissionRate: z.number().nullable(),
  /** Sale amount x rate / 100, half a cent rounded up. */
  commission: z.number().nullable(),
};

/** The fields that a person can be kept from seeing (`dealColumns`), with those that only explain one of them. */
const columns = z.strictObject({
  ...fields,
  ...computedMoney,
  items: z.array(DealItem),
  dealershipName: z.string(),
  owner: Id,
  ownerName: z.string(),
  createdBy: Id,
  lastEmailedAt: Instant.nullable(),
  /** The fate of the newest message about this row; null: none was sent. */
  emailStatus: EmailStatus.nullable(),
  /** That message was sent, and what it told of the row has been edited since. */
  isChangedSinceSent: z.boolean(),
});

/** One deal row. Fields that this person may not see are absent. */
export const Deal = columns.partial().extend({
  _id: Id,
  month: Month,
  createdAt: Instant,
  updatedAt: Instant,
  /** Who changed it last. */
  updatedByName: z.string(),
  sharedWith: z.array(sharingEntry(DealShareLevel)),
  version: Version,
  abilities: z.strictObject({
    edit: Ability,
    delete: Ability,
    email: Ability,
    share: Ability,
    transfer: Ability,
  }),
});
export type Deal = z.infer<typeof Deal>;

/** What a row is answered with and nobody types: dropped where it is sent back (product.md section 3). */
export const computedFields = [
  '_id',
  'dealershipName',
  'ownerName',
  'createdBy',
  'lastEmailedAt',
  'emailStatus',
  'isChangedSinceSent',
  'createdAt',
  'updatedAt',
  'updatedByName',
  'abilities',
] as const satisfies (keyof Deal)[];

/** What a row needs to be saved: a name and a dealership. The rest has defaults. */
export const NewDeal = z.strictObject(fields).partial().required({ dealershipId: true, customerName: true });
export type NewDeal = z.infer<typeof NewDeal>;

/**
 * One of many new rows as it comes in. The service checks each as a `NewDeal` against what its writer may choose, so
 * that what is wrong with one is told beside what is wrong with another.
 */
export const GivenDeal = z
  .looseObject({})
  .meta(z.toJSONSchema(NewDeal, { io: 'input', unrepresentable: 'any' }));

/** The changed fields only, and the version that the caller saw (product.md section 4). */
export const DealPatch = z
  .strictObject({
    ...fields,
    ...computedMoney,
    /** Hands the row over, by the same rule and with the same entry as POST /deals/bulk/owner. */
    owner: z.uuid('Choose an active person').toLowerCase(),
    /** Only as it was answered: sharing has a call of its own. */
    sharedWith: sharingInput(DealShareLevel),
  })
  .partial()
  .extend({ version: Version });
export type DealPatch = z.infer<typeof DealPatch>;

/**
 * A deal status with its colour (`#rrggbb`); the order is the order of the status cycle. One that is not active is
 * no longer offered, and rows may have it all the same.
 */
export const DealStatus = z.strictObject({
  _id: Id,
  name: z.string(),
  color: z.string(),
  order: z.int(),
  active: z.boolean(),
  isDefault: z.boolean(),
});
export type DealStatus = z.infer<typeof DealStatus>;

/** A value as it was or is, with names where the row has ids. Null: empty, or something this person may not see. */
const HistoryValue = z.union([
  z.string(),
  z.number(),
  z.array(DealItem),
  z.array(z.strictObject({ name: z.string(), permissions: DealShareLevel })),
  z.null(),
]);
export type HistoryValue = z.infer<typeof HistoryValue>;

/** What somebody did with a row. Columns that do not exist for the reader are absent. */
export const HistoryEntry = z.strictObject({
  version: Version,
  at: Instant,
  action: z.enum(['created', 'updated', 'shared', 'transferred', 'deleted', 'restored']),
  /** Who did it, by the name of then. */
  byName: z.string(),
  /** Why it was handed over, where somebody said so. */
  reason: z.string(),
  changes: z.array(
    z.strictObject({
      field: z.enum([...dealColumns, 'month', 'sharedWith']),
      before: HistoryValue,
      after: HistoryValue,
    }),
  ),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const dealRoutes = {
  'GET /deals/options': {
    summary: 'What the cells of a row offer: statuses, dealerships, items and owners by name',
    response: z.strictObject({
      statuses: z.array(DealStatus),
      dealerships: z.array(DealershipOption),
      /** Those that are active, in their order, with the price that they are offered at. */
      items: z.array(z.strictObject({ _id: Id, name: z.string(), price: Money.nullable() })),
      /** Everybody whom a row may belong to, also who has left, by name; none where that column does not exist. */
      owners: z.array(z.strictObject({ _id: Id, name: z.string() })),
      /** The columns that exist for the caller. */
      columns: z.array(z.enum(dealColumns)),
      /** Whether the caller can add rows that they then see. */
      add: Ability,
      /** The month that new rows get: today in the company's time zone. */
      currentMonth: Month,
      /** The zone of business dates and of the times that people type and read, such as `Australia/Sydney`. */
      timeZone: z.string(),
    }),
  },
  'GET /deals/:id': { summary: 'One deal row', params: IdParams, response: Deal },
  'POST /deals': {
    summary: 'Adds a deal row',
    body: NewDeal,
    computed: computedFields,
    status: 201,
    response: Deal,
  },
  'PATCH /deals/:id': {
    summary: 'Changes fields of a row; merges with what others changed elsewhere in it, else 409',
    params: IdParams,
    body: DealPatch,
    computed: computedFields,
    response: Deal,
  },
  'DELETE /deals/:id': {
    summary: 'Deletes a row; an administrator can bring it back for 30 days',
    params: IdParams,
    status: 204,
  },
  'GET /deals/:id/history': {
    summary: 'Who changed what in a row, newest first; at most the newest 1000 changes',
    params: IdParams,
    response: wholeList(HistoryEntry),
  },
  'PUT /deals/:id/sharing': {
    summary: 'Replaces who a row is shared with',
    params: IdParams,
    body: sharingBody(DealShareLevel),
    response: Deal,
  },
  'POST /deals/bulk/share': {
    summary: 'Shares rows with more people or at other levels, or ends shares: all of them or none',
    body: DealShareBody,
    response: wholeList(Deal),
  },
  'POST /deals/bulk/owner': {
    summary: 'Hands rows to another owner: all of them or none',
    body: DealOwnerBody,
    response: wholeList(Deal),
  },
  'POST /deals/bulk/status': {
    summary: 'Gives rows another status: all of them or none',
    body: z.strictObject({ ids: resourceIds, status: plainText(60), versions: seenVersions }),
    response: wholeList(Deal),
  },
  'POST /deals/bulk/month': {
    summary: 'Moves rows to another month: all of them or none',
    body: z.strictObject({ ids: resourceIds, month: Month, versions: seenVersions }),
    response: wholeList(Deal),
  },
  'POST /deals/bulk/delete': {
    summary: 'Deletes rows: all of them or none',
    body: z.strictObject({ ids: resourceIds }),
    status: 204,
  },
  'POST /deals/bulk/restore': {
    summary: 'Brings deleted rows back: what one deleted oneself for an hour, administrators for 30 days',
    body: z.strictObject({ ids: resourceIds }),
    response: wholeList(Deal),
  },
} as const satisfies RouteTable;
