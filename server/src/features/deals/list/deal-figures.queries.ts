import { fixedStatuses } from '@forecourt/contract/fixed-statuses';
import type { ReportDimension } from '@forecourt/contract/report-dimensions';
import { sql, type Expression, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { Tables } from '../../../platform/db/schema.generated.ts';
import { UNLIMITED_SCOPE } from '../deals.policy.ts';
import {
  hasLimit,
  inDeals,
  matching,
  nameOfReference,
  ofOtherOwners,
  selected,
  type DealFilter,
  type InScope,
  whereIds,
} from '../deals.queries.ts';

/** The filters of the list, and first and last month, both included. */
export type FiguresFilter = DealFilter & {
  fromMonth?: string | undefined;
  toMonth?: string | undefined;
  /** An array of months. */
  months?: RawBuilder<unknown>;
  exceptMonths?: RawBuilder<unknown>;
  /** If given, only these rows are counted. */
  ids?: readonly string[];
};

/** Dimensions with exactly one group per row, unlike items. */
export type Dimension = Exclude<ReportDimension, 'item'>;

/** SQL of each dimension: the key of a group, its name, and its sort order. */
const DIMENSIONS: Record<
  ReportDimension,
  { key: RawBuilder<string | null>; name: RawBuilder<string>; order: RawBuilder<unknown> }
> = {
  month: { key: sql`part.month`, name: sql`part.month`, order: sql`part.month` },
  dealership: named('part.dealership_id', 'dealerships'),
  owner: named('part.owner_id', 'users'),
  item: named('part.item_id', 'items'),
  status: {
    ...named('part.status_id', 'statuses'),
    order: sql`(select position from statuses where statuses.id = part.status_id)`,
  },
};

function named(key: string, table: 'dealerships' | 'users' | 'items' | 'statuses') {
  const name = nameOfReference(table, key);
  return { key: sql<string | null>`${sql.ref(key)}`, name, order: sql`${name} collate "en-AU-x-icu"` };
}

/** Whether a status counts for commission, as it does by default. The array is read once per statement. */
const counts = (statusId: string) => sql<SqlBool>`${sql.ref(statusId)} = any (array(
  select id from statuses where counts_for_commission is not false))`;

/** Whether the status of a row counts for commission. */
export const COUNTS = counts('deals.status_id');

const STORED_SUMS = [
  'deals',
  'sale_amount',
  'gross_profit',
  'commission',
  'with_rate',
  'without_rate',
  'closed',
  'closing_seconds',
] as const;

type SummedColumn = Exclude<keyof Tables['deal_sums'], 'month' | 'dealership_id' | 'status_id' | 'owner_id'>;
const total = (column: SummedColumn, condition: RawBuilder<SqlBool> = sql`true`) =>
  sql`coalesce(sum(${sql.ref(`part.${column}`)}) filter (where ${condition}), 0)`;
const isCounted = counts('part.status_id');
const isWon = sql<SqlBool>`part.status_id = ${fixedStatuses.deal}`;
const isLost = sql<SqlBool>`part.status_id = ${fixedStatuses.noDeal}`;

/**
 * Figures of parts, which are rows or stored sums. Amounts are exact decimals, which are summed only here;
 * `daysToClose` is the average of won rows. Gross profit includes only rows with both amounts, commission only rows
 * whose status counts; it is null if none of these has a rate.
 */
const figures = [
  sql<number>`${total('deals')}::integer`.as('deals'),
  total('sale_amount').$castTo<number>().as('saleAmount'),
  total('gross_profit').$castTo<number>().as('grossProfit'),
  sql<number | null>`case when ${total('with_rate', isCounted)} > 0
    or ${total('without_rate', isCounted)} = 0 and exists (select from settings where name like 'commission.%')
    then ${total('commission', isCounted)} end`.as('commission'),
  sql<number>`${total('without_rate', isCounted)}::integer`.as('withoutRate'),
  sql<number>`${total('deals', isWon)}::integer`.as('won'),
  sql<number>`${total('deals', isLost)}::integer`.as('lost'),
  sql<number | null>`round(${total('closing_seconds', isWon)}
    / nullif(${total('closed', isWon)}, 0) / 86400, 1)`.as('daysToClose'),
] as const;

/** Conditions that only figures have. */
const inMonths = ({ fromMonth, toMonth, months, exceptMonths, ids }: FiguresFilter) =>
  inDeals.and([
    ...(fromMonth === undefined ? [] : [sql<SqlBool>`deals.month >= ${fromMonth}`]),
    ...(toMonth === undefined ? [] : [sql<SqlBool>`deals.month <= ${toMonth}`]),
    ...(months === undefined ? [] : [sql<SqlBool>`deals.month = any (${months})`]),
    ...(exceptMonths === undefined ? [] : [sql<SqlBool>`deals.month <> all (${exceptMonths})`]),
    ...(ids === undefined ? [] : [whereIds(ids)]),
  ]);

const matched = (db: Db | Tx, scope: InScope, filter: FiguresFilter) =>
  db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .where(inMonths(filter));

const one = (condition: RawBuilder<SqlBool>) => sql<number>`(${condition})::integer`;

/** Selects the matching rows in the form of stored sums. */
const rowParts = (db: Db | Tx, scope: InScope, filter: FiguresFilter) =>
  matched(db, scope, filter).select([
    'deals.id',
    'deals.month',
    'deals.dealership_id',
    'deals.status_id',
    'deals.owner_id',
    sql<number>`1`.as('deals'),
    'deals.sale_amount',
    sql<number | null>`deals.sale_amount - deals.cost_amount`.as('gross_profit'),
    'deals.commission',
    one(sql`deals.commission is not null`).as('with_rate'),
    one(sql`deals.sale_amount is not null and deals.commission_rate is null`).as('without_rate'),
    one(sql`deals.closed_at is not null`).as('closed'),
    sql<number | null>`extract(epoch from deals.closed_at - deals.created_at)`.as('closing_seconds'),
  ]);

/** Whether stored sums have the columns on which scope and filter depend. Limits not named here concern single rows. */
export const isStored = (scope: InScope, filter: FiguresFilter): boolean =>
  !hasLimit(scope, [
    'timeZone',
    'onlyMonth',
    'exceptDealerships',
    'exceptStatuses',
    'exceptRows',
    'onlyOf',
    'sharedIds',
  ]) && !hasLimit(filter, ['month', 'fromMonth', 'toMonth', 'dealershipId', 'status', 'owner', 'searchIn']);

/** Named, because a later release may add columns to one of the tables: this one runs beside it during an upgrade. */
const SUM_COLUMNS = ['month', 'dealership_id', 'status_id', 'owner_id', ...STORED_SUMS] as const;
const ITEM_SUM_COLUMNS = [
  'month',
  'dealership_id',
  'status_id',
  'item_id',
  ...STORED_SUMS,
  'quantity',
  'amount',
] as const;

const positive = sql.join(STORED_SUMS.map((name) => sql.ref(`part.${name}`)));
const negative = sql.join(STORED_SUMS.map((name) => sql`- ${sql.ref(`part.${name}`)} as ${sql.id(name)}`));

/**
 * Selects the matching stored sums in scope, with changes that are not added to them yet. Two kinds of rows are read, because
 * the sums do not distinguish them and a person has few: rows hidden one by one, which are subtracted, and, for a person who
 * sees only their own, rows of other owners, which are added.
 */
function storedParts(db: Db | Tx, { exceptRows, onlyOf, ...limits }: InScope, filter: FiguresFilter) {
  const scope = { ...limits, exceptRows: [], onlyOf: null };
  const visible = { ...scope, onlyOf };
  let stored = db
    .selectFrom(
      db
        .selectFrom('deal_sums')
        .select(SUM_COLUMNS)
        .unionAll(db.selectFrom('deal_sum_changes').select(SUM_COLUMNS))
        // The condition uses this name of the table.
        .as('deals'),
    )
    .where(selected(inDeals, scope, filter))
    .where(inMonths(filter))
    .$if(onlyOf !== null, (query) => query.where('deals.owner_id', '=', onlyOf!.userId))
    .selectAll();
  const add = (rows: Expression<unknown>, sums: RawBuilder<unknown>) => {
    stored = stored.unionAll(
      sql`select month, dealership_id, status_id, owner_id, ${sums} from (${rows}) as part` as never,
    );
  };
  if (onlyOf) add(rowParts(db, scope, filter).where(ofOtherOwners(onlyOf, scope)), positive);
  if (exceptRows.length > 0) add(rowParts(db, visible, { ...filter, ids: exceptRows }), negative);
  return stored;
}

type Part = Selectable<Tables['deal_sums']>;

const parts = (db: Db | Tx, scope: InScope, filter: FiguresFilter) =>
  db.selectFrom(
    isStored(scope, filter)
      ? storedParts(db, scope, filter).$castTo<Part>().as('part')
      : rowParts(db, scope, filter).$castTo<Part>().as('part'),
  );

export const figuresOf = (db: Db | Tx, scope: InScope, filter: FiguresFilter) =>
  parts(db, scope, filter).select(figures).executeTakeFirstOrThrow();

export type FiguresRow = Awaited<ReturnType<typeof figuresOf>>;

/** Returns the figures of each group and of all matching rows, from one snapshot. */
export async function figuresBy(db: Db | Tx, scope: InScope, filter: FiguresFilter, by: Dimension) {
  const { key, name, order } = DIMENSIONS[by];
  const all = await parts(db, scope, filter)
    .groupBy(sql`grouping sets ((${key}), ())`)
    // Stored sums may have no rows any more.
    .having(sql<SqlBool>`grouping(${key}) = 1 or sum(part.deals) <> 0`)
    .orderBy(sql`grouping(${key})`)
    .orderBy(order)
    .select([key.as('key'), name.as('name')])
    .select(figures)
    .execute();
  return { rows: all.slice(0, -1), total: all.at(-1)! };
}

export const countByStatus = (db: Db | Tx, scope: InScope) =>
  parts(db, scope, {})
    .groupBy('part.status_id')
    .select(['part.status_id as id', sql<number>`${total('deals')}::integer`.as('count')])
    .execute();

const ITEM_COLUMNS = ['part.month', 'part.dealership_id', 'part.status_id'] as const;

/** Selects the matching rows once for each of their items, in the form of stored sums; `item_id` is null without items. */
const soldParts = (db: Db | Tx, scope: InScope, filter: FiguresFilter) =>
  db
    .selectFrom(rowParts(db, scope, filter).as('part'))
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('deal_items')
          .whereRef('deal_items.deal_id', '=', 'part.id')
          .groupBy('deal_items.item_id')
          .select([
            'deal_items.item_id',
            sql<number>`sum(quantity)`.as('quantity'),
            sql<number>`sum(quantity * unit_price)`.as('amount'),
          ])
          .as('sold'),
      (join) => join.onTrue(),
    )
    .select([
      ...ITEM_COLUMNS,
      'sold.item_id',
      ...STORED_SUMS.map((name) => sql.ref<number>(`part.${name}`).as(name)),
    ])
    .select(['sold.quantity', 'sold.amount']);

