import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import { auditChange, type Actor, type AuditEntry } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { DealsTable, Tables } from '../../platform/db/schema.generated.ts';

/** Which rows, beyond what the viewer may see. */
export type DealFilter = {
  month?: string | undefined;
  dealershipId?: string | undefined;
  status?: string | undefined;
  search?: string | undefined;
};

/** What a viewer may see of deals at all. Made from rights in one place: `scopeOf` in deals.service.ts. */
export type DealScope = {
  /** Only this month; undefined: every month. */
  onlyMonth?: string | undefined;
};

/** The constraint that a deal's dealership exists. */
export const DEALERSHIP_KEY = 'deals_dealership_id_fkey';

/** A search stops counting here; sums and counts without one are exact. */
export const TOTAL_CAP = 1000;

type InDeals = ExpressionBuilder<Tables, 'deals'>;

/** The condition that every read of deals carries: lists, counts, sums, search and live events alike. */
const within = (eb: InDeals, scope: DealScope): Expression<SqlBool> =>
  scope.onlyMonth === undefined ? eb.lit(true) : eb('deals.month', '=', scope.onlyMonth);

/** Must stay the same expression as that of the index deals_search. */
const SEARCHED = sql<string>`lower(deals.customer_name || ' ' || deals.deal_number || ' ' || deals.vehicle || ' '
  || deals.customer_email || ' ' || regexp_replace(deals.customer_number, '\\D', '', 'g'))`;

const escapeLike = (text: string) => text.replace(/[\\%_]/g, (special) => `\\${special}`);

/** Phone numbers are found by their digits, however they are typed; deal numbers as they stand (product.md section 4). */
function searched(eb: InDeals, search: string): Expression<SqlBool> {
  const digits = search.replace(/\D/g, '');
  const asTyped = eb(SEARCHED, 'like', `%${escapeLike(search.toLowerCase())}%`);
  const isPhone = digits.length >= 3 && digits !== search && /^[\d\s()+-]+$/.test(search);
  return isPhone ? eb.or([asTyped, eb(SEARCHED, 'like', `%${digits}%`)]) : asTyped;
}

const matching = (eb: InDeals, scope: DealScope, filter: DealFilter): Expression<SqlBool> =>
  eb.and([
    eb('deals.deleted_at', 'is', null),
    within(eb, scope),
    ...(filter.month ? [eb('deals.month', '=', filter.month)] : []),
    ...(filter.dealershipId ? [eb('deals.dealership_id', '=', filter.dealershipId)] : []),
    ...(filter.status
      ? [
          eb(
            'deals.status_id',
            '=',
            eb
              .selectFrom('statuses')
              .select('id')
              .where(sql`lower(name)`, '=', filter.status.toLowerCase()),
          ),
        ]
      : []),
    ...(filter.search ? [searched(eb, filter.search)] : []),
  ]);

const dealRows = (db: Db | Tx) =>
  db
    .selectFrom('deals')
    .innerJoin('statuses', 'statuses.id', 'deals.status_id')
    .innerJoin('dealerships', 'dealerships.id', 'deals.dealership_id')
    .innerJoin('users as owners', 'owners.id', 'deals.owner_id')
    .innerJoin('users as editors', 'editors.id', 'deals.updated_by')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('emails')
          .whereRef('emails.deal_id', '=', 'deals.id')
          .orderBy('emails.created_at', 'desc')
          .limit(1)
          .select(['emails.status', 'emails.sent_at'])
          .as('newest_email'),
      (join) => join.onTrue(),
    )
    .selectAll('deals')
    .select([
      'statuses.name as status',
      'dealerships.name as dealership_name',
      'owners.name as owner_name',
      'editors.name as updated_by_name',
      'newest_email.status as email_status',
      'newest_email.sent_at as last_emailed_at',
    ]);

export type DealRow = Awaited<ReturnType<typeof listDeals>>[number];

