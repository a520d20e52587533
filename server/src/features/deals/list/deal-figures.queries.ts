import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { matching, type DealFilter, type InScope } from '../deals.queries.ts';

/** Ids of the statuses of won and lost deals, which do not change when the statuses are renamed. */
const WON = '01930000-0000-7000-8000-000000000003';
const LOST = '01930000-0000-7000-8000-000000000004';

/** The filters of the list, and the first and the last month, both included. */
export type FiguresFilter = DealFilter & { fromMonth?: string | undefined; toMonth?: string | undefined };

/** Dimensions with exactly one group per row. Not items: a row has several, or none. */
export type Dimension = Exclude<ReportDimension, 'item'>;

/** SQL of each dimension: the key of a group, its name, and its sort order. */
const DIMENSIONS: Record<
  ReportDimension,
  { key: RawBuilder<string | null>; name: RawBuilder<string>; order: RawBuilder<unknown> }
> = {
  month: { key: sql`deals.month`, name: sql`deals.month`, order: sql`deals.month` },
  dealership: named('deals.dealership_id', 'dealerships'),
  owner: named('deals.owner_id', 'users'),
  item: named('sold.item_id', 'items'),
  status: {
    ...named('deals.status_id', 'statuses'),
    order: sql`(select position from statuses where statuses.id = deals.status_id)`,
  },
};

function named(key: string, table: 'dealerships' | 'users' | 'items' | 'statuses') {
  const name = sql<string>`(select name from ${sql.table(table)} as named where named.id = ${sql.ref(key)})`;
  return { key: sql<string | null>`${sql.ref(key)}`, name, order: sql`${name} collate "en-AU-x-icu"` };
}

/**
 * Whether the status of a row counts for commission, which is the default. The array is read once per
 * statement.
 */
export const COUNTS = sql<SqlBool>`deals.status_id = any (array(
  select id from statuses where counts_for_commission is not false))`;

/** Number of rows that count for commission and have a sale amount but no commission rate. */
const withoutRate = sql<number>`(count(*) filter (
  where ${COUNTS} and deals.sale_amount is not null and deals.commission_rate is null))`;

/**
 * Figures of rows. Amounts are exact decimals and are summed only here; `daysToClose` is the average of won
 * rows in days. Gross profit includes only rows with both amounts, commission only rows whose status counts;
 * commission is null if no rate is set for them.
 */
const figures = [
  sql<number>`count(*)::integer`.as('deals'),
  sql<number>`coalesce(sum(deals.sale_amount), 0)`.as('saleAmount'),
  sql<number>`coalesce(sum(deals.sale_amount - deals.cost_amount), 0)`.as('grossProfit'),
  sql<number | null>`coalesce(sum(deals.commission) filter (where ${COUNTS}), case
    when ${withoutRate} = 0 and exists (select from settings where name like 'commission.%') then 0 end)`.as(
    'commission',
  ),
  sql<number>`${withoutRate}::integer`.as('withoutRate'),
  sql<number>`(count(*) filter (where deals.status_id = ${WON}))::integer`.as('won'),
  sql<number>`(count(*) filter (where deals.status_id = ${LOST}))::integer`.as('lost'),
  sql<number | null>`round((avg(extract(epoch from deals.closed_at - deals.created_at))
    filter (where deals.status_id = ${WON}) / 86400)::numeric, 1)`.as('daysToClose'),
] as const;

const matched = (db: Db | Tx, scope: InScope, filter: FiguresFilter) =>
  db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .$if(filter.fromMonth !== undefined, (query) => query.where('deals.month', '>=', filter.fromMonth!))
    .$if(filter.toMonth !== undefined, (query) => query.where('deals.month', '<=', filter.toMonth!));

/** Returns the figures of all matching rows. */
export const figuresOf = (db: Db | Tx, scope: InScope, filter: FiguresFilter) =>
  matched(db, scope, filter).select(figures).executeTakeFirstOrThrow();

export type FiguresRow = Awaited<ReturnType<typeof figuresOf>>;

/** Returns the figures of each group of matching rows and of all of them, from one snapshot. */
export async function figuresBy(db: Db | Tx, scope: InScope, filter: FiguresFilter, by: Dimension) {
  const { key, name, order } = DIMENSIONS[by];
  const all = await matched(db, scope, filter)
    .groupBy(sql`grouping sets ((${key}), ())`)
    .orderBy(sql`grouping(${key})`)
    .orderBy(order)
    .select([key.as('key'), name.as('name')])
    .select(figures)
    .execute();
  return { rows: all.slice(0, -1), total: all.at(-1)! };
}

/**
 * Returns the figures of the rows with each item; `key` is null for rows without items. A row with two items
 * is in both groups. `quantity` and `itemAmount` are of that item only, at the price stored in each row.
 */
export const figuresByItem = (db: Db | Tx, scope: InScope, filter: FiguresFilter) => {
  const { key, name, order } = DIMENSIONS.item;
  return matched(db, scope, filter)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('deal_items')
          .whereRef('deal_items.deal_id', '=', 'deals.id')
          .groupBy('deal_items.item_id')
          .select([
            'deal_items.item_id',
            sql<number>`sum(quantity)`.as('quantity'),
            sql<number>`sum(quantity * unit_price)`.as('amount'),
          ])
          .as('sold'),
      (join) => join.onTrue(),
    )
    .groupBy(key)
    .orderBy(order)
    .select([key.as('key'), name.as('name')])
    .select(figures)
    .select([
      sql<number>`coalesce(sum(sold.quantity), 0)::float8`.as('quantity'),
      sql<number>`coalesce(sum(sold.amount), 0)`.as('itemAmount'),
    ])
    .execute();
};

/** Returns the matching rows with a commission that counts, oldest first. */
export const earningRows = (db: Db | Tx, scope: InScope, filter: FiguresFilter) =>
  matched(db, scope, filter)
    .where('deals.commission', '>', 0)
    .where(COUNTS)
    .innerJoin('statuses', 'statuses.id', 'deals.status_id')
    .innerJoin('dealerships', 'dealerships.id', 'deals.dealership_id')
    .orderBy('deals.created_at')
    .orderBy('deals.id')
    .select([
      'deals.id',
      'deals.customer_name',
      'deals.deal_number',
      'dealerships.name as dealership_name',
      'statuses.name as status',
      'deals.sale_amount',
      'deals.commission_rate',
      'deals.commission',
    ])
    .execute();
