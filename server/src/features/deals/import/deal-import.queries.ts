import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { whereVisible, type InScope } from '../deals.queries.ts';

/** The expressions that identify duplicates, as in their indexes. */
const NUMBER_COLUMNS = {
  customerNumber: sql<string>`deals.customer_number`,
  dealNumber: sql<string>`lower(deals.deal_number)`,
} as const;

/** Returns the newest row in scope for each of these numbers. */
export const findNewestByNumber = (
  db: Db | Tx,
  scope: InScope,
  column: keyof typeof NUMBER_COLUMNS,
  numbers: string[],
) =>
  db
    .selectFrom(sql<{ number: string }>`unnest(${numbers}::text[])`.as<'given'>(sql`given (number)`))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('deals')
          .where('deals.deleted_at', 'is', null)
          .where(sql<boolean>`${NUMBER_COLUMNS[column]} = given.number`)
          .where(whereVisible(scope))
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