/** One page, newest first. `after` is the id of the last row of the page before: as quick on page 500 as on page 1. */
export const listDeals = (
  db: Db | Tx,
  scope: DealScope,
  filter: DealFilter,
  page: { limit: number; after?: string | undefined },
) =>
  dealRows(db)
    .where((eb) => matching(eb, scope, filter))
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(deals.created_at, deals.id) < (select created_at, id from deals where id = ${page.after})`,
      ),
    )
    .orderBy('deals.created_at', 'desc')
    .orderBy('deals.id', 'desc')
    .limit(page.limit)
    .execute();

/** How many rows match: exact, or at most `TOTAL_CAP + 1` for a search, whose cost must not grow with the table. */
export async function countDeals(db: Db | Tx, scope: DealScope, filter: DealFilter): Promise<number> {
  const rows = db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .select('deals.id')
    .$if(filter.search !== undefined, (query) => query.limit(TOTAL_CAP + 1));
  const { count } = await db
    .selectFrom(rows.as('matching'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Counts and sums by status, in the order of the statuses. Exact; money is summed here and nowhere else. */
export const summariseDeals = (db: Db | Tx, scope: DealScope, filter: DealFilter) =>
  db
    .selectFrom('deals')
    .innerJoin('statuses', 'statuses.id', 'deals.status_id')
    .where((eb) => matching(eb, scope, filter))
    .groupBy(['statuses.name', 'statuses.position'])
    .orderBy('statuses.position')
    .select((eb) => [
      'statuses.name as status',
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(deals.sale_amount), 0)`.as('saleAmount'),
      sql<number>`coalesce(sum(deals.sale_amount - deals.cost_amount), 0)`.as('grossProfit'),
    ])
    .execute();

export const findDeal = (db: Db | Tx, scope: DealScope, id: string): Promise<DealRow | undefined> =>
  dealRows(db)
    .where('deals.id', '=', id)
    .where('deals.deleted_at', 'is', null)
    .where((eb) => within(eb, scope))
    .executeTakeFirst();

/** Of these ids those within a scope, deleted rows by what they last were: for live events. */
export async function visibleDealIds(db: Db, scope: DealScope, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('deals')
    .where('deals.id', 'in', ids)
    .where((eb) => within(eb, scope))
    .select('id')
    .execute();
  return new Set(rows.map((row) => row.id));
}

type Column = Exclude<keyof DealsTable, 'id' | 'version' | 'field_versions'>;
/** Columns to write; the service names fields, this file columns. */
export type DealColumns = Partial<Record<Column, string | number | null>>;

type Recorded = Omit<AuditEntry, 'recordId' | 'version'>;

/** Adds a row together with its audit entry. */
export async function insertDeal(
  db: Db | Tx,
  actor: Actor,
  id: string,
  columns: DealColumns,
  entry: Recorded,
) {
  await db
    .with('changed', (query) =>
      query
        .insertInto('deals')
        .values({ ...(columns as Required<DealColumns>), id } as never)
        .returning(['id', 'version']),
    )
    .with('audited', auditChange(actor, entry))
    .selectFrom('changed')
    .select('id')
    .executeTakeFirstOrThrow();
}

/**
 * Changes a row that still has the given version, together with its audit entry, in one statement. False when
 * somebody else was first.
 */
export async function updateDeal(
  db: Db | Tx,
  actor: Actor,
  row: { id: string; version: number },
  columns: DealColumns,
  changedFields: readonly string[],
  entry: Recorded,
): Promise<boolean> {
  const versions = Object.fromEntries(changedFields.map((field) => [field, row.version + 1]));
  const changed = await db
    .with('changed', (query) =>
      query
        .updateTable('deals')
        .set({
          ...columns,
          version: sql`version + 1`,
          field_versions: sql`field_versions || ${JSON.stringify(versions)}::jsonb`,
          updated_at: sql`now()`,
          ...(actor.viewer && { updated_by: actor.viewer.userId }),
        } as never)
        .where('id', '=', row.id)
        .where('version', '=', row.version)
        .where('deleted_at', 'is', null)
        .returning(['id', 'version']),
    )
    .with('audited', auditChange(actor, entry))
    .selectFrom('changed')
    .select('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** The active statuses in the order of the status cycle. */
export const listStatuses = (db: Db | Tx) =>
  db
    .selectFrom('statuses')
    .where('active', '=', true)
    .orderBy('position')
    .select(['id', 'name', 'color', 'position', 'is_default'])
    .execute();

export const findStatus = (db: Db | Tx, name: string | undefined) =>
  db
    .selectFrom('statuses')
    .where('active', '=', true)
    .where((eb) =>
      name === undefined ? eb('is_default', '=', true) : eb(sql`lower(name)`, '=', name.toLowerCase()),
    )
    .select(['id', 'name'])
    .executeTakeFirst();
