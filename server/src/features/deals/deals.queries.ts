import { soughtDigits } from '@forecourt/contract/phone';
import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';
import { heldFields } from '../../platform/sharing/shares.queries.ts';
import { soldItems } from './deal-items.queries.ts';
import type { DealScope, ScopedDeal } from './deals.policy.ts';

/** Which rows, beyond what the viewer may see. */
export type DealFilter = {
  month?: string | undefined;
  /** The first and the last business day on which a row was made. */
  from?: string | undefined;
  to?: string | undefined;
  dealershipId?: string | undefined;
  status?: string | undefined;
  owner?: string | undefined;
  /** What was typed, or that taken apart. */
  search?: string | Search | undefined;
  /** The columns that a search goes over; all of them where nothing is said. */
  searchIn?: readonly SearchColumn[] | undefined;
};

/** What a search looks for: patterns, or a text that is too short for one. */
export type Search = { pattern?: string; short?: string; digits?: string };

/** Whose rows, and in which zone their days are counted. */
export type InScope = DealScope & { timeZone: string };

/** The constraints that what a deal names exists. */
export const DEALERSHIP_KEY = 'deals_dealership_id_fkey';
export const STATUS_KEY = 'deals_status_id_fkey';

export type InDeals = ExpressionBuilder<Tables, 'deals'>;

const createdOn = (timeZone: string) => sql<string>`(deals.created_at at time zone ${timeZone})::date`;

/**
 * The condition that every read of deals carries: lists, counts, sums, search and live events alike. The same as
 * `isWithin` in deals.policy.ts.
 */
export const within = (eb: InDeals, scope: InScope): Expression<SqlBool> =>
  eb.and([
    ...(scope.onlyMonth === null ? [] : [eb('deals.month', '=', scope.onlyMonth)]),
    ...(scope.exceptRows.length === 0 ? [] : [noneOf('deals.id', scope.exceptRows)]),
    ...(scope.exceptDealerships.length === 0 ? [] : [noneOf('deals.dealership_id', scope.exceptDealerships)]),
    ...(scope.exceptStatuses.length === 0 ? [] : [noneOf('deals.status_id', scope.exceptStatuses)]),
    ...madeBetween(scope.timeZone, scope),
  ]);

/** One parameter however many ids: statements are prepared by their text. */
const noneOf = (column: string, ids: readonly string[]) =>
  sql<SqlBool>`${sql.ref(column)} <> all(${ids}::uuid[])`;

/** Rows that were made on these business days; as bounds of the column itself, so that its index serves. */
const madeBetween = (
  timeZone: string,
  { from, to }: { from?: string | null | undefined; to?: string | null | undefined },
) => [
  ...(from ? [sql<SqlBool>`deals.created_at >= ${from}::date::timestamp at time zone ${timeZone}`] : []),
  ...(to ? [sql<SqlBool>`deals.created_at < (${to}::date + 1)::timestamp at time zone ${timeZone}`] : []),
];

/** The texts that a search goes over: those of `search_text`, in its order. */
const SEARCH_TEXTS = {
  customerName: sql`deals.customer_name`,
  dealNumber: sql`deals.deal_number`,
  vehicle: sql`deals.vehicle`,
  customerEmail: sql`deals.customer_email`,
  customerNumber: sql`regexp_replace(deals.customer_number, '\\D', '', 'g')`,
} as const;
export type SearchColumn = keyof typeof SEARCH_TEXTS;
export const searchColumns = Object.keys(SEARCH_TEXTS) as SearchColumn[];

/** Texts that are shorter have no trigram: the index would be read from end to end. */
const TRIGRAM = 3;

