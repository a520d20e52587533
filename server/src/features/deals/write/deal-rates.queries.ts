import { sql, type RawBuilder } from 'kysely';
import { valuesOf, type Db, type Tx } from '../../../platform/db/database.ts';
import { COUNTS } from '../list/deal-figures.queries.ts';

/** Commission in percent of the sale, by a word in the dealership's name; null if not set. */
export type CommissionRates = {
  newSales: number | null;
  usedSales: number | null;
  defaultSales: number | null;
};

/**
 * Returns the SQL of a dealership's rate by its name: 'new' has precedence over 'used', then the default
 * (docs/product/data-entry.md, Commission).
 */
export const rateOf = (rates: CommissionRates | Record<keyof CommissionRates, RawBuilder<unknown>>) => sql<
  number | null
>`case
  when position('new' in lower(dealerships.name)) > 0 then ${rates.newSales}::numeric
  when position('used' in lower(dealerships.name)) > 0 then ${rates.usedSales}::numeric
  else ${rates.defaultSales}::numeric end`;

type Money = { commissionRate: number | null; commission: number | null };

/** Rates by columns of the same name. */
export const RATE_COLUMNS = {
  newSales: sql`"newSales"`,
  usedSales: sql`"usedSales"`,
  defaultSales: sql`"defaultSales"`,
};

/** Returns rate and commission of each as its row stores them; undefined if the dealership does not exist. */
export async function prices(
  db: Db | Tx,
  sales: readonly (CommissionRates & { dealershipId: string; saleAmount: number | null })[],
): Promise<(Money | undefined)[]> {
  const { rows } = await sql<Money & { is_found: boolean }>`
    select dealerships.id is not null as is_found, ${rateOf(RATE_COLUMNS)} as "commissionRate",
      commission_of("saleAmount", ${rateOf(RATE_COLUMNS)}) as commission
    from rows from (json_to_recordset(${JSON.stringify(sales)}::json) as (
        "dealershipId" uuid, "saleAmount" numeric, "newSales" numeric, "usedSales" numeric, "defaultSales" numeric))
      with ordinality as sale ("dealershipId", "saleAmount", "newSales", "usedSales", "defaultSales", position)
      left join dealerships on dealerships.id = sale."dealershipId"
    order by position`.execute(db);
  return rows.map(({ is_found, ...money }) => (is_found ? money : undefined));
}

/** Returns the stored money of rows, and their money at the rates of another owner. */
export const repriced = async (db: Tx, rates: CommissionRates, ids: readonly string[]) =>
  (
    await sql<{ id: string; version: number; before: Money; after: Money }>`
      select deals.id, deals.version,
        json_build_object('commissionRate', commission_rate, 'commission', commission) as before,
        json_build_object('commissionRate', ${rateOf(rates)}, 'commission', commission_of(sale_amount, ${rateOf(rates)})) as after
      from deals join dealerships on dealerships.id = deals.dealership_id
      where deals.id = any(${ids}::uuid[])`.execute(db)
  ).rows;

export type OwnerRates = CommissionRates & { owner: string };

/** Looks up one row of each person, instead of reading all rows without a rate. */
export const ownersWithoutRate = (db: Db | Tx): Promise<string[]> =>
  db
    .selectFrom('users')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('deals')
          .whereRef('owner_id', '=', 'users.id')
          .where('commission_rate', 'is', null)
          .where('deleted_at', 'is', null),
      ),
    )
    .select('id')
    .$call(valuesOf('id'));

/**
 * Selects rows without a rate, each with its owner's current rate for its dealership; null if not set. Rates are found
 * once for each owner and dealership, because a company may have a million such rows.
 */
const rated = (rates: readonly OwnerRates[]) => sql`
  with rates as materialized (
    select input.owner, dealerships.id as dealership, ${rateOf(RATE_COLUMNS)} as rate
    from json_to_recordset(${JSON.stringify(rates)}::json)
        as input (owner uuid, "newSales" numeric, "usedSales" numeric, "defaultSales" numeric)
      cross join dealerships)
  select deals.id, deals.version, deals.owner_id, ${COUNTS} as counts, deals.sale_amount, rates.rate
  from rates join deals on deals.owner_id = rates.owner and deals.dealership_id = rates.dealership
    and deals.commission_rate is null and deals.deleted_at is null`;

type OwnerWithout = {
  owner: string;
  ownerName: string;
  deals: number;
  commission: number;
  stillWithout: number;
};

export async function amountsWithoutRate(db: Db | Tx, rates: readonly OwnerRates[]): Promise<OwnerWithout[]> {
  const { rows } = await sql<OwnerWithout>`
    select users.id as owner, users.name as "ownerName", deals, commission, "stillWithout"
    from (
      select owner_id, (count(*) filter (where rate is not null))::integer as deals,
        coalesce(sum(commission_of(sale_amount, rate)) filter (where counts), 0) as commission,
        (count(*) filter (where rate is null))::integer as "stillWithout"
      from (${rated(rates)}) as rated group by owner_id) as summed
      join users on users.id = owner_id
    order by users.name collate "en-AU-x-icu", users.id`.execute(db);
  return rows;
}

/** Returns up to `limit` rows that get a rate, with their commission. */
export const rowsToRate = async (db: Tx, rates: readonly OwnerRates[], limit: number) =>
  (
    await sql<{ id: string; version: number; rate: number; commission: number | null; counts: boolean }>`
      select rated.id, rated.version, rate, commission_of(sale_amount, rate) as commission, counts
      from (${rated(rates)}) as rated
      where rate is not null order by rated.id limit ${limit}`.execute(db)
  ).rows;
