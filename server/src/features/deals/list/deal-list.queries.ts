import type { CustomFieldType, CustomKey } from '@forecourt/contract/custom-field-types';
import type { DealSort } from '@forecourt/contract/deal-list';
import { sql, type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { where } from '../../../platform/conditions.ts';
import { countRows, type Db, type Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { inSnapshot } from '../../../platform/db/snapshot.ts';
import { columnOf, storedFields, type StoredField } from '../deals.fields.ts';
import { statusVisible } from '../deals.policy.ts';
import {
  dealRows,
  coversAllMonths,
  customOptions,
  customText,
  hasLimit,
  lastEmailedAt,
  matching,
  nameOfReference,
  type DealFilter,
  type DealRow,
  type InDeals,
  type InScope,
} from '../deals.queries.ts';
import { COUNTS } from './deal-figures.queries.ts';
import {
  assemble,
  whereIds,
  createRowCache,
  pageRows,
  partChanges,
  readStamps,
  snapshot,
  stamp,
  type FoundPage,
  type RowCache,
  type StampedRow,
  type Stamps,
} from './deal-rows.queries.ts';
import { hasWord, parsedSearch, searchColumns, type SearchColumn } from './deal-search.queries.ts';

// The order of a list: its sort keys, and its pages by cursor or number.

/** The end of a page: the sort value of its last row, as text, and its id. */
export type Place = { value: string | null; id: string };

export type SortBy = DealSort | { key: CustomKey; type: CustomFieldType };

type Page = {
  sort: SortBy;
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
  dealershipId: read(nameOfReference('dealerships', 'deals.dealership_id')),
  items: read(
    sql`(select string_agg(name, ', ' order by position) from deal_items where deal_id = deals.id)`,
  ),
  grossProfit: { by: sql`(deals.sale_amount - deals.cost_amount)`, type: sql`numeric` },
  commission: plain('commission', 'numeric'),
  owner: read(nameOfReference('users', 'deals.owner_id')),
  lastEmailedAt: { by: lastEmailedAt, type: sql`timestamptz` },
};

/** Returns the sort key of a custom field. PostgreSQL reads its options once for a statement. */
function customSort({ key, type }: Exclude<SortBy, DealSort>): SortKey {
  const value = customText(key);
  switch (type) {
    case 'text':
    case 'longText':
    case 'link':
    case 'checkbox':
      return read(value);
    case 'number':
    case 'currency':
    case 'percent':
      return { by: sql`${value}::numeric`, type: sql`numeric` };
    case 'date':
      return { by: sql`${value}::date`, type: sql`date` };
    case 'select':
      return {
        by: sql`array_position(array(select option ->> 'id' from ${customOptions(key)} order by place), ${value})`,
        type: sql`integer`,
      };
    case 'multiSelect':
      return read(
        sql`(select string_agg(
            (select jsonb_object_agg(option ->> 'id', option ->> 'name') from ${customOptions(key)}) ->> id,
            ', ' order by place)
          from jsonb_array_elements_text(deals.custom -> ${key}::text) with ordinality as chosen(id, place))`,
      );
    case 'person':
      return read(sql`(select name from users where users.id = ${value}::uuid)`);
    default:
      return type satisfies never;
  }
}

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

function sortKey(scope: InScope, { sort, firstStatus }: Page): SortKey {
  if (typeof sort === 'object') return customSort(sort);
  return firstStatus === undefined ? SORTS[sort] : fromStatus(firstStatus, scope);
}

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

// The rows of a list and their number.

/**
 * Counting stops at these limits, so that its cost does not grow with the table; a month is counted
 * completely.
 */
const MAX_FOUND = 1000;
const MAX_IN_ALL_MONTHS = 10_000;

/** Returns the limit of counting; null: all rows are counted. */
function countLimit(scope: InScope, filter: DealFilter): number | null {
  if (filter.search !== undefined) return MAX_FOUND;
  return coversAllMonths(scope, filter) ? MAX_IN_ALL_MONTHS : null;
}

/** Counts the matching rows, up to one more than the limit. */
function counting(db: Db | Tx, scope: InScope, filter: DealFilter) {
  const limit = countLimit(scope, filter);
  const rows = db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .select('deals.id')
    .$if(limit !== null, (query) => query.limit(limit! + 1));
  return db.selectFrom(rows.as('matching')).select((eb) => eb.fn.countAll<number>().as('count'));
}

/** Selects the sort value of the last row of a full page; null without. */
const lastValue = ({ limit }: Pick<Page, 'limit'>) =>
  sql<string | null>`(array_agg(page.sort_value))[${limit}::integer]::text`.as('last_value');

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

const readPage = prepared((db, { scope, filter, page, since }: Question & Since, sort: SortBy) =>
  selectPage(db, (eb) => matching(eb, scope, filter), sortKey(scope, { ...page, sort }), page, since).select(
    sql<number>`${counting(db, scope, filter)}`.as('total'),
  ),
);

/** Reads a page of the rows with these ids. */
const readPageOf = prepared(
  (
    db,
    { ids, scope, page, since }: { ids: readonly string[] } & Omit<Question, 'filter'> & Since,
    sort: SortBy,
  ) => selectPage(db, () => whereIds(ids), sortKey(scope, { ...page, sort }), page, since),
);

type SearchIn = readonly SearchColumn[] | undefined;

const matches = (db: Db | Tx, { scope, filter }: Omit<Question, 'page'>, searchIn: SearchIn) =>
  db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, { ...filter, searchIn }))
    .select(['deals.id', stamp.as('stamp'), 'deals.created_at']);

