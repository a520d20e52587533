import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { COUNTS } from '../list/deal-figures.queries.ts';

/** The rows of a month whose money counts, of everybody. */
const counted = (db: Db | Tx, month: string) =>
  db.selectFrom('deals').where('deals.month', '=', month).where('deals.deleted_at', 'is', null).where(COUNTS);

/** Returns the rows of a month that earn or sell something, oldest first. */
export const listClosingRows = (db: Tx, month: string, timeZone: string) =>
  counted(db, month)
    .where((eb) => eb.or([eb('deals.commission', '>', 0), eb('deals.sale_amount', '>', 0)]))
    .innerJoin('statuses', 'statuses.id', 'deals.status_id')
    .innerJoin('dealerships', 'dealerships.id', 'deals.dealership_id')
    .innerJoin('users', 'users.id', 'deals.owner_id')
    .orderBy('deals.created_at')
    .orderBy('deals.id')
    .select([
      'deals.id as dealId',
      sql<string>`to_char(deals.created_at at time zone ${timeZone}, 'YYYY-MM-DD')`.as('date'),
      'deals.customer_name as customerName',
      'deals.deal_number as dealNumber',
      'statuses.name as status',
      'deals.dealership_id as dealershipId',
      'dealerships.name as dealershipName',
      'deals.owner_id as ownerId',
      'users.name as ownerName',
      sql<string>`items_of(deals.id)`.as('items'),
      'deals.sale_amount as saleAmount',
      'deals.commission_rate as commissionRate',
      'deals.commission',
    ])
    .execute();

/** Returns what the rows of a month earn and sell now. */
export const sumClosingRows = (db: Db | Tx, month: string) =>
  counted(db, month)
    .select([
      sql<number>`coalesce(sum(deals.commission), 0)`.as('commission'),
      sql<number>`coalesce(sum(deals.sale_amount), 0)`.as('account'),
    ])
    .executeTakeFirstOrThrow();