/** The months of which the stored sums by item are outdated. Evaluated once per statement. */
const CHANGED_MONTHS = sql`array(select distinct month from deal_sum_changes)`;

/**
 * Selects the matching stored sums by item, without the rows that are hidden one by one, and the rows of the months of
 * which they are outdated.
 */
function storedItemParts(db: Db | Tx, scope: InScope, filter: FiguresFilter) {
  const all = { ...scope, exceptRows: [] };
  const unchanged = { ...filter, exceptMonths: CHANGED_MONTHS };
  const stored = db
    // The condition uses this name of the table.
    .selectFrom('deal_item_sums as deals')
    .where(selected(inDeals, all, filter))
    .where(inMonths(unchanged))
    .select(ITEM_SUM_COLUMNS)
    .$castTo<Selectable<Tables['deal_item_sums']>>()
    .unionAll(soldParts(db, scope, { ...filter, months: CHANGED_MONTHS }) as never);
  if (scope.exceptRows.length === 0) return stored;
  const hidden = soldParts(db, all, { ...unchanged, ids: scope.exceptRows });
  return stored.unionAll(
    sql`select month, dealership_id, status_id, item_id, ${negative}, - quantity, - amount from (${hidden}) as part` as never,
  );
}

/** Whether stored sums by item have the columns on which scope and filter depend. */
const areItemsStored = (scope: InScope, filter: FiguresFilter): boolean =>
  isStored(scope, filter) && filter.owner === undefined && scope.onlyOf === null;

