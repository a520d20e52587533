import { sql, type Expression, type SqlBool } from 'kysely';
import { countRows, type Db, type Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { inSnapshot } from '../../../platform/db/snapshot.ts';
import { hasWord, parsedSearch, searchColumns, type SearchColumn } from '../deal-search.queries.ts';
import { STORED } from '../deals.fields.ts';
import {
  dealRows,
  coversAllMonths,
  hasLimit,
  matching,
  whereIds,
  whereVisibleById,
  type DealFilter,
  type DealRow,
  type InDeals,
  type InScope,
  type ListedRow,
} from '../deals.queries.ts';
import { COUNTS } from './deal-figures.queries.ts';
import { listedRows, rowsOf } from './deal-rows.queries.ts';
import { pageOf, sortKey, type Page, type SortBy, type SortKey } from './deal-sort.queries.ts';

/** Counting stops at these limits, so that its cost does not grow with the table. A month is counted completely. */
const MAX_FOUND = 1000;
const MAX_IN_ALL_MONTHS = 10_000;

/** Returns the limit of counting; null if all rows are counted. */
function countLimit(scope: InScope, filter: DealFilter): number | null {
  if (filter.search !== undefined) return MAX_FOUND;
  return coversAllMonths(scope, filter) ? MAX_IN_ALL_MONTHS : null;
}

function counting(db: Db | Tx, scope: InScope, filter: DealFilter) {
  const limit = countLimit(scope, filter);
  const rows = db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .select('deals.id')
    .$if(limit !== null, (query) => query.limit(limit! + 1));
  return db.selectFrom(rows.as('matching')).select((eb) => eb.fn.countAll<number>().as('count'));
}

/** Without `searchIn`, which is part of the statement's text and not a value. */
type Filter = Omit<DealFilter, 'searchIn'>;
type Question = { scope: InScope; filter: Filter; page: Omit<Page, 'sort'> };

/** Selects the rows of a page, and the sort value of the last row of a full page. */
const selectPage = (
  db: Db | Tx,
  condition: (eb: InDeals) => Expression<SqlBool>,
  key: SortKey,
  page: Omit<Page, 'sort'>,
) =>
  db
    .selectFrom(pageOf(db.selectFrom('deals').where(condition).select(STORED), key, page).as('page'))
    .select([
      ...listedRows,
      sql<string | null>`(array_agg(page.sort_value))[${page.limit}::integer]::text`.as('last_value'),
    ]);

const readPage = prepared((db, { scope, filter, page }: Question, sort: SortBy) => {
  const key = sortKey(scope, { ...page, sort });
  // Few rows of one person match: in the order of an index PostgreSQL would look for them in the rows of everybody.
  const areFew = scope.onlyOf && coversAllMonths(scope, filter) && hasLimit(filter, []);
  return selectPage(
    db,
    (eb) => matching(eb, scope, filter),
    areFew ? { ...key, by: sql`coalesce(${key.by})` } : key,
    page,
  ).select(sql<number>`${counting(db, scope, filter)}`.as('total'));
});

const readPageOf = prepared(
  (db, { ids, scope, page }: { ids: readonly string[] } & Omit<Question, 'filter'>, sort: SortBy) =>
    selectPage(
      db,
      (eb) => eb.and([whereIds(ids), eb('deals.deleted_at', 'is', null), whereVisibleById(scope)]),
      sortKey(scope, { ...page, sort }),
      page,
    ),
);

type SearchIn = readonly SearchColumn[] | undefined;
type SearchForm = { searchIn: SearchIn; sort: SortBy };

const matches = (db: Db | Tx, { scope, filter }: Omit<Question, 'page'>, searchIn: SearchIn) =>
  db.selectFrom('deals').where((eb) => matching(eb, scope, { ...filter, searchIn }));

const ids = sql<string | null>`string_agg(page.id::text, ',')`.as('ids');

/** Finds the matching rows, newest first, up to one more than the limit. Planned for each text, like every search. */
const findMatches = prepared((db, question: Omit<Question, 'page'>, { searchIn }: { searchIn: SearchIn }) =>
  db
    .selectFrom(
      db
        .selectFrom(
          matches(db, question, searchIn)
            .select(['deals.id', 'deals.created_at'])
            .limit(MAX_FOUND + 1)
            .as('match'),
        )
        .select('id')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .as('page'),
    )
    .select(ids),
);

/** Finds a page of a search with more matching rows than the limit. */
const findPage = prepared((db, { page, ...question }: Question, { searchIn, sort }: SearchForm) =>
  db
    .selectFrom(
      pageOf(
        matches(db, question, searchIn).select('deals.id'),
        sortKey(question.scope, { ...page, sort }),
        page,
      ).as('page'),
    )
    .select(ids),
);

const readIds = ([row]: readonly { ids: string | null }[]): string[] => row?.ids?.split(',') ?? [];

type ReadPage = { rows: ListedRow[]; lastValue: string | null; total: number };

/**
 * Returns a page of a search, whose statements find ids: the statement that reads rows takes as long to plan as to run.
 * Returns undefined if a row was deleted or hidden between two statements.
 */
async function searchPage(
  db: Db | Tx,
  { page, ...question }: Question,
  form: SearchForm,
): Promise<ReadPage | undefined> {
  const foundIds = readIds(await findMatches(db, question, { searchIn: form.searchIn }));
  const total = foundIds.length;
  if (total === 0) return { rows: [], lastValue: null, total };
  const exceedsLimit = total > MAX_FOUND;
  // The rows were found newest first: in that order only those of the page are read.
  const isNewest = form.sort === 'createdAt' && page.descending && page.after === undefined;
  const isPage = exceedsLimit || isNewest;
  const ids = exceedsLimit
    ? readIds(await findPage(db, { ...question, page }, form))
    : isNewest
      ? foundIds.slice(page.offset, page.offset + page.limit)
      : foundIds;
  const placed = isPage ? { ...page, after: undefined, offset: 0 } : page;
  const [read] = await readPageOf(db, { ids, scope: question.scope, page: placed }, form.sort);
  const rows = rowsOf(read!);
  if (isPage && rows.length < ids.length && !db.isTransaction) return undefined;
  return { rows, lastValue: read!.last_value, total };
}

/** Sorts of all months that an index supports. */
const INDEXED = new Set<SortBy>(['createdAt', 'month']);

/** Whether a search in all months may read every row: it has no trigram, or few matches may be in scope. */
function searchesEveryRow(scope: InScope, filter: DealFilter): boolean {
  const { search = '', searchIn = searchColumns } = filter;
  const { short, words } = parsedSearch(search);
  if (short === undefined) return typeof search === 'string' && !hasWord(search);
  const isLimited = hasLimit(scope, ['timeZone']) || hasLimit(filter, ['search', 'searchIn']);
  return !words || isLimited || searchIn.length < searchColumns.length;
}

/** Whether a list may read every row in question, because no index has the order, the search or the filter. */
export function readsEveryRow(scope: InScope, filter: DealFilter, sort: SortBy): boolean {
  if (filter.where || !INDEXED.has(sort)) return true;
  if (!coversAllMonths(scope, filter)) return hasLimit(filter, ['month', 'searchIn']);
  // Nearly all rows may belong to other users.
  if (scope.onlyOf) return true;
  return filter.search !== undefined && searchesEveryRow(scope, filter);
}

/** Maximum rows of all months that are sorted without an index. */
const MAX_SORTED = 50_000;

/** Whether a list would sort too many rows of all months. Rows of a month are sorted by any column. */
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
  rows: ListedRow[];
  /** The sort value of the last row of a full page. */
  lastValue: string | null;
  total: number;
  isCapped: boolean;
};

