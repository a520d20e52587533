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
  queryNumber,
  searchText,
  typedLines,
  typedText,
  wholeList,
  type RouteTable,
} from './route.ts';
import {
  DealOwnerBody,
  DealShareLevel,
  bulkShareBody,
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
  dealershipId: Id,
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

/** A row in a list, which may have been asked for with some of its fields only. */
const ListedDeal = Deal.partial().required({ _id: true, version: true });
export type ListedDeal = z.infer<typeof ListedDeal>;

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
    owner: Id,
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

/** The field of an answer by its name: what `fields` may ask for. */
export const dealFields = Object.keys(Deal.shape) as (keyof Deal)[];

/** What rows can be sorted by. Empty cells come last in both directions; equals stand newest first. */
export const dealSorts = [...dealColumns, 'month', 'createdAt', 'updatedAt'] as const;
export type DealSort = (typeof dealSorts)[number];

/** Rows of one answer, and of one answer in the shape `rows`. */
const MOST_ITEMS = 500;
const MOST_ROWS = 5000;

/** Pages that are counted reach this far; what lies behind is reached by cursor. */
const FURTHEST = 100_000;

/** Which rows: the same filters for the list and its sums. */
export const dealFilters = {
  month: Month.optional(),
  /** The first and the last business day on which a row was made, both included. */
  from: BusinessDate.optional(),
  to: BusinessDate.optional(),
  dealershipId: Id.optional(),
  status: plainText(60).optional(),
  owner: Id.optional(),
  search: searchText.optional(),
};

/** `customerName,saleAmount`: fields by name, each of them known. */
const fieldNames = z
  .string()
  .max(1000)
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(dealFields, { error: ({ input }) => `There is no field '${String(input)}'` })));

const listQuery = z
  .strictObject({
    ...dealFilters,
    sort: z.enum(dealSorts).default('createdAt'),
    /** By status: the one at the top, by its name. Those behind it follow, then those before it (spec section 4). */
    firstStatus: plainText(60).optional(),
    /** Newest first, where no sort is named; else ascending. */
    order: z.enum(['asc', 'desc']).optional(),
    page: queryNumber(z.int().min(1)).optional(),
    /** Where the page before ended: its `nextCursor`. As quick for the last page as for the first. */
    cursor: plainText(1000).optional(),
    limit: queryNumber(z.int().min(1).max(MOST_ROWS)).default(100),
    /** Only these fields, besides `_id` and `version`. */
    fields: fieldNames.optional(),
    /** `rows`: the names of the fields once, in `columns`, and each row as their values, in `rows`. */
    shape: z.enum(['items', 'rows']).default('items'),
  })
  .refine(({ shape, limit }) => shape === 'rows' || limit <= MOST_ITEMS, {
    path: ['limit'],
    message: `At most ${MOST_ITEMS}, or ${MOST_ROWS} with shape=rows`,
  })
  .refine(({ sort, firstStatus }) => firstStatus === undefined || sort === 'status', {
    path: ['firstStatus'],
    message: 'Only with sort=status',
  })
  .refine(({ page, cursor }) => page === undefined || cursor === undefined, {
    path: ['cursor'],
    message: 'Name a page or a cursor',
  })
  .refine(({ page = 1, limit }) => (page - 1) * limit <= FURTHEST, {
    path: ['page'],
    message: 'This far only by cursor',
  });
export type DealListQuery = z.output<typeof listQuery>;

export const dealRoutes = {
  'GET /deals': {
    summary: 'Deal rows, newest first unless sorted otherwise',
    query: listQuery,
    response: z.strictObject({
      /** None in the shape `rows`. */
      items: z.array(ListedDeal),
      columns: z.array(z.enum(dealFields)).optional(),
      rows: z.array(z.array(z.unknown())).optional(),
      /** See `totalIsCapped`. */
      total: z.int(),
      /** There are more than `total`: counting ends at 1,000 in a search and at 10,000 in all months. */
      totalIsCapped: z.boolean(),
      page: z.int(),
      limit: z.int(),
      totalPages: z.int(),
      nextCursor: z.string().nullable(),
    }),
  },
  'GET /deals/summary': {
    summary: 'Counts by status and sums of the same rows',
    query: z.strictObject(dealFilters),
    /** What is made of a column that the caller may not see is absent. */
    response: z.strictObject({
      total: z.int(),
      byStatus: z.array(z.strictObject({ status: z.string(), count: z.int() })),
      saleAmount: z.number().optional(),
      grossProfit: z.number().optional(),
      commission: z.number().optional(),
    }),
  },
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
    summary: 'Shares rows with more people, or at other levels: all of them or none',
    body: bulkShareBody('ids', DealShareLevel),
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
