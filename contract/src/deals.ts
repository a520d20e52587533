import { z } from 'zod';
import { customFieldTypes } from './custom-field-types.ts';
import {
  CustomFieldChanges,
  CustomFieldKey,
  CustomFieldValues,
  VisibleCustomField,
} from './custom-fields.ts';
import {
  dealColumns,
  fieldOf,
  typedFields,
  type ByType,
  type TypedField,
  type TypedType,
} from './deal-fields.ts';
import { MAX_DEAL_ITEMS, MAX_HISTORY_ENTRIES, MAX_ITEM_QUANTITY, RESTORABLE_DAYS } from './deal-limits.ts';
import { DealershipOption } from './dealerships.ts';
import { EmailStatus } from './email-sending.ts';
import { MAX_ITEM_NAME_LENGTH } from './items.ts';
import { Money } from './money.ts';
import { PHONE, PHONE_MESSAGE } from './phone.ts';
import {
  Ability,
  BusinessDate,
  EmailAddress,
  Id,
  IdParams,
  Serial,
  Instant,
  Version,
  uncheckedRow,
  list,
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
import { MAX_STATUS_NAME_LENGTH } from './statuses.ts';

/** A business month in the company's time zone: `2026-11`. */
export const Month = z.string().regex(/^(19|20)\d\d-(0[1-9]|1[0-2])$/, 'Must be a month such as 2026-11');

const Quantity = z.int().min(1).max(MAX_ITEM_QUANTITY);

/**
 * An item sold in a deal, with the name and price at the time of writing, independent of later changes to the item.
 * AUD.
 */
export const DealItem = z.strictObject({
  itemId: Id,
  name: z.string(),
  quantity: Quantity,
  unitPrice: Money,
});
export type DealItem = z.infer<typeof DealItem>;

/** An item as sent by the caller. The price defaults to that of Item Configuration. */
const DealItemInput = DealItem.extend({
  unitPrice: Money.optional(),
  name: plainText(MAX_ITEM_NAME_LENGTH).optional(),
});
export type DealItemInput = z.infer<typeof DealItemInput>;

/** The schemas of typed values, by type of field. */
const typed = {
  text: ({ max = 0, required }) =>
    required === undefined ? typedText(max) : typedText(max).refine((text) => text !== '', required),
  longText: ({ max = 0 }) => typedLines(max),
  phone: () => z.string().regex(PHONE, PHONE_MESSAGE).or(z.literal('')),
  email: () => EmailAddress.or(z.literal('')),
  currency: () => Money.nullable(),
  date: () => BusinessDate.nullable(),
  time: () => Instant.nullable(),
} satisfies Record<TypedType, (field: ReturnType<typeof fieldOf>) => z.ZodType>;
type Typed = { [type in TypedType]: ReturnType<(typeof typed)[type]> };

const fields = {
  status: plainText(MAX_STATUS_NAME_LENGTH),
  dealershipId: z.uuid('Choose one of the dealerships').toLowerCase(),
  /** Without a sale amount, a row has the sum of its items. */
  ...(Object.fromEntries(
    typedFields.map((name) => {
      const field = fieldOf(name);
      return [name, typed[field.type as TypedType](field)];
    }),
  ) as ByType<TypedField, Typed>),
  /** Replaced as a whole. */
  items: list(DealItemInput, MAX_DEAL_ITEMS, `A deal has at most ${MAX_DEAL_ITEMS} items`),
  month: Month,
  /** Values of custom fields by key; only the named ones are set. */
  custom: CustomFieldChanges,
};

/** Derived amounts: returned, and accepted only if unchanged. */
const computedMoney = {
  grossProfit: z.number().nullable(),
  /** Percent of the sale, as it applied when dealership, owner or sale amount was set. Null: no rate was set then. */
  commissionRate: z.number().nullable(),
  /** Sale amount x rate / 100, half a cent rounded up. */
  commission: z.number().nullable(),
};

/** Fields that can be hidden from a user (`dealColumns`), and fields that only describe one of them. */
const columns = z.strictObject({
  ...fields,
  ...computedMoney,
  items: z.array(DealItem),
  /** Absent without a visible custom field. */
  custom: CustomFieldValues,
  dealershipName: z.string(),
  owner: Id,
  ownerName: z.string(),
  createdBy: Id,
  /** Time of the last delivered message about this row, regardless of later messages. */
  lastEmailedAt: Instant.nullable(),
  /** Status of the newest pending message about this row, else of the newest one that was not cancelled; null: none. */
  emailStatus: EmailStatus.nullable(),
  /** The row was edited after the last delivered message that contained it. */
  isChangedSinceSent: z.boolean(),
});

/** One deal row. Fields that the caller may not see are absent. */
export const Deal = columns.partial().extend({
  _id: Id,
  month: Month,
  createdAt: Instant,
  updatedAt: Instant,
  /** Name of the user who last changed it. */
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

/** Response fields that cannot be written; ignored if sent back (docs/product/api.md, Unknown and computed fields). */
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

/** Only name and dealership are required; the other fields have defaults. */
export const NewDeal = z.strictObject(fields).partial().required({ dealershipId: true, customerName: true });
export type NewDeal = z.infer<typeof NewDeal>;

/** One of many new rows, which the service also validates against the caller's choices. */
export const GivenDeal = uncheckedRow(NewDeal);

/**
 * Only the changed fields, and the version that the caller saw (docs/product/data-entry.md, Two people change one row).
 */
export const DealPatch = z
  .strictObject({
    ...fields,
    ...computedMoney,
    /** Transfers the row, with the same rule and audit entry as POST /deals/bulk/owner. */
    owner: z.uuid('Choose an active person').toLowerCase(),
    /** Accepted only if unchanged; sharing has a route of its own. */
    sharedWith: sharingInput(DealShareLevel),
  })
  .partial()
  .extend({ version: Version });
export type DealPatch = z.infer<typeof DealPatch>;

/**
 * A deal status with its colour (`#rrggbb`); `order` is the order of the status cycle. An inactive status is not
 * offered for new values, but rows may still have it.
 */
export const DealStatus = z.strictObject({
  _id: Id,
  name: z.string(),
  color: z.string(),
  order: z.int(),
  active: z.boolean(),
  isDefault: z.boolean(),
  /** Deals with this status are finished: their follow-ups are not due. */
  isClosed: z.boolean(),
  /** Deals with this status are included in commission sums. */
  countsForCommission: z.boolean(),
});
export type DealStatus = z.infer<typeof DealStatus>;

/** A value before or after a change, with names instead of ids. Null: empty, or hidden from the caller. */
const HistoryValue = z.union([
  z.string(),
  z.number(),
  z.array(DealItem),
  z.array(z.strictObject({ name: z.string(), permissions: DealShareLevel })),
  z.null(),
]);
export type HistoryValue = z.infer<typeof HistoryValue>;

/** One change of a row, or of a comment or file of it. Columns hidden from the caller are absent. */
export const HistoryEntry = z.strictObject({
  /** The id of the audit entry. */
  _id: Serial,
  /** The row that was changed: this one, or one that was merged into it. */
  dealId: Id,
  /** Null: a comment or an attachment, which do not change the version of the row. */
  version: Version.nullable(),
  at: Instant,
  action: z.enum([
    'created',
    'updated',
    'shared',
    'transferred',
    'deleted',
    'restored',
    'merged',
    'separated',
    'commentAdded',
    'commentEdited',
    'commentRemoved',
    'attachmentAdded',
    'attachmentRemoved',
  ]),
  /** The change set, if the caller may see it. */
  changeSetId: Id.nullable(),
  /** The user's name at the time of the change. */
  byName: z.string(),
  /** The reason given for a transfer; may be empty. */
  reason: z.string(),
  changes: z.array(
    z.strictObject({
      /**
       * `comment`: the text of a comment, without that of a deleted one; `attachment`: the name of a file;
       * `mergedRows`: the customers of the rows that were merged into the row, or separated from it.
       */
      field: z.union([
        z.enum([...dealColumns, 'month', 'sharedWith', 'comment', 'attachment', 'mergedRows']),
        CustomFieldKey,
      ]),
      /** Of a custom field: its current name and its type. Options and people are named, several as one text. */
      custom: z.strictObject({ name: z.string(), type: z.enum(customFieldTypes) }).optional(),
      before: HistoryValue,
      after: HistoryValue,
    }),
  ),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const dealRoutes = {
  'GET /deals/options': {
    summary: 'The choices for the cells of a row: statuses, dealerships, items and owners by name',
    response: z.strictObject({
      statuses: z.array(DealStatus),
      dealerships: z.array(DealershipOption),
      /** Active items in their order, with their current price. */
      items: z.array(z.strictObject({ _id: Id, name: z.string(), price: Money.nullable() })),
      /** Possible owners of a row by name, including deactivated users; empty if the column is hidden. */
      owners: z.array(z.strictObject({ _id: Id, name: z.string() })),
      /** The columns visible to the caller. */
      columns: z.array(z.enum(dealColumns)),
      /** The custom fields visible to the caller, in their order. */
      customFields: z.array(VisibleCustomField),
      /** Active users by name, as values of a custom field for a person; empty without one. */
      people: z.array(z.strictObject({ _id: Id, name: z.string() })),
      /** Whether the caller can add rows and see them afterwards. */
      add: Ability,
      /** The month of new rows: today in the company's time zone. */
      currentMonth: Month,
      /** Months whose money only changes as an adjustment, oldest first (docs/product/month-close.md, After the close). */
      closedMonths: z.array(Month),
      /** Time zone of business dates and of displayed times, for example `Australia/Sydney`. */
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
    changesDeals: 'minute',
  },
  'PATCH /deals/:id': {
    summary: 'Changes fields of a row; merged with changes of other fields by others, otherwise 409',
    params: IdParams,
    body: DealPatch,
    computed: computedFields,
    response: Deal,
    changesDeals: 'minute',
  },
  'DELETE /deals/:id': {
    summary: `Deletes a row; an administrator can restore it for ${RESTORABLE_DAYS} days`,
    params: IdParams,
    status: 204,
    changesDeals: 'minute',
  },
  'GET /deals/:id/history': {
    summary: `The changes of a row with their authors, newest first; at most the newest ${MAX_HISTORY_ENTRIES}`,
    params: IdParams,
    response: wholeList(HistoryEntry),
  },
  'PUT /deals/:id/sharing': {
    summary: 'Replaces the shares of a row',
    params: IdParams,
    body: sharingBody(DealShareLevel),
    response: Deal,
    changesDeals: 'minute',
  },
  'POST /deals/bulk/share': {
    summary: 'Shares rows with more people or at other levels, or ends shares: all of them or none',
    body: DealShareBody,
    response: wholeList(Deal),
    changesDeals: 'call',
  },
  'POST /deals/bulk/owner': {
    summary: 'Transfers rows to another owner: all of them or none',
    body: DealOwnerBody,
    response: wholeList(Deal),
    changesDeals: 'call',
  },
  'POST /deals/bulk/status': {
    summary: 'Changes the status of rows: all of them or none',
    body: z.strictObject({
      ids: resourceIds,
      status: plainText(MAX_STATUS_NAME_LENGTH),
      versions: seenVersions,
    }),
    response: wholeList(Deal),
    changesDeals: 'call',
  },
  'POST /deals/bulk/month': {
    summary: 'Moves rows to another month: all of them or none',
    body: z.strictObject({ ids: resourceIds, month: Month, versions: seenVersions }),
    response: wholeList(Deal),
    changesDeals: 'call',
  },
  'POST /deals/bulk/delete': {
    summary:
      'Deletes rows: all of them or none; without bulkEdit only those that the caller added in the last hour',
    body: z.strictObject({ ids: resourceIds }),
    status: 204,
    changesDeals: 'call',
  },
  'POST /deals/bulk/restore': {
    summary: `Restores deleted rows: the caller’s own deletions for an hour, administrators all for ${RESTORABLE_DAYS} days`,
    body: z.strictObject({ ids: resourceIds }),
    response: wholeList(Deal),
    changesDeals: 'call',
  },
} as const satisfies RouteTable;
