import { sql } from 'kysely';
import { auditChange, auditValues, type Actor } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Recorded } from './deal-write.queries.ts';

/** How many rows have a status, deleted ones among them since they can come back. */
export const countWithStatus = async (db: Tx, statusId: string): Promise<number> =>
  (
    await db
      .selectFrom('deals')
      .where('status_id', '=', statusId)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;

/** Gives some of the rows that have a status another one, each with its audit entry. Answers how many. */
export async function replaceStatus(
  db: Tx,
  actor: Actor & { viewer: { userId: string } },
  from: string,
  to: string,
  entry: Recorded,
  atOnce: number,
): Promise<number> {
  const { count } = await db
    .with('changed', (query) =>
      query
        .updateTable('deals')
        .set({
          status_id: to,
          version: sql`version + 1`,
          field_versions: sql`field_versions || jsonb_build_object('status', version + 1)`,
          updated_at: sql`now()`,
          updated_by: actor.viewer.userId,
        })
        .where('id', 'in', (eb) =>
          eb.selectFrom('deals').where('status_id', '=', from).orderBy('id').limit(atOnce).select('id'),
        )
        .returning(['id', 'version']),
    )
    .with('audited', auditChange(auditValues(actor, entry)))
    .selectFrom('changed')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The statuses in the order of the status cycle, without those kept from somebody. */
export const listStatuses = (db: Db | Tx, except: readonly string[]) =>
  db
    .selectFrom('statuses')
    .$if(except.length > 0, (query) => query.where('id', 'not in', except))
    .orderBy('position')
    .select(['id', 'name', 'color', 'position', 'active', 'is_default'])
    .execute();

export const findStatus = (db: Db | Tx, name: string | undefined) =>
  db
    .selectFrom('statuses')
    .where('active', '=', true)
    .where((eb) =>
      name === undefined ? eb('is_default', '=', true) : eb(sql`lower(name)`, '=', name.toLowerCase()),
    )
    .select(['id', 'name'])
    .executeTakeFirst();
