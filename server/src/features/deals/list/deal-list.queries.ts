import type { DealSort } from '@forecourt/contract/deal-list';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { where } from '../../../platform/conditions.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { columnOf, storedFields, type StoredField } from '../deals.fields.ts';
import { statusVisible } from '../deals.policy.ts';
import {
  dealRows,
  lastEmailedAt,
  matching,
  searchFor,
  type DealFilter,
  type DealRow,
  type InScope,
  type SearchColumn,
} from '../deals.queries.ts';
import { COUNTS } from './deal-figures.queries.ts';

/**
 * Counting stops at these limits, so that its cost does not grow with the table; a month is counted
 * completely.
 */
const MAX_FOUND = 1000;
const MAX_IN_ALL_MONTHS = 10_000;

/** The end of a page: the sort value of its last row, as text, and its id. */
export type Place = { value: string | null; id: string };

export type Page = {
  sort: DealSort;
  /** For the sort by status: the name of the status that comes first. */
  firstStatus: string | undefined;
  descending: boolean;
  limit: number;
  offset: number;
  after: Place | undefined;
};

type SortKey = {
  by: RawBuilder<unknown>;
  /** SQL type to which the text of a `Place` is cast. */
  type: RawBuilder<unknown>;
  /** Never null, so that an index can serve the sort. */
  isFilled?: true;
};

const plain = (column: string, type: string): SortKey => ({
  by: sql.ref(`deals.${column}`),
  type: sql.raw(type),
});
const filled = (column: string, type: string): SortKey => ({ ...plain(column, type), isFilled: true });
/** An empty text is sorted as null, as in the grid. */
const read = (text: RawBuilder<unknown>): SortKey => ({
  by: sql`nullif(${text}, '') collate natural_order`,
  type: sql`text`,
});
const text = (column: string): SortKey => read(sql.ref(`deals.${column}`));
const name = (table: string, column: string): SortKey =>
  read(sql`(select name from ${sql.table(table)} as named where named.id = ${sql.ref(`deals.${column}`)})`);

/** Fields with a column of their own are sorted by it. */
const stored = Object.fromEntries(
  storedFields.map((field) => {
    const column = columnOf(field);
    return [field, column.type === 'text' ? text(column.name) : plain(column.name, column.type)];
  }),
) as Record<StoredField, SortKey>;

const SORTS: Record<DealSort, SortKey> = {
  ...stored,
  createdAt: filled('created_at', 'timestamptz'),
  updatedAt: filled('updated_at', 'timestamptz'),
  month: filled('month', 'text'),
  status: {
    by: sql`(select position from statuses where statuses.id = deals.status_id)`,
    type: sql`integer`,
  },
  dealershipId: name('dealerships', 'dealership_id'),
  items: read(
    sql`(select string_agg(name, ', ' order by position) from deal_items where deal_id = deals.id)`,
  ),
  grossProfit: { by: sql`(deals.sale_amount - deals.cost_amount)`, type: sql`numeric` },
  commission: plain('commission', 'numeric'),
  owner: name('users', 'owner_id'),
  lastEmailedAt: { by: lastEmailedAt, type: sql`timestamptz` },
};

/** Greater than the number of statuses. */
const ROUND = 1_000_000;

/** Returns the sort by status cycle that begins at one status. A status hidden from the viewer is ignored. */
const fromStatus = (name: string, scope: InScope): SortKey => ({
  by: sql`(
    select position + case when position < (
      select position from statuses
      where lower(name) = lower(${name}) and ${where(statusVisible, scope, { statusId: sql`id` })}
    ) then ${sql.lit(ROUND)} else 0 end
    from statuses where statuses.id = deals.status_id)`,
  type: sql`integer`,
});

const sortKey = (scope: InScope, { sort, firstStatus }: Page): SortKey =>
  firstStatus === undefined ? SORTS[sort] : fromStatus(firstStatus, scope);

const directionOf = ({ isFilled }: SortKey, descending: boolean) =>
  sql.raw(`${descending ? 'desc' : 'asc'}${isFilled ? '' : ' nulls last'}`);

/**
 * Returns the condition for the rows after a place, which is equally fast on every page. An index on the sort
 * column can serve it.
 */
function whereAfter(
  { by, type, isFilled }: SortKey,
  descending: boolean,
  { value, id }: Place,
): RawBuilder<SqlBool> {
  const isOlder = sql`deals.id < ${id}::uuid`;
  if (value === null) return sql<SqlBool>`(${by} is null and ${isOlder})`;
  const place = sql`${value}::${type}`;
  const is = sql.raw(descending ? '<' : '>');
  const follows = sql<SqlBool>`(${by} ${is}= ${place} and (${by} ${is} ${place} or ${isOlder}))`;
  return isFilled ? follows : sql<SqlBool>`(${follows} or ${by} is null)`;
}

/** Returns the limit of counting; null: all rows are counted. */
function countLimit(scope: InScope, filter: DealFilter): number | null {
  if (filter.search !== undefined) return MAX_FOUND;
  return (filter.month ?? scope.onlyMonth) === null ? MAX_IN_ALL_MONTHS : null;
}