const patternOf = (part: string) => `%${part.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;

/** Phone numbers are found by their digits, however they are typed, also with the country code; deal numbers as they stand (product.md section 4). */
export function searchFor(typed: string): Search {
  const text = typed.toLowerCase();
  const digits = soughtDigits(typed);
  const isPhone = digits.length >= TRIGRAM && digits !== typed && /^[\d\s()+-]+$/.test(typed);
  return {
    ...(text.length < TRIGRAM ? { short: text } : { pattern: patternOf(text) }),
    ...(isPhone && { digits: patternOf(digits) }),
  };
}

const soughtIn = (search: string | Search): Search =>
  typeof search === 'string' ? searchFor(search) : search;

function searched(
  eb: InDeals,
  { short, pattern, digits }: Search,
  columns: readonly SearchColumn[],
): Expression<SqlBool> {
  if (columns.length === 0) return eb.lit(false);
  const found = (text: RawBuilder<string>) =>
    eb.or([
      ...(short === undefined ? [] : [sql<SqlBool>`strpos(${text}, ${short}) > 0`]),
      ...(pattern === undefined ? [] : [sql<SqlBool>`${text} like ${pattern}`]),
      ...(digits === undefined ? [] : [sql<SqlBool>`${text} like ${digits}`]),
    ]);
  const anywhere = found(sql`deals.search_text`);
  if (columns.length === searchColumns.length) return anywhere;
  // Who may not see all of it: what the index finds, where it stands in the columns that exist for them.
  const seen = sql.join(columns.map((column) => SEARCH_TEXTS[column]));
  return eb.and([anywhere, found(sql`lower(concat_ws(' ', '', ${seen}))`)]);
}

/** Of the rows of a scope those that a filter lets through, without deleted ones. */
export const matching = (eb: InDeals, scope: InScope, filter: DealFilter): Expression<SqlBool> =>
  eb.and([
    eb('deals.deleted_at', 'is', null),
    within(eb, scope),
    ...(filter.month ? [eb('deals.month', '=', filter.month)] : []),
    ...madeBetween(scope.timeZone, filter),
    ...(filter.dealershipId ? [eb('deals.dealership_id', '=', filter.dealershipId)] : []),
    ...(filter.owner ? [eb('deals.owner_id', '=', filter.owner)] : []),
    ...(filter.status
      ? [
          eb(
            'deals.status_id',
            '=',
            eb
              .selectFrom('statuses')
              .select('id')
              .where(sql<SqlBool>`lower(name) = lower(${filter.status})`),
          ),
        ]
      : []),
    ...(filter.search ? [searched(eb, soughtIn(filter.search), filter.searchIn ?? searchColumns)] : []),
  ]);

/** Rows with the names that they refer to by ids, with what is sold in them, whose they are and the fate of their newest message. */
export const dealRows = (db: Db | Tx) =>
  db
    .selectFrom('deals')
    .innerJoin('statuses', 'statuses.id', 'deals.status_id')
    .innerJoin('dealerships', 'dealerships.id', 'deals.dealership_id')
    .innerJoin('users as editors', 'editors.id', 'deals.updated_by')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('email_deals')
          .innerJoin('emails', 'emails.id', 'email_deals.email_id')
          .whereRef('email_deals.deal_id', '=', 'deals.id')
          .orderBy('emails.created_at', 'desc')
          .limit(1)
          .select(['emails.status', 'emails.sent_at', 'email_deals.deal_version', 'emails.deal_fields'])
          .as('newest_email'),
      (join) => join.onTrue(),
    )
    .selectAll('deals')
    .select(heldFields('deal'))
    .select(soldItems)
    .select([
      'statuses.name as status',
      'dealerships.name as dealership_name',
      'editors.name as updated_by_name',
      'newest_email.status as email_status',
      'newest_email.sent_at as last_emailed_at',
    ])
    .select(
      // Of what the message told, something was edited after the version that it told of.
      sql<boolean>`newest_email.status = 'sent' and exists (
        select from unnest(newest_email.deal_fields) as told
        where (deals.field_versions ->> told)::integer > newest_email.deal_version)`.as(
        'is_changed_since_sent',
      ),
    );

export type DealRow = Awaited<ReturnType<ReturnType<typeof dealRows>['execute']>>[number];

/** Everybody who may have rows, by name. */
export const listOwners = (db: Db | Tx) =>
  db
    .selectFrom('users')
    .select(['id', 'name'])
    .orderBy(sql`name collate natural_order`)
    .orderBy('id')
    .execute();

/** How many rows have each status. */
export const countByStatus = (db: Db | Tx, scope: InScope) =>
  db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, {}))
    .groupBy('deals.status_id')
    .select((eb) => ['deals.status_id as id', eb.fn.countAll<number>().as('count')])
    .execute();

/** How many rows have each of these items. */
export const countByItem = (db: Db | Tx, scope: InScope, itemIds: string[]) =>
  db
    .selectFrom('deals')
    .innerJoin('deal_items', 'deal_items.deal_id', 'deals.id')
    .where(sql<boolean>`deal_items.item_id = any(${itemIds}::uuid[])`)
    .where((eb) => matching(eb, scope, {}))
    .groupBy('deal_items.item_id')
    .select((eb) => ['deal_items.item_id as id', eb.fn.count<number>('deals.id').distinct().as('count')])
    .execute();

/** Rows by their ids, and one by its own. */
type Named = { id: string } | { ids: readonly string[] };

/**
 * Of a list PostgreSQL does not know how long it is, so it plans anew each time; looking one row up by its id, which
 * most calls do, it then plans once, which takes seven times as long as the look.
 */
const named = (ids: readonly string[]): Named => (ids.length === 1 ? { id: ids[0]! } : { ids });
const isOneOf = (eb: InDeals, these: Named): Expression<SqlBool> =>
  'id' in these ? eb('deals.id', '=', these.id) : sql<SqlBool>`deals.id = any(${these.ids}::uuid[])`;

const findNamed = prepared((db, { these, scope }: { these: Named; scope: InScope }) =>
  dealRows(db)
    .where((eb) => isOneOf(eb, these))
    .where('deals.deleted_at', 'is', null)
    .where((eb) => within(eb, scope))
    .orderBy('deals.id'),
);

/** Of these rows those within a scope. */
export const findDeals = (db: Db | Tx, scope: InScope, ids: string[]): Promise<DealRow[]> =>
  findNamed(db, { these: named(ids), scope });

/** Of these rows the deleted ones within a scope, that this person or anybody deleted in the last hours. */
export const findDeleted = (
  db: Tx,
  scope: InScope,
  ids: string[],
  { by, hours }: { by: string | null; hours: number },
): Promise<DealRow[]> =>
  dealRows(db)
    .where(sql<boolean>`deals.id = any(${ids}::uuid[])`)
    .where('deals.deleted_at', '>', sql<string>`now() - make_interval(hours => ${hours}::integer)`)
    .$if(by !== null, (query) => query.where('deals.deleted_by', '=', by))
    .where((eb) => within(eb, scope))
    .orderBy('deals.id')
    .execute();

const findVisible = prepared((db, { these, scope }: { these: Named; scope: InScope }) =>
  db
    .selectFrom('deals')
    .where((eb) => isOneOf(eb, these))
    .where((eb) => within(eb, scope))
    .select('id'),
);

/** Of these ids those within a scope, deleted rows by what they last were: for live events. */
export const visibleDealIds = async (db: Db, scope: InScope, ids: string[]): Promise<Set<string>> =>
  new Set((await findVisible(db, { these: named(ids), scope })).map((row) => row.id));

/** Of these rows those within a scope, with their customers. */
export const findNames = (db: Db | Tx, scope: InScope, ids: string[]) =>
  db
    .selectFrom('deals')
    .where(sql<boolean>`deals.id = any(${ids}::uuid[])`)
    .where((eb) => matching(eb, scope, {}))
    .select(['id', 'customer_name'])
    .execute();

const scoped = (db: Db, ids: string[], timeZone: string) =>
  db
    .selectFrom('deals')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select([
      'id',
      'month',
      'dealership_id as dealershipId',
      'status_id as statusId',
      createdOn(timeZone).as('createdOn'),
    ]);

/** What a scope is judged by, of these rows as they are now. */
export const findScoped = (db: Db, ids: string[], timeZone: string): Promise<ScopedDeal[]> =>
  scoped(db, ids, timeZone).execute();

/** The same of those that are not deleted. */
export const findScopedKept = (db: Db, ids: string[], timeZone: string): Promise<ScopedDeal[]> =>
  scoped(db, ids, timeZone).where('deleted_at', 'is', null).execute();
