import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** Percent of the sale by what a dealership's name contains. */
export type CommissionRates = { newSales: number; usedSales: number; defaultSales: number };

/** The rate that a dealership's name earns: 'new' before 'used' before the default (product.md section 4, Commission). */
export const rateOf = (
  rates: CommissionRates | Record<keyof CommissionRates, RawBuilder<unknown>>,
) => sql<number>`case
  when position('new' in lower(dealerships.name)) > 0 then ${rates.newSales}::numeric
  when position('used' in lower(dealerships.name)) > 0 then ${rates.usedSales}::numeric
  else ${rates.defaultSales}::numeric end`;

/** What a sale at a dealership earns, as the row will hold it. Undefined: there is no such dealership. */
export const price = (
  db: Db | Tx,
  rates: CommissionRates,
  { dealershipId, saleAmount }: { dealershipId: string; saleAmount: number | null },
) =>
  db
    .selectFrom('dealerships')
    .where('id', '=', dealershipId)
    .select([
      rateOf(rates).as('commissionRate'),
      sql<number | null>`commission_of(${saleAmount}::numeric, ${rateOf(rates)})`.as('commission'),
    ])
    .executeTakeFirst();

type Repriced = {
  id: string;
  rateBefore: number | null;
  before: number | null;
  rateAfter: number;
  after: number | null;
};

/** Gives rows the rates of another owner, without counting them as changed. Answers those whose rate differs. */
export async function reprice(db: Tx, rates: CommissionRates, ids: readonly string[]): Promise<Repriced[]> {
  const { rows } = await sql<Repriced>`
    with priced as (
      select deals.id, deals.commission_rate, deals.commission, ${rateOf(rates)} as rate
      from deals join dealerships on dealerships.id = deals.dealership_id
      where deals.id = any(${ids}::uuid[])
    )
    update deals set commission_rate = priced.rate from priced
    where deals.id = priced.id and deals.commission_rate is distinct from priced.rate
    returning deals.id, priced.commission_rate as "rateBefore", priced.commission as before,
      deals.commission_rate as "rateAfter", deals.commission as after`.execute(db);
  return rows;
}
