import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { ReadRow } from './deal-import-row.ts';
import { rateOf, type CommissionRates } from './deal-money.queries.ts';
import { within, type InDeals, type InScope } from './deals.queries.ts';

/** A row that has its id, and the key that its writer's browser gave it. */
export type NewRow = ReadRow & { id: string; draftKey?: string };
type Money = { id: string; commissionRate: number; commission: number | null };

/** Adds rows of one owner, each at the rate that its dealership earns now. Answers what they earn. */
export async function insertDeals(
  db: Tx,
  ownerId: string,
  rates: CommissionRates,
  rows: readonly NewRow[],
): Promise<Money[]> {
  const { rows: written } = await sql<Money>`
    insert into deals
      (id, status_id, dealership_id, customer_name, customer_number, customer_email, deal_number, vehicle,
        delivery_date, sale_amount, cost_amount, notes, follow_up_at, month, draft_key, commission_rate,
        owner_id, created_by, updated_by)
    select given.id, "statusId", "dealershipId", "customerName", coalesce("customerNumber", ''),
      coalesce("customerEmail", ''), coalesce("dealNumber", ''), coalesce(vehicle, ''),
      "deliveryDate", "saleAmount", "costAmount", coalesce(notes, ''), "followUpAt", month, "draftKey", ${rateOf(rates)},
      ${ownerId}::uuid, ${ownerId}::uuid, ${ownerId}::uuid
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as given (id uuid, "statusId" uuid, "dealershipId" uuid, "customerName" text, "customerNumber" text,
        "customerEmail" text, "dealNumber" text, vehicle text, "deliveryDate" date, "saleAmount" numeric,
        "costAmount" numeric, notes text, "followUpAt" timestamptz, month text, "draftKey" uuid)
      left join dealerships on dealerships.id = "dealershipId"
    returning id, commission_rate as "commissionRate", commission`.execute(db);
  return written;
}

/** Adds what is sold in new rows, in its order. */
export async function insertSold(db: Tx, rows: readonly NewRow[]): Promise<void> {
  const sold = rows.flatMap(({ id, items }) =>
    items.map((item, index) => ({ ...item, dealId: id, position: index + 1 })),
  );
  if (sold.length === 0) return;
  await sql`
    insert into deal_items (deal_id, position, item_id, name, quantity, unit_price)
    select "dealId", position, "itemId", name, quantity, "unitPrice"
    from json_to_recordset(${JSON.stringify(sold)}::json)
      as given ("dealId" uuid, position integer, "itemId" uuid, name text, quantity integer,
        "unitPrice" numeric)`.execute(db);
}

/** The texts by which rows are found to be the same, as their indexes have them. */
const ALIKE = {
  customerNumber: sql<string>`deals.customer_number`,
  dealNumber: sql<string>`lower(deals.deal_number)`,
} as const;

/** With each of these numbers the newest row within a scope. */
export const newestWith = (db: Db | Tx, scope: InScope, column: keyof typeof ALIKE, numbers: string[]) =>
  db
    .selectFrom(sql<{ number: string }>`unnest(${numbers}::text[])`.as<'given'>(sql`given (number)`))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('deals')
          .where('deals.deleted_at', 'is', null)
          .where(sql<boolean>`${ALIKE[column]} = given.number`)
          .where((inner) => within(inner as InDeals, scope))
          .orderBy('deals.created_at', 'desc')
          .limit(1)
          .selectAll()
          .as('found'),
      (join) => join.onTrue(),
    )
    .innerJoin('dealerships', 'dealerships.id', 'found.dealership_id')
    .select([
      'found.id',
      'found.month',
      'found.customer_name',
      'found.customer_number',
      'found.deal_number',
      'dealerships.name as dealership_name',
    ])
    .execute();
