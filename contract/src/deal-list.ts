import { z } from 'zod';
import { Deal, Month } from './deals.ts';
import { dealColumns } from './permission-defaults.ts';
import { BusinessDate, Id, plainText, queryNumber, searchText, type RouteTable } from './route.ts';

/** A row in a list, which may have been asked for with some of its fields only. */
const ListedDeal = Deal.partial().required({ _id: true, version: true });
export type ListedDeal = z.infer<typeof ListedDeal>;

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

export const dealListRoutes = {
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
      /** The month that all of it is of, where the caller may see no other. */
      onlyMonth: Month.optional(),
      total: z.int(),
      byStatus: z.array(z.strictObject({ status: z.string(), count: z.int() })),
      saleAmount: z.number().optional(),
      grossProfit: z.number().optional(),
      commission: z.number().optional(),
    }),
  },
} as const satisfies RouteTable;
