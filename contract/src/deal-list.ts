import { z } from 'zod';
import { CustomFieldKey } from './custom-fields.ts';
import { dealColumns } from './deal-fields.ts';
import { columnFilterText } from './deal-filter.ts';
import { MAX_MARKED_ROWS, MAX_PAGE_ROWS } from './deal-limits.ts';
import { Deal, Month } from './deals.ts';
import { Figures } from './figures.ts';
import {
  BusinessDate,
  Id,
  list,
  plainText,
  queryNumber,
  searchText,
  wholeList,
  type RouteTable,
} from './route.ts';
import { MAX_STATUS_NAME_LENGTH } from './statuses.ts';

/** A row with the requested fields only. */
const ListedDeal = Deal.partial().required({ _id: true, version: true });
export type ListedDeal = z.infer<typeof ListedDeal>;

/** Response fields that `fields` may name. */
export const dealFields = Object.keys(Deal.shape) as (keyof Deal)[];

/**
 * Sort keys, besides custom fields. Empty cells come last in both directions; equal values are ordered newest first.
 */
export const dealSorts = [...dealColumns, 'month', 'createdAt', 'updatedAt'] as const;
export type DealSort = (typeof dealSorts)[number];

/** Maximum rows of one response, and of one response with `shape=rows`. */
const MAX_PAGE_ITEMS = 500;

/** Maximum offset for `page`; later rows need a cursor. */
const MAX_OFFSET = 100_000;

/** Filters of the list and of its sums. */
export const dealFilters = {
  month: Month.optional(),
  /** First and last business day of creation, both inclusive. */
  from: BusinessDate.optional(),
  to: BusinessDate.optional(),
  dealershipId: Id.optional(),
  status: plainText(MAX_STATUS_NAME_LENGTH).optional(),
  owner: Id.optional(),
  search: searchText.optional(),
  /** Conditions on columns, as JSON (docs/product/api.md, Filters). */
  filter: columnFilterText.optional(),
};

/** Comma-separated field names, for example `customerName,saleAmount`. */
const fieldNames = z
  .string()
  .max(1000)
  .transform((text) => text.split(','))
  .pipe(
    list(
      z.enum(dealFields, { error: ({ input }) => `There is no field '${String(input)}'` }),
      dealFields.length,
    ),
  );

const listQuery = z
  .strictObject({
    ...dealFilters,
    sort: z.union([z.enum(dealSorts), CustomFieldKey]).default('createdAt'),
    /**
     * With sort=status, the name of the first status. Later statuses of the cycle follow, then earlier ones
     * (docs/product/data-entry.md, Sorting).
     */
    firstStatus: plainText(MAX_STATUS_NAME_LENGTH).optional(),
    /** Default: descending without a sort, otherwise ascending. */
    order: z.enum(['asc', 'desc']).optional(),
    page: queryNumber(z.int().min(1)).optional(),
    /** The `nextCursor` of the previous page. All pages are equally fast. */
    cursor: plainText(1000).optional(),
    limit: queryNumber(z.int().min(1).max(MAX_PAGE_ROWS)).default(100),
    /** Returns only these fields, plus `_id` and `version`. */
    fields: fieldNames.optional(),
    /** `rows` returns field names once in `columns`, and each row as an array of values in `rows`. */
    shape: z.enum(['items', 'rows']).default('items'),
  })
  .refine(({ shape, limit }) => shape === 'rows' || limit <= MAX_PAGE_ITEMS, {
    path: ['limit'],
    message: `At most ${MAX_PAGE_ITEMS}, or ${MAX_PAGE_ROWS} with shape=rows`,
  })
  .refine(({ sort, firstStatus }) => firstStatus === undefined || sort === 'status', {
    path: ['firstStatus'],
    message: 'Only with sort=status',
  })
  .refine(({ page, cursor }) => page === undefined || cursor === undefined, {
    path: ['cursor'],
    message: 'Name a page or a cursor',
  })
  .refine(({ page = 1, limit }) => (page - 1) * limit <= MAX_OFFSET, {
    path: ['page'],
    message: 'This far only by cursor',
  });
export type DealListQuery = z.output<typeof listQuery>;

export const dealListRoutes = {
  'GET /deals': {
    summary: 'Deal rows, newest first by default',
    query: listQuery,
    response: z.strictObject({
      /** Empty with `shape=rows`. */
      items: z.array(ListedDeal),
      columns: z.array(z.enum(dealFields)).optional(),
      rows: z.array(z.array(z.unknown())).optional(),
      total: z.int(),
      /** More than `total` rows exist: counting stops at 1,000 in a search and at 10,000 in all months. */
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
    /** Figures of hidden columns are absent. */
    response: z.strictObject({
      /** Set if the caller may see only this month. */
      onlyMonth: Month.optional(),
      total: z.int(),
      byStatus: z.array(z.strictObject({ status: z.string(), count: z.int() })),
      saleAmount: z.number().optional(),
      grossProfit: z.number().optional(),
      commission: Figures.shape.commission,
      withoutRate: Figures.shape.withoutRate,
    }),
  },
  'GET /deals/marks': {
    summary: `Which rows have comments or files, of a month or of all months; of each at most the newest ${MAX_MARKED_ROWS}`,
    query: z.strictObject({ month: Month.optional() }),
    response: wholeList(
      z.strictObject({
        dealId: Id,
        comments: z.int(),
        /** Number of other users' comments that the caller has not read. */
        unread: z.int(),
        files: z.int(),
      }),
    ),
  },
} as const satisfies RouteTable;