/** Returns a page of the matching rows and their number, which is exact or the limit of counting. */
export async function listDeals(
  db: Db | Tx,
  scope: InScope,
  filter: DealFilter,
  { sort, ...page }: Page,
): Promise<ListedDeals> {
  const { search, searchIn, ...others } = filter;
  const limit = countLimit(scope, filter);

  async function readMatching(db: Db | Tx): Promise<ReadPage | undefined> {
    if (search === undefined) {
      const [read] = await readPage(db, { scope, filter: others, page }, sort);
      return { rows: rowsOf(read!), lastValue: read!.last_value, total: read!.total };
    }
    const question = { scope, filter: { ...others, search: parsedSearch(search) }, page };
    return searchPage(db, question, { searchIn, sort });
  }

  const { rows, lastValue, total } = ((await readMatching(db)) ?? (await inSnapshot(db, readMatching)))!;
  const isCapped = limit !== null && total > limit;
  return { rows, lastValue, total: isCapped ? limit : total, isCapped };
}

export type ExportFilter = DealFilter & {
  ids?: readonly string[] | undefined;
};

/** Returns the exact number of matching rows. */
export const countMatching = (db: Db | Tx, scope: InScope, filter: ExportFilter): Promise<number> =>
  db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .$if(filter.ids !== undefined, (query) => query.where(whereIds(filter.ids!)))
    .$call(countRows);

/** Returns the matching rows after the row `after`, newest first, with whether they count for commission. */
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