/** Finds the matching rows, newest first, up to one more than the limit. As every search it is planned for each text. */
const readFound = prepared((db, question: Omit<Question, 'page'>, { searchIn }: { searchIn: SearchIn }) =>
  db
    .selectFrom(
      db
        .selectFrom(
          matches(db, question, searchIn)
            .limit(MAX_FOUND + 1)
            .as('found'),
        )
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .as('page'),
    )
    .select([...pageRows, snapshot]),
);

/** Finds a page of a search that has more matching rows than the limit. */
const readFoundPage = prepared(
  (db, { page, ...question }: Question, { searchIn, sort }: { searchIn: SearchIn; sort: SortBy }) =>
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
  form: { searchIn: SearchIn; sort: SortBy },
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
  form: { searchIn: SearchIn; sort: SortBy },
): Promise<{ page: FoundPage | null; total: number } | undefined> {
  const { stamps, exceedsLimit } = await find(db, cache, question, form);
  const total = exceedsLimit ? MAX_FOUND + 1 : stamps.length;
  if (stamps.length === 0) return { page: null, total };
  const page = exceedsLimit ? { ...question.page, after: undefined, offset: 0 } : question.page;
  const found = new Map(stamps);
  // They were found newest first: of a page in that order no others are read.
  const isNewest = form.sort === 'createdAt' && page.descending && page.after === undefined;
  const ids = [...found.keys()].slice(0, isNewest ? page.offset + page.limit : undefined);
  const [read] = await readPageOf(db, { ids, scope: question.scope, page, since }, form.sort);
  const isUnchanged = readStamps(read!).every(([id, stamp]) => found.get(id) === stamp);
  return isUnchanged ? { page: read!, total } : undefined;
}

/** Sorts of all months that an index serves. */
const INDEXED = new Set<SortBy>(['createdAt', 'month']);

/**
 * Whether a search in all months may read every row: it has no trigram; or it is short, and few of the rows
 * with such a word may be in scope.
 */
function searchesEveryRow(scope: InScope, filter: DealFilter): boolean {
  const { search = '', searchIn = searchColumns } = filter;
  const { short, words } = parsedSearch(search);
  if (short === undefined) return typeof search === 'string' && !hasWord(search);
  const isLimited = hasLimit(scope, ['timeZone']) || hasLimit(filter, ['search', 'searchIn']);
  return !words || isLimited || searchIn.length < searchColumns.length;
}

/** Whether a list may read every row: no index has the order, the search or the filter on columns. */
export function readsEveryRow(scope: InScope, filter: DealFilter, sort: SortBy): boolean {
  if (!coversAllMonths(scope, filter)) return false;
  if (filter.where) return true;
  return !INDEXED.has(sort) || (filter.search !== undefined && searchesEveryRow(scope, filter));
}

/** The most rows of all months that are sorted without an index. */
const MAX_SORTED = 50_000;

/**
 * Whether a list would sort too many rows of all months. A month is sorted by any column, and all months by
 * those with an index.
 */
export async function sortsTooMany(
  db: Db | Tx,
  scope: InScope,
  filter: DealFilter,
  sort: SortBy,
  maxSorted = MAX_SORTED,
): Promise<boolean> {
  if (INDEXED.has(sort) || !coversAllMonths(scope, filter)) return false;
  const next = await db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .select('deals.id')
    .offset(maxSorted)
    .limit(1)
    .executeTakeFirst();
  return next !== undefined;
}

type ListedDeals = {
  rows: StampedRow[];
  /** The sort value of the last row of a full page. */
  lastValue: string | null;
  total: number;
  isCapped: boolean;
};

const NO_CACHE = createRowCache({ on: () => {}, isListening: () => false }, 0);

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
  const limit = countLimit(scope, filter);

  async function read(db: Db | Tx): Promise<ListedDeals | undefined> {
    const since = db.isTransaction ? null : cache.since();
    const found = await readFoundOrPage(db, since);
    const rows = found && (found.page ? await assemble(db, cache, since, found.page) : []);
    if (!rows) return undefined;
    const { page: read, total } = found;
    const isCapped = limit !== null && total > limit;
    return { rows, lastValue: read?.last_value ?? null, total: isCapped ? limit : total, isCapped };
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

export type ExportFilter = DealFilter & {
  /** Only matching rows with these ids. */
  ids?: readonly string[] | undefined;
};

/** Returns the exact number of matching rows. */
export const countMatching = (db: Db | Tx, scope: InScope, filter: ExportFilter): Promise<number> =>
  db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .$if(filter.ids !== undefined, (query) => query.where(whereIds(filter.ids!)))
    .$call(countRows);

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
    .$if(filter.ids !== undefined, (query) => query.where(whereIds(filter.ids!)))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(deals.created_at, deals.id) < (select created_at, id from deals where id = ${after})`,
      ),
    )
    .orderBy('deals.created_at', 'desc')
    .orderBy('deals.id', 'desc')
    .limit(limit)
    .execute();
