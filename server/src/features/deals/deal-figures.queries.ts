import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { matching, type DealFilter, type InScope } from './deals.queries.ts';

/** The statuses that decide; whatever they are renamed to, these are their ids. */
const WON = '01930000-0000-7000-8000-000000000003';
const LOST = '01930000-0000-7000-8000-000000000004';

/** Beside the filters of the list the first and the last month, both included. */
export type FiguresFilter = DealFilter & { fromMonth?: string | undefined; toMonth?: string | undefined };

/** What each row is under once. An item is not: a row has several, or none. */
export type Dimension = Exclude<ReportDimension, 'item'>;

/** How a dimension is read of a row: its key, what it is called, and what it is ordered by. */
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
 * What rows come to: money in exact decimals, summed here and nowhere else; time to close in days of rows that were
 * won. Gross profit is that of rows with both amounts.
 */
const figures = [
  sql<number>`count(*)::integer`.as('deals'),
  sql<number>`coalesce(sum(deals.sale_amount), 0)`.as('saleAmount'),
  sql<number>`coalesce(sum(deals.sale_amount - deals.cost_amount), 0)`.as('grossProfit'),
  sql<number>`coalesce(sum(deals.commission), 0)`.as('commission'),
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

/** What all matching rows come to together. */
export const figuresOf = (db: Db | Tx, scope: InScope, filter: FiguresFilter) =>
  matched(db, scope, filter).select(figures).executeTakeFirstOrThrow();

export type FiguresRow = Awaited<ReturnType<typeof figuresOf>>;

/** What the matching rows of each group come to, and all of them together: of one moment. */
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
 * What the rows with each item come to; `key` is null for those without any. A row with two items is under both.
 * `quantity` and `itemAmount` are of the item alone, at the price that each row was written with.
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

/** The rows of one person and month that earn commission, in the order in which they were made. */
export const earningRows = (db: Db | Tx, scope: InScope, filter: FiguresFilter) =>
  matched(db, scope, filter)
    .where('deals.commission', '>', 0)
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
