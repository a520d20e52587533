import { sql, type Expression, type SqlBool } from 'kysely';
import { countRows, type Db, type Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { inSnapshot } from '../../../platform/db/snapshot.ts';
import { hasWord, parsedSearch, searchColumns, type SearchColumn } from '../deal-search.queries.ts';
import {
  dealRows,
  coversAllMonths,
  hasLimit,
  matching,
  whereIds,
  type DealFilter,
  type DealRow,
  type InDeals,
  type InScope,
} from '../deals.queries.ts';
import { COUNTS } from './deal-figures.queries.ts';
import {
  assemble,
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

/** Selects the sort value of the last row of a full page, otherwise null. */
const lastValue = ({ limit }: Pick<Page, 'limit'>) =>
  sql<string | null>`(array_agg(page.sort_value))[${limit}::integer]::text`.as('last_value');

/** Without `searchIn`, which is part of the statement's text and not a value. */
type Filter = Omit<DealFilter, 'searchIn'>;
type Question = { scope: InScope; filter: Filter; page: Omit<Page, 'sort'> };
type Since = { since: string | null };

/** Selects ids and stamps of a page, and the changes of parts. */
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

/** Finds the matching rows, newest first, up to one more than the limit. Planned for each text, like every search. */
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

/** Finds a page of a search with more matching rows than the limit. */
const readFoundPage = prepared(
  (db, { page, ...question }: Question, { searchIn, sort }: { searchIn: SearchIn; sort: SortBy }) =>
    db
      .selectFrom(
        pageOf(matches(db, question, searchIn), sortKey(question.scope, { ...page, sort }), page).as('page'),
      )
      .select([...pageRows, snapshot]),
);

/**
 * Returns all matching rows of a search, or if there are more than the limit only those of the page. That it exceeds
 * the limit is cached until anything in the database changes.
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

/** Returns a page of a search, or only its total without a match; undefined if a row was changed since. */
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
  const stampsById = new Map(stamps);
  // The rows were found newest first: in that order only those of the page are read.
  const isNewest = form.sort === 'createdAt' && page.descending && page.after === undefined;
  const ids = [...stampsById.keys()].slice(0, isNewest ? page.offset + page.limit : undefined);
  const [read] = await readPageOf(db, { ids, scope: question.scope, page, since }, form.sort);
  const isUnchanged = readStamps(read!).every(([id, stamp]) => stampsById.get(id) === stamp);
  return isUnchanged ? { page: read!, total } : undefined;
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
  rows: StampedRow[];
  /** The sort value of the last row of a full page. */
  lastValue: string | null;
  total: number;
  isCapped: boolean;
};

const NO_CACHE = createRowCache({ on: () => {}, isListening: () => false }, 0);

/**
 * Returns a page of the matching rows and their number, which is exact or the limit of counting. Reads again in one
 * snapshot if a row was changed between the two statements.
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
