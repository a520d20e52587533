import { sql, type SqlBool } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { dealRows, matching, type DealFilter, type DealRow, type InScope } from '../deals.queries.ts';
import { COUNTS } from './deal-figures.queries.ts';

export type ExportFilter = DealFilter & {
  /** Only matching rows with these ids. */
  ids?: readonly string[] | undefined;
};

const chosen = (ids: readonly string[]) => sql<SqlBool>`deals.id = any(${ids}::uuid[])`;

/** Returns the exact number of matching rows. */
export async function countRows(db: Db | Tx, scope: InScope, filter: ExportFilter): Promise<number> {
  const { count } = await db
    .selectFrom('deals')
    .where((eb) => matching(eb, scope, filter))
    .$if(filter.ids !== undefined, (query) => query.where(chosen(filter.ids!)))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Returns the matching rows that follow the row `after`, newest first, each with whether its status counts
 * for commission.
 */
export const readRows = (
  db: Db | Tx,
  scope: InScope,
  filter: ExportFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<(DealRow & { counts: SqlBool })[]> =>
  dealRows(db)
    .select(COUNTS.as('counts'))
    .where((eb) => matching(eb, scope, filter))
    .$if(filter.ids !== undefined, (query) => query.where(chosen(filter.ids!)))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(deals.created_at, deals.id) < (select created_at, id from deals where id = ${after})`,
      ),
    )
    .orderBy('deals.created_at', 'desc')
    .orderBy('deals.id', 'desc')
    .limit(limit)
    .execute();