/** Counts the matching rows, up to one more than the limit. */
function counting(db: Db | Tx, scope: InScope, filter: DealFilter) {
  const most = countLimit(scope, filter);
  const rows = db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .select('deals.id')
    .$if(most !== null, (query) => query.limit(most! + 1));
  return db.selectFrom(rows.as('matching')).select((eb) => eb.fn.countAll<number>().as('count'));
}

/**
 * Returns the query of one page. It selects the ids first, so that names, shares and messages are read only
 * for these.
 * @param gathers whether to find all matching rows before sorting them, which is faster if there are few
 */
function pageRows(db: Db | Tx, scope: InScope, filter: DealFilter, page: Page, gathers: boolean) {
  const key = sortKey(scope, page);
  const { by } = key;
  const direction = directionOf(key, page.descending);
  const matches = db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .selectAll('deals');
  // `offset 0` prevents PostgreSQL from scanning all rows in sort order for a few matching ones.
  const rows = (gathers ? matches.offset(0) : matches).as('deals');
  const places = db
    .selectFrom(rows)
    .select(['deals.id', by.as('sort_value')])
    .$if(page.after !== undefined, (query) => query.where(whereAfter(key, page.descending, page.after!)))
    .orderBy(sql`sort_value ${direction}`)
    .orderBy('deals.id', 'desc')
    .limit(page.limit)
    .$if(page.offset > 0, (query) => query.offset(page.offset));
  return dealRows(db)
    .innerJoin(places.as('places'), 'places.id', 'deals.id')
    .select(sql<string | null>`places.sort_value::text`.as('sort_key'))
    .orderBy(sql`places.sort_value ${direction}`)
    .orderBy('deals.id', 'desc');
}

type ListedDeals = { rows: (DealRow & { sort_key: string | null })[]; total: number; isCapped: boolean };

/** Without `searchIn`, which is in the text of the statement and not among its values. */
type Filter = Omit<DealFilter, 'searchIn'>;
type Question = { scope: InScope; filter: Filter; page: Omit<Page, 'sort'> };

/** Reads a page and the total in one statement. Not for a search, whose plan depends on the total. */
const pageAndTotal = prepared((db, { scope, filter, page }: Question, sort: DealSort) =>
  pageRows(db, scope, filter, { ...page, sort }, false).select(counting(db, scope, filter).as('total')),
);

type SearchIn = readonly SearchColumn[] | undefined;

const countFound = prepared(
  (db, { scope, filter }: Omit<Question, 'page'>, { searchIn }: { searchIn: SearchIn }) =>
    counting(db, scope, { ...filter, searchIn }),
);
const pageOfFound = prepared(
  (
    db,
    { scope, filter, page }: Question,
    { searchIn, sort, gathers }: { searchIn: SearchIn; sort: DealSort; gathers: boolean },
  ) => pageRows(db, scope, { ...filter, searchIn }, { ...page, sort }, gathers),
);

/** Returns one page of the matching rows and their number, which is exact or the limit of counting. */
export async function listDeals(
  db: Db | Tx,
  scope: InScope,
  filter: DealFilter,
  { sort, ...page }: Page,
): Promise<ListedDeals> {
  const most = countLimit(scope, filter);
  const capped = (rows: ListedDeals['rows'], count: number): ListedDeals =>
    most !== null && count > most
      ? { rows, total: most, isCapped: true }
      : { rows, total: count, isCapped: false };

  const { search, searchIn, ...rest } = filter;
  if (search !== undefined) {
    const parsed = { ...rest, search: typeof search === 'string' ? searchFor(search) : search };
    const [counted] = await countFound(db, { scope, filter: parsed }, { searchIn });
    const { count } = counted!;
    if (count === 0) return capped([], 0);
    const form = { searchIn, sort, gathers: count <= MAX_FOUND };
    return capped(await pageOfFound(db, { scope, filter: parsed, page }, form), count);
  }
  const rows = await pageAndTotal(db, { scope, filter: rest, page }, sort);
  const isPastEnd = rows.length === 0 && (page.offset > 0 || page.after !== undefined);
  const count = isPastEnd
    ? (await counting(db, scope, filter).executeTakeFirstOrThrow()).count
    : (rows[0]?.total ?? 0);
  return capped(rows, count);
}

export type ExportFilter = DealFilter & {
  /** Only matching rows with these ids. */
  ids?: readonly string[] | undefined;
};

const chosen = (ids: readonly string[]) => sql<SqlBool>`deals.id = any(${ids}::uuid[])`;

/** Returns the exact number of matching rows. */
export async function countRows(db: Db | Tx, scope: InScope, filter: ExportFilter): Promise<number> {
  const { count } = await db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .$if(filter.ids !== undefined, (query) => query.where(chosen(filter.ids!)))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Returns the matching rows that follow the row `after`, newest first, each with whether its status counts
 * for commission.
 */
export const readRows = (
  db: Db | Tx,
  scope: InScope,
  filter: ExportFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<(DealRow & { counts: SqlBool })[]> =>
  dealRows(db)
    .select(COUNTS.as('counts'))
    .where((eb) => matching(eb, scope, filter))
    .$if(filter.ids !== undefined, (query) => query.where(chosen(filter.ids!)))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(deals.created_at, deals.id) < (select created_at, id from deals where id = ${after})`,
      ),
    )
    .orderBy('deals.created_at', 'desc')
    .orderBy('deals.id', 'desc')
    .limit(limit)
    .execute();
