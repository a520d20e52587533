import type { DealSort } from '@forecourt/contract/deal-list';
import type { DealItem } from '@forecourt/contract/deals';
import { sql, type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { where } from '../../../platform/conditions.ts';
import { jsonInstant, type Db, type Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { sharesById } from '../../../platform/sharing/shares.queries.ts';
import { columnOf, storedFields, type StoredField } from '../deals.fields.ts';
import { statusVisible } from '../deals.policy.ts';
import {
  dealRows,
  isChangedSinceSent,
  coversAllMonths,
  itemList,
  lastEmailedAt,
  mailState,
  matching,
  parsedSearch,
  STORED,
  type DealFilter,
  type DealRow,
  type InDeals,
  type InScope,
  type SearchColumn,
} from '../deals.queries.ts';
import { COUNTS } from './deal-figures.queries.ts';
import { partChanges, snapshot } from './part-changes.queries.ts';
import { createRowCache, type RowCache, type StampedRow } from './row-cache.ts';

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
  return coversAllMonths(scope, filter) ? MAX_IN_ALL_MONTHS : null;
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

const stamp = sql`deals.xmin`;

const chosen = (ids: readonly string[]) => sql<SqlBool>`deals.id = any(${ids}::uuid[])`;

/** The columns by which the other tables are read. */
const REFERENCES = ['id', 'status_id', 'dealership_id', 'owner_id', 'updated_by'] as const;

/**
 * Selects ids and stamps of the rows of `page` in their order, as `id,id` and `stamp,stamp`; null without. Two short
 * lists take PostgreSQL a third of the time of one list of pairs.
 */
const pageRows = [
  sql<string | null>`string_agg(page.id::text, ',')`.as('ids'),
  sql<string | null>`string_agg(page.stamp::text, ',')`.as('stamps'),
] as const;
/** Selects the sort value of the last row of a full page; null without. */
const lastValue = ({ limit }: Pick<Page, 'limit'>) =>
  sql<string | null>`(array_agg(page.sort_value))[${limit}::integer]::text`.as('last_value');
const ids = sql`array(select page.id from page)`;

const namesById = (table: 'statuses' | 'dealerships' | 'users', ...columns: (typeof REFERENCES)[number][]) =>
  sql<Record<string, string>>`(
    select json_object_agg(named.id, named.name) from ${sql.table(table)} as named where named.id in (
      ${sql.join(
        columns.map((column) => sql`select page.${sql.ref(column)} from page`),
        sql` union all `,
      )}))`;

type Mail = { status: string; sent_at: string | null; is_changed: boolean };

const readStored = prepared((db, { ids }: { ids: readonly string[] }) =>
  db
    .selectFrom('deals')
    .where(chosen(ids))
    .select(STORED)
    .select(sql<string>`${stamp}::text`.as('stamp')),
);

/**
 * Reads what responses contain of other tables for rows, as objects by id: one lookup for each table, and none for
 * each row. Unlike a join of `page` itself, `unnest` is planned as a few rows, so that the indexes of large tables are
 * used.
 */
const readParts = prepared((db, values: { ids: readonly string[] }) =>
  db
    .with('page', (db) =>
      db.selectFrom('deals').where(chosen(values.ids)).select(REFERENCES).select(stamp.as('stamp')),
    )
    .selectFrom('page')
    .select([
      ...pageRows,
      namesById('statuses', 'status_id').as('statuses'),
      namesById('dealerships', 'dealership_id').as('dealerships'),
      namesById('users', 'owner_id', 'updated_by').as('people'),
      sharesById('deal', ids).as('shares'),
      sql<Record<string, DealItem[]> | null>`(
        select json_object_agg(id, list) from (
          select deal_items.deal_id as id, ${itemList} as list
          from unnest(${ids}) as deal (id) join deal_items on deal_items.deal_id = deal.id
          group by deal_items.deal_id
        ) as sold)`.as('items'),
      sql<Record<string, Mail> | null>`(
        select json_object_agg(deals.id, json_build_object(
          'status', row_mail.status,
          'sent_at', ${jsonInstant(sql`row_mail.sent_at`)},
          'is_changed', ${isChangedSinceSent}))
        from (
          select email_deals.deal_id, ${sql.join([...mailState])}
          from unnest(${ids}) as deal (id)
          join email_deals on email_deals.deal_id = deal.id
          join emails on emails.id = email_deals.email_id
          group by email_deals.deal_id
        ) as row_mail join deals on deals.id = row_mail.deal_id)`.as('mail'),
    ]),
);

type Stamps = [id: string, stamp: string][];

function readStamps({ ids, stamps }: { ids: string | null; stamps: string | null }): Stamps {
  if (ids === null || stamps === null) return [];
  const each = stamps.split(',');
  return ids.split(',').map((id, at) => [id, each[at]!]);
}

/** Reads rows in two statements. A row that was changed between them is left out. */
async function readStamped(db: Db | Tx, ids: readonly string[]): Promise<StampedRow[]> {
  const stored = await readStored(db, { ids });
  const [parts] = await readParts(db, { ids });
  const stamps = new Map(readStamps(parts!));
  return stored.flatMap(({ stamp, ...row }): StampedRow[] => {
    if (stamps.get(row.id) !== stamp) return [];
    const mail = parts!.mail?.[row.id];
    const listed = {
      ...row,
      status: parts!.statuses[row.status_id]!,
      dealership_name: parts!.dealerships[row.dealership_id]!,
      owner_name: parts!.people[row.owner_id]!,
      updated_by_name: parts!.people[row.updated_by]!,
      shares: parts!.shares?.[row.id] ?? [],
      items: parts!.items?.[row.id] ?? [],
      email_status: mail?.status ?? null,
      last_emailed_at: mail?.sent_at ?? null,
      is_changed_since_sent: mail?.is_changed ?? false,
    };
    return [{ row: listed, stamp, texts: new Map() }];
  });
}

/** What a statement that reads a page returns. */
type FoundPage = {
  ids: string | null;
  stamps: string | null;
  last_value: string | null;
  changed: string | null;
  snapshot: string;
};

/**
 * Returns the rows of a page, from the cache if they are current there; undefined if one of them was changed after the
 * page was read.
 */
async function assemble(
  db: Db | Tx,
  cache: RowCache,
  since: string | null,
  { changed, snapshot, ...rows }: FoundPage,
): Promise<StampedRow[] | undefined> {
  const stamps = readStamps(rows);
  if (!db.isTransaction)
    cache.apply({ since, snapshot, changed: changed === null ? [] : changed.split(',') });
  const page = stamps.map(([id, stamp]) => (since === null ? undefined : cache.get(id, stamp)));
  const missing = stamps.flatMap(([id], at) => (page[at] ? [] : id));
  if (missing.length === 0) return page as StampedRow[];
  const read = () => readStamped(db, missing);
  // A transaction sees its own changes, and several changes of a row have one stamp.
  const entries = await (db.isTransaction ? read() : cache.fill(read));
  const byId = new Map(entries.map((entry) => [entry.row.id, entry]));
  const whole = stamps.map(([id], at) => page[at] ?? byId.get(id));
  const isCurrent = (entry: StampedRow | undefined, at: number) => entry?.stamp === stamps[at]![1];
  return whole.every(isCurrent) ? (whole as StampedRow[]) : undefined;
}

/** Adds the sort value, the order and the limits of a page to a query of rows. */
function pageOf<D, O>(
  query: SelectQueryBuilder<D, 'deals' & keyof D, O>,
  key: SortKey,
  { descending, after, limit, offset }: Omit<Page, 'sort'>,
) {
  const direction = directionOf(key, descending);
  return query
    .select(key.by.as('sort_value'))
    .$if(after !== undefined, (query) => query.where(whereAfter(key, descending, after!)))
    .orderBy(sql`sort_value ${direction}`)
    .orderBy(sql`deals.id desc`)
    .limit(limit)
    .$if(offset > 0, (query) => query.offset(offset));
}

/** Without `searchIn`, which is in the text of the statement and not among its values. */
type Filter = Omit<DealFilter, 'searchIn'>;
type Question = { scope: InScope; filter: Filter; page: Omit<Page, 'sort'> };
type Since = { since: string | null };

/** Selects ids and stamps of a page of the rows that meet a condition, and the changes of parts. */
const selectPage = (
  db: Db | Tx,
  condition: (eb: InDeals) => Expression<SqlBool>,
  key: SortKey,
  page: Omit<Page, 'sort'>,
  since: string | null,
) =>
  db
    .selectFrom(
      pageOf(
        db
          .selectFrom('deals')
          .where(condition)
          .select(['deals.id', stamp.as('stamp')]),
        key,
        page,
      ).as('page'),
    )
    .select([...pageRows, lastValue(page), ...partChanges(since)]);

const readPage = prepared((db, { scope, filter, page, since }: Question & Since, sort: DealSort) =>
  selectPage(db, (eb) => matching(eb, scope, filter), sortKey(scope, { ...page, sort }), page, since).select(
    sql<number>`${counting(db, scope, filter)}`.as('total'),
  ),
);

/** Reads a page of the rows with these ids. */
const readPageOf = prepared(
  (
    db,
    { ids, scope, page, since }: { ids: readonly string[] } & Omit<Question, 'filter'> & Since,
    sort: DealSort,
  ) => selectPage(db, () => chosen(ids), sortKey(scope, { ...page, sort }), page, since),
);

type SearchIn = readonly SearchColumn[] | undefined;

const matches = (db: Db | Tx, { scope, filter }: Omit<Question, 'page'>, searchIn: SearchIn) =>
  db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, { ...filter, searchIn }))
    .select(['deals.id', stamp.as('stamp')]);

