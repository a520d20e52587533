import { sql } from 'kysely';
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

/** Returns the start of the period of this many business days, today included. */
const since = (days: number, timeZone: string) =>
  sql`((now() at time zone ${timeZone})::date - ${days - 1}::int)::timestamp at time zone ${timeZone}`;

/** Returns sign-ins by business day, oldest first, including days without sign-ins. */
export async function signInsByDay(db: Db | Tx, days: number, timeZone: string) {
  const { rows } = await sql<{ date: string; signedIn: number; refused: number }>`
    with counted as (
      select (created_at at time zone ${timeZone})::date as day,
        count(*) filter (where action = 'session.started') as "signedIn",
        count(*) filter (where action = 'session.refused') as refused
      from audit_entries where entity = 'session' and created_at >= ${since(days, timeZone)} group by 1
    )
    select day as date, coalesce("signedIn", 0) as "signedIn", coalesce(refused, 0) as refused
    from (
      select (now() at time zone ${timeZone})::date - ago as day from generate_series(0, ${days - 1}::int) as ago
    ) as days left join counted using (day) order by day`.execute(db);
  return rows;
}

/**
 * Counts actions by weekday (1 is Monday) and hour; sign-ins and sign-outs are excluded. Quarters of an hour, by which
 * all time zones differ, are converted to local time, and not each action: that takes a sixth of the time.
 */
export async function workByHour(db: Db | Tx, days: number, timeZone: string) {
  const { rows } = await sql<{ weekday: number; hour: number; actions: number }>`
    select extract(isodow from at)::int as weekday, extract(hour from at)::int as hour,
      sum(actions)::bigint as actions
    from (
      select quarter at time zone ${timeZone} as at, count(*) as actions
      from audit_entries, date_bin('15 minutes', created_at, 'epoch') as quarter
      where created_at >= ${since(days, timeZone)} and actor_id is not null and entity <> 'session'
      group by quarter
    ) as quarters group by 1, 2`.execute(db);
  return rows;
}

export async function mostActive(db: Db | Tx, days: number, timeZone: string, limit: number) {
  const { rows } = await sql<{ userId: string; name: string; actions: number }>`
    select users.id as "userId", users.name, done.actions
    from (
      select actor_id, count(*) as actions from audit_entries
      where created_at >= ${since(days, timeZone)} and actor_id is not null and entity <> 'session'
      group by actor_id
    ) as done join users on users.id = done.actor_id
    order by done.actions desc, users.name limit ${limit}`.execute(db);
  return rows;
}

export async function refusedSignIns(db: Db | Tx, days: number, timeZone: string, limit: number) {
  const { rows } = await sql<{ at: string; email: string; ip: string }>`
    select created_at as at, coalesce(after ->> 'email', '') as email, ip from audit_entries
    where entity = 'session' and action = 'session.refused' and created_at >= ${since(days, timeZone)}
    order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}
