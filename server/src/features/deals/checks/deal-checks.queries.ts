import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { matching, rowMail, type InScope } from '../deals.queries.ts';

const ofMonth = (db: Db | Tx, scope: InScope, month: string) =>
  db.selectFrom('deals').where((eb) => matching(eb, scope, { month }));

/** Returns the inactive owners and dealerships of the rows of a month. */
export const findInactive = (db: Db | Tx, scope: InScope, month: string) =>
  ofMonth(db, scope, month)
    .select([
      sql<
        string[]
      >`array(select id from users where not is_active and id = any(array_agg(distinct deals.owner_id))
        order by id)`.as('owners'),
      sql<string[]>`array(select id from dealerships where not active
        and id = any(array_agg(distinct deals.dealership_id)) order by id)`.as('dealerships'),
    ])
    .executeTakeFirstOrThrow();

/**
 * Returns the number of rows of a month, and of those that meet each of these conditions, which may use `row_mail`: the
 * messages of each row are read once for all of them.
 */
export const countEach = (
  db: Db | Tx,
  scope: InScope,
  month: string,
  conditions: readonly (readonly [name: string, condition: RawBuilder<SqlBool>])[],
): Promise<Record<string, number> & { rows: number }> =>
  ofMonth(db, scope, month)
    .leftJoinLateral(
      () => rowMail.as('row_mail'),
      (join) => join.onTrue(),
    )
    .select(sql<number>`count(*)::integer`.as('rows'))
    .select(
      conditions.map(([name, condition]) =>
        sql<number>`(count(*) filter (where ${condition}))::integer`.as(name),
      ),
    )
    .executeTakeFirstOrThrow();