/** Finds the matching rows in any order, up to one more than the limit. As every search it is planned for each text. */
const readFound = prepared((db, question: Omit<Question, 'page'>, { searchIn }: { searchIn: SearchIn }) =>
  db
    .selectFrom(
      matches(db, question, searchIn)
        .limit(MAX_FOUND + 1)
        .as('page'),
    )
    .select([...pageRows, snapshot]),
);

/** Finds a page of a search that has more matching rows than the limit. */
const readFoundPage = prepared(
  (db, { page, ...question }: Question, { searchIn, sort }: { searchIn: SearchIn; sort: DealSort }) =>
    db
      .selectFrom(
        pageOf(matches(db, question, searchIn), sortKey(question.scope, { ...page, sort }), page).as('page'),
      )
      .select([...pageRows, snapshot]),
);

/**
 * Returns all rows that a search finds, or only those of the page if there are more than the limit. That a
 * search exceeds the limit is cached until anything in the database changes.
 */
async function find(
  db: Db | Tx,
  cache: RowCache,
  { page, ...question }: Question,
  form: { searchIn: SearchIn; sort: DealSort },
): Promise<{ stamps: Stamps; exceedsLimit: boolean }> {
  const search = JSON.stringify([question, form.searchIn]);
  const readOne = async () => (await readFoundPage(db, { page, ...question }, form))[0]!;
  const exceededIn = db.isTransaction ? undefined : cache.exceededIn(search);
  const first = exceededIn === undefined ? undefined : await readOne();
  if (!first || first.snapshot !== exceededIn) {
    const found = (await readFound(db, question, { searchIn: form.searchIn }))[0]!;
    const stamps = readStamps(found);
    if (stamps.length <= MAX_FOUND) return { stamps, exceedsLimit: false };
    if (!db.isTransaction) cache.putExceeded(search, found.snapshot);
  }
  return { stamps: readStamps(first ?? (await readOne())), exceedsLimit: true };
}

