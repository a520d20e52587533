import { sql } from 'kysely';
import type { Db, Tx } from './db/database.ts';

/** Number of ids in a thousand of `audit_counts` and `audit_people`. */
export const THOUSAND = 1000;

const thousandOf = sql`id / ${sql.lit(THOUSAND)}`;
const quarterOf = sql`date_bin('15 minutes', created_at, 'epoch')`;

/**
 * Returns the rows of `audit_counts` and `audit_people`, with one for each entry that they lack because no seal has it
 * yet: exact counts of all entries.
 */
export async function auditCounts(db: Db | Tx) {
  // Of another cluster, after a restore, a horizon has no meaning: all entries are read. It is a value of the statements,
  // because PostgreSQL then knows that few entries follow it.
  const { rows } = await sql<{ horizon: string }>`
    select case when horizon > pg_snapshot_xmax(pg_current_snapshot()) then '0' else horizon::text end as horizon
    from audit_seals order by number desc limit 1`.execute(db);
  const unsealed = sql`(
    select * from audit_entries where xid >= ${rows[0]?.horizon ?? '0'}::xid8
      and not exists (select from audit_seal_entries where entry_id = audit_entries.id)) as entry`;
  return {
    counts: sql`(
      select thousand, quarter, entity, action, entries, by_people, first_id, last_id from audit_counts
      union all
      select ${thousandOf}, ${quarterOf}, entity, action, 1, num_nonnulls(actor_id), id, id from ${unsealed}) as counts`,
    people: sql`(
      select actor_id, thousand, actions, first_id, last_id from audit_people
      union all
      select actor_id, ${thousandOf}, case when entity = 'session' then 0 else 1 end, id, id from ${unsealed}
      where actor_id is not null) as people`,
  };
}