const itemParts = (db: Db | Tx, scope: InScope, filter: FiguresFilter) =>
  db.selectFrom(
    areItemsStored(scope, filter)
      ? storedItemParts(db, scope, filter).as('part')
      : soldParts(db, scope, filter).$castTo<Selectable<Tables['deal_item_sums']>>().as('part'),
  );

/**
 * Returns the figures by item; `key` is null for rows without items. A row with two items is in both groups. `quantity`
 * and `itemAmount` concern only that item, at the price stored in each row.
 */
export const figuresByItem = (db: Db | Tx, scope: InScope, filter: FiguresFilter) => {
  const { key, name, order } = DIMENSIONS.item;
  return (
    itemParts(db, scope, filter)
      .groupBy(key)
      .orderBy(order)
      .select([key.as('key'), name.as('name')])
      .select(figures)
      .select([
        sql<number>`coalesce(sum(part.quantity), 0)::float8`.as('quantity'),
        sql<number>`coalesce(sum(part.amount), 0)`.as('itemAmount'),
      ])
      // All rows of a group may be hidden.
      .having(sql<SqlBool>`sum(part.deals) <> 0`)
      .execute()
  );
};

/** Counts the rows with each item. */
export const countByItem = (db: Db | Tx, scope: InScope) =>
  itemParts(db, scope, {})
    .where('part.item_id', 'is not', null)
    .groupBy('part.item_id')
    .select([sql<string>`part.item_id`.as('id'), sql<number>`${total('deals')}::integer`.as('count')])
    .execute();

