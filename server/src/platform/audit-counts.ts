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

/** Statements of a `with` that count the entries of `fresh`, which are being sealed. */
export const countFresh = sql`
  counted as (
    insert into audit_counts as counts (thousand, quarter, entity, action, entries, by_people, first_id, last_id)
    select ${thousandOf}, ${quarterOf}, entity, action, count(*), count(actor_id), min(id), max(id)
    from (select (entry).* from fresh) as entry group by 1, 2, 3, 4
    on conflict (quarter, thousand, entity, action) do update set
      entries = counts.entries + excluded.entries, by_people = counts.by_people + excluded.by_people,
      first_id = least(counts.first_id, excluded.first_id), last_id = greatest(counts.last_id, excluded.last_id)
  ), counted_people as (
    insert into audit_people as people (actor_id, thousand, actions, first_id, last_id)
    select actor_id, ${thousandOf}, count(*) filter (where entity <> 'session'), min(id), max(id)
    from (select (entry).* from fresh) as entry where actor_id is not null group by 1, 2
    on conflict (actor_id, thousand) do update set
      actions = people.actions + excluded.actions,
      first_id = least(people.first_id, excluded.first_id), last_id = greatest(people.last_id, excluded.last_id)
  )`;
