import type { DealSort } from '@forecourt/contract/deal-list';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import {
  dealRows,
  matching,
  searchFor,
  type DealFilter,
  type DealRow,
  type InScope,
  type SearchColumn,
} from './deals.queries.ts';

/** Counting ends here, so that its cost does not grow with the table; a month is counted to its end. */
const MOST_FOUND = 1000;
const MOST_IN_ALL_MONTHS = 10_000;

/** Where a page ended: what its last row was sorted by, as text, and its id. */
export type Place = { value: string | null; id: string };

export type Page = {
  sort: DealSort;
  /** By status: the name of the one at the top. */
  firstStatus: string | undefined;
  descending: boolean;
  limit: number;
  offset: number;
  after: Place | undefined;
};

type SortKey = {
  by: RawBuilder<unknown>;
  /** What the text of a `Place` is cast to. */
  type: RawBuilder<unknown>;
  /** No row is without it: then an index on it serves the order. */
  isFilled?: true;
};

const plain = (column: string, type: string): SortKey => ({
  by: sql.ref(`deals.${column}`),
  type: sql.raw(type),
});
const filled = (column: string, type: string): SortKey => ({ ...plain(column, type), isFilled: true });
/** An empty text counts as none, as in the grid. */
const read = (text: RawBuilder<unknown>): SortKey => ({
  by: sql`nullif(${text}, '') collate natural_order`,
  type: sql`text`,
});
const text = (column: string): SortKey => read(sql.ref(`deals.${column}`));
const name = (table: string, column: string): SortKey =>
  read(sql`(select name from ${sql.table(table)} as named where named.id = ${sql.ref(`deals.${column}`)})`);

const SORTS: Record<DealSort, SortKey> = {
  createdAt: filled('created_at', 'timestamptz'),
  updatedAt: filled('updated_at', 'timestamptz'),
  month: filled('month', 'text'),
  status: {
    by: sql`(select position from statuses where statuses.id = deals.status_id)`,
    type: sql`integer`,
  },
  dealershipId: name('dealerships', 'dealership_id'),
  customerName: text('customer_name'),
  customerNumber: text('customer_number'),
  customerEmail: text('customer_email'),
  dealNumber: text('deal_number'),
  vehicle: text('vehicle'),
  deliveryDate: plain('delivery_date', 'date'),
  items: read(
    sql`(select string_agg(name, ', ' order by position) from deal_items where deal_id = deals.id)`,
  ),
  saleAmount: plain('sale_amount', 'numeric'),
  costAmount: plain('cost_amount', 'numeric'),
  grossProfit: { by: sql`(deals.sale_amount - deals.cost_amount)`, type: sql`numeric` },
  commissionRate: plain('commission_rate', 'numeric'),
  commission: plain('commission', 'numeric'),
  notes: text('notes'),
  followUpAt: plain('follow_up_at', 'timestamptz'),
  owner: name('users', 'owner_id'),
  lastEmailedAt: {
    by: sql`(
      select sent_at from email_deals join emails on emails.id = email_id
      where email_deals.deal_id = deals.id order by emails.created_at desc limit 1)`,
    type: sql`timestamptz`,
  },
};

/** More than there are places in the order of the statuses. */
const ROUND = 1_000_000;

/** The cycle of the statuses from one of them on. One that the viewer may not see is as good as none. */
const fromStatus = (name: string, { exceptStatuses }: InScope): SortKey => ({
  by: sql`(
    select position + case when position < (
      select position from statuses
      where lower(name) = lower(${name}) and id <> all(${exceptStatuses}::uuid[])
    ) then ${sql.lit(ROUND)} else 0 end
    from statuses where statuses.id = deals.status_id)`,
  type: sql`integer`,
});

const sortKey = (scope: InScope, { sort, firstStatus }: Page): SortKey =>
  firstStatus === undefined ? SORTS[sort] : fromStatus(firstStatus, scope);

const directionOf = ({ isFilled }: SortKey, descending: boolean) =>
  sql.raw(`${descending ? 'desc' : 'asc'}${isFilled ? '' : ' nulls last'}`);

/** The rows behind a place: as quick far down as at the top. Written so that an index on what is sorted by serves it. */
function behind(
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

/** Where counting ends. Null: every row is counted. */
function mostCounted(scope: InScope, filter: DealFilter): number | null {
  if (filter.search !== undefined) return MOST_FOUND;
  return (filter.month ?? scope.onlyMonth) === null ? MOST_IN_ALL_MONTHS : null;
}

/** How many rows match; one more than is counted, where there are more. */
function counting(db: Db | Tx, scope: InScope, filter: DealFilter) {
  const most = mostCounted(scope, filter);
  const rows = db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .select('deals.id')
    .$if(most !== null, (query) => query.limit(most! + 1));
  return db.selectFrom(rows.as('matching')).select((eb) => eb.fn.countAll<number>().as('count'));
}

/**
 * One page. First which rows, then what is in them: names, shares and messages are read of the page alone.
 * @param gathers finds all matching rows before it puts them in order: right where these are few and far between
 */
function pageRows(db: Db | Tx, scope: InScope, filter: DealFilter, page: Page, gathers: boolean) {
  const key = sortKey(scope, page);
  const { by } = key;
  const direction = directionOf(key, page.descending);
  const matches = db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .selectAll('deals');
  // An offset keeps PostgreSQL from walking through all rows in their order, in search of those few.
  const rows = (gathers ? matches.offset(0) : matches).as('deals');
  const places = db
    .selectFrom(rows)
    .select(['deals.id', by.as('sort_value')])
    .$if(page.after !== undefined, (query) => query.where(behind(key, page.descending, page.after!)))
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

type Listed = { rows: (DealRow & { sort_key: string | null })[]; total: number; isCapped: boolean };

/** Without what a statement's text says instead of its values. */
type Filter = Omit<DealFilter, 'searchIn'>;
type Question = { scope: InScope; filter: Filter; page: Omit<Page, 'sort'> };

/** A page and how many there are in one statement. Not for a search: how its rows are found depends on how many. */
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

/** One page of the matching rows, and how many match: exactly in a month, else as far as is counted. */
export async function listDeals(
  db: Db | Tx,
  scope: InScope,
  filter: DealFilter,
  { sort, ...page }: Page,
): Promise<Listed> {
  const most = mostCounted(scope, filter);
  const listed = (rows: Listed['rows'], count: number): Listed =>
    most !== null && count > most
      ? { rows, total: most, isCapped: true }
      : { rows, total: count, isCapped: false };

  const { search, searchIn, ...rest } = filter;
  if (search !== undefined) {
    const sought = { ...rest, search: typeof search === 'string' ? searchFor(search) : search };
    const [counted] = await countFound(db, { scope, filter: sought }, { searchIn });
    const { count } = counted!;
    if (count === 0) return listed([], 0);
    const form = { searchIn, sort, gathers: count <= MOST_FOUND };
    return listed(await pageOfFound(db, { scope, filter: sought, page }, form), count);
  }
  const rows = await pageAndTotal(db, { scope, filter: rest, page }, sort);
  const isBehindTheEnd = rows.length === 0 && (page.offset > 0 || page.after !== undefined);
  const count = isBehindTheEnd
    ? (await counting(db, scope, filter).executeTakeFirstOrThrow()).count
    : (rows[0]?.total ?? 0);
  return listed(rows, count);
}