/** Selects the matching rows with a commission that counts, oldest first. */
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
      'deals.owner_id',
    ]);

const SUM_KEY = sql`month, dealership_id, status_id, owner_id`;
const ITEM_SUM_KEY = sql`month, dealership_id, status_id, item_id`;
const EVERY_ROW: InScope = { ...UNLIMITED_SCOPE, timeZone: 'UTC' };
const eachSum = (part: (column: string) => string) => sql.raw(STORED_SUMS.map(part).join(', '));

/** Months whose changes one statement moves: it computes their sums by item from their rows. */
const FOLDED_MONTHS = 12;
/** Key of the advisory lock of the instance that moves changes; arbitrary. */
const FOLDING_LOCK = 7_305_067;

/**
 * Moves changes into the stored sums, and computes the sums by item of their months. Figures add both, so they stay the
 * same. One instance at a time does this. Returns whether there were any.
 */
export async function foldDealSums(db: Db): Promise<boolean> {
  const { rows: months } = await sql<{ month: string }>`select distinct month from deal_sum_changes`.execute(
    db,
  );
  for (let from = 0; from < months.length; from += FOLDED_MONTHS)
    await foldMonths(
      db,
      months.slice(from, from + FOLDED_MONTHS).map(({ month }) => month),
    );
  return months.length > 0;
}

const foldMonths = (db: Db, months: readonly string[]) =>
  db.transaction().execute(async (tx) => {
    // Before the statement with the snapshot: sums by item are those of its rows.
    await sql`select pg_advisory_xact_lock(${FOLDING_LOCK})`.execute(tx);
    const inThem = sql`month = any (${months}::text[])`;
    const { rows } = await sql<{ empty: number }>`
      with changes as (delete from deal_sum_changes where ${inThem} returning *),
      folded as (
        insert into deal_sums (${SUM_KEY}, ${eachSum((name) => name)})
        select ${SUM_KEY}, ${eachSum((name) => `sum(${name})`)} from changes group by ${SUM_KEY} order by ${SUM_KEY}
        on conflict (${SUM_KEY}) do update set ${eachSum((name) => `${name} = deal_sums.${name} + excluded.${name}`)}
        returning deals
      ),
      outdated as (delete from deal_item_sums where ${inThem}),
      computed as (
        insert into deal_item_sums (${ITEM_SUM_KEY}, ${eachSum((name) => name)}, quantity, amount)
        select ${ITEM_SUM_KEY}, ${eachSum((name) => `coalesce(sum(${name}), 0)`)},
          coalesce(sum(quantity), 0), coalesce(sum(amount), 0)
        from ${soldParts(tx, EVERY_ROW, { months: sql`${months}::text[]` }).as('part')} group by ${ITEM_SUM_KEY}
      )
      select count(*) filter (where deals = 0) as empty from folded`.execute(tx);
    if (rows[0]!.empty > 0)
      await sql`delete from deal_sums where (${eachSum((name) => name)}) = (${eachSum(() => '0')})`.execute(
        tx,
      );
  });
