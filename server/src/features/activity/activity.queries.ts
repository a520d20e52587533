import { sql } from 'kysely';
import { auditCounts, THOUSAND } from '../../platform/audit-counts.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { isLive } from '../../platform/viewers.ts';

export const listSessions = (db: Db | Tx) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('permission_records', 'permission_records.user_id', 'sessions.user_id')
    .where('users.is_active', '=', true)
    .where(isLive)
    .orderBy('last_used_at', 'desc')
    .orderBy('sessions.id', 'desc')
    .select([
      'sessions.id',
      'sessions.user_id',
      'user_agent',
      'ip',
      'sessions.created_at',
      'last_used_at',
      'expires_at',
      'users.name',
      'users.email',
    ])
    .execute();

/** Returns the start of the period of this many business days, today included. A day begins with a quarter of an hour. */
const startOf = (days: number, timeZone: string) =>
  sql<string>`((now() at time zone ${timeZone})::date - ${days - 1}::int)::timestamp at time zone ${timeZone}`;

/** Returns the instant of that start, as ISO 8601. */
export const readStart = async (db: Db | Tx, days: number, timeZone: string): Promise<string> =>
  (await db.selectNoFrom(startOf(days, timeZone).as('start')).executeTakeFirstOrThrow()).start;

/** Returns sign-ins by business day, oldest first, including days without sign-ins. */
export async function signInsByDay(db: Db | Tx, days: number, timeZone: string) {
  const { counts } = await auditCounts(db);
  const { rows } = await sql<{ date: string; signedIn: number; refused: number }>`
    with counted as (
      select (quarter at time zone ${timeZone})::date as day,
        sum(entries) filter (where action = 'session.started') as "signedIn",
        sum(entries) filter (where action = 'session.refused') as refused
      from ${counts} where entity = 'session' and quarter >= ${startOf(days, timeZone)} group by 1
    )
    select day as date, coalesce("signedIn", 0) as "signedIn", coalesce(refused, 0) as refused
    from (
      select (now() at time zone ${timeZone})::date - ago as day from generate_series(0, ${days - 1}::int) as ago
    ) as days left join counted using (day) order by day`.execute(db);
  return rows;
}

/** Counts actions by weekday (1 is Monday) and hour; those of the program, sign-ins and sign-outs are excluded. */
export async function workByHour(db: Db | Tx, days: number, timeZone: string) {
  const { counts } = await auditCounts(db);
  const { rows } = await sql<{ weekday: number; hour: number; actions: number }>`
    select extract(isodow from at)::int as weekday, extract(hour from at)::int as hour,
      sum(actions)::bigint as actions
    from (
      select quarter at time zone ${timeZone} as at, sum(by_people) as actions
      from ${counts}
      where quarter >= ${startOf(days, timeZone)} and entity <> 'session' group by quarter
    ) as quarters group by 1, 2`.execute(db);
  return rows;
}

/**
 * Counts actions by person; sign-ins and sign-outs are excluded. A thousand with entries from before the period is read
 * entry by entry.
 */
export async function mostActive(db: Db | Tx, days: number, timeZone: string, limit: number) {
  const start = startOf(days, timeZone);
  const { counts, people } = await auditCounts(db);
  const { rows } = await sql<{ userId: string; name: string; actions: number }>`
    with places as materialized (
      select thousand, bool_or(quarter < ${start}) as is_cut
      from ${counts}
      -- Not merged: PostgreSQL would look for the minimum in the index of all thousands.
      where thousand >= (select min(thousand) from (select thousand from ${counts} where quarter >= ${start} offset 0) as recent)
      group by thousand having max(quarter) >= ${start}
    ), done as (
      select actor_id, actions from ${people}
      where thousand in (select thousand from places where not is_cut)
      union all
      select actor_id, 1 from places cross join lateral (
        select actor_id from audit_entries
        where id >= thousand * ${sql.lit(THOUSAND)} and id < (thousand + 1) * ${sql.lit(THOUSAND)}
          and created_at >= ${start} and actor_id is not null and entity <> 'session'
        -- Not joined otherwise: PostgreSQL would read all entries.
        offset 0) as entry
      where is_cut
    )
    select users.id as "userId", users.name, sum(actions) as actions
    from done join users on users.id = done.actor_id
    group by users.id having sum(actions) > 0 order by sum(actions) desc, users.name limit ${limit}`.execute(
    db,
  );
  return rows;
}