/** Returns a page of a search, or only its total without a hit; undefined if one of its rows was changed after it was found. */
async function searchPage(
  db: Db | Tx,
  cache: RowCache,
  since: string | null,
  question: Question,
  form: { searchIn: SearchIn; sort: DealSort },
): Promise<{ page: FoundPage | null; total: number } | undefined> {
  const { stamps, exceedsLimit } = await find(db, cache, question, form);
  const total = exceedsLimit ? MAX_FOUND + 1 : stamps.length;
  if (stamps.length === 0) return { page: null, total };
  const page = exceedsLimit ? { ...question.page, after: undefined, offset: 0 } : question.page;
  const found = new Map(stamps);
  const [read] = await readPageOf(
    db,
    { ids: [...found.keys()], scope: question.scope, page, since },
    form.sort,
  );
  const isUnchanged = readStamps(read!).every(([id, stamp]) => found.get(id) === stamp);
  return isUnchanged ? { page: read!, total } : undefined;
}

/** Whether a list reads every row: no index has the order, or the search is too short for the index. */
export function readsEveryRow(scope: InScope, filter: DealFilter, sort: DealSort): boolean {
  if (!coversAllMonths(scope, filter)) return false;
  return filter.search === undefined ? sort !== 'createdAt' : parsedSearch(filter.search).short !== undefined;
}

type ListedDeals = {
  rows: StampedRow[];
  /** The sort value of the last row of a full page. */
  lastValue: string | null;
  total: number;
  isCapped: boolean;
};

/** A cache that stores nothing. */
const NO_CACHE = createRowCache({ on: () => {}, areHeard: () => false }, 0);

/**
 * Returns one page of the matching rows and their number, which is exact or the limit of counting. It is read
 * again in one snapshot if one of its rows was changed between two statements.
 */
export async function listDeals(
  db: Db | Tx,
  scope: InScope,
  filter: DealFilter,
  { sort, ...page }: Page,
  cache = NO_CACHE,
): Promise<ListedDeals> {
  const { search, searchIn, ...others } = filter;
  const most = countLimit(scope, filter);

  async function read(db: Db | Tx): Promise<ListedDeals | undefined> {
    const since = db.isTransaction ? null : cache.since();
    const found = await readFoundOrPage(db, since);
    const rows = found && (found.page ? await assemble(db, cache, since, found.page) : []);
    if (!rows) return undefined;
    const { page: read, total } = found;
    const isCapped = most !== null && total > most;
    return { rows, lastValue: read?.last_value ?? null, total: isCapped ? most : total, isCapped };
  }

  async function readFoundOrPage(db: Db | Tx, since: string | null) {
    if (search === undefined) {
      const [read] = await readPage(db, { scope, filter: others, page, since }, sort);
      return { page: read!, total: read!.total };
    }
    const question = { scope, filter: { ...others, search: parsedSearch(search) }, page };
    return searchPage(db, cache, since, question, { searchIn, sort });
  }

  const listed = (await read(db)) ?? (await inSnapshot(db, read));
  if (!listed) throw new Error('A row was changed twice while a page was read');
  return listed;
}

const inSnapshot = <R>(db: Db | Tx, read: (db: Db | Tx) => Promise<R>): Promise<R> =>
  db.isTransaction
    ? read(db)
    : db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);

export type ExportFilter = DealFilter & {
  /** Only matching rows with these ids. */
  ids?: readonly string[] | undefined;
};

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
