import { fixedStatuses } from '@forecourt/contract/fixed-statuses';
import { sql, type SqlBool } from 'kysely';
import { where } from '../../../platform/conditions.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { hasAccess } from '../../../platform/sharing/access.ts';
import { accessFields } from '../../../platform/sharing/shares.queries.ts';
import { inDeals, matching, type InScope } from '../deals.queries.ts';

/** Selects the open rows of an owner that have a follow-up time; an index has them in its order. */
const waitingRows = (db: Db | Tx, scope: InScope, ownerId: string) =>
  db
    .selectFrom('deals')
    .innerJoin('statuses', 'statuses.id', 'deals.status_id')
    .where((eb) => matching(eb, scope, {}))
    .where('deals.owner_id', '=', ownerId)
    .where('deals.follow_up_at', 'is not', null)
    .where('statuses.is_closed', '=', false);

/**
 * Selects the rows of an owner that have the status To Call and no time. The stored sums have the months and dealerships
 * with such rows: an owner may have a million others.
 */
const rowsWithoutTime = (db: Db | Tx, scope: InScope, ownerId: string) =>
  db
    .selectFrom(
      db
        .selectFrom(sql`(table deal_sums union all table deal_sum_changes)`.as('part'))
        .where(sql<SqlBool>`owner_id = ${ownerId} and status_id = ${fixedStatuses.toCall}`)
        .groupBy(sql`month, dealership_id`)
        .having(sql<SqlBool>`sum(deals) > 0`)
        .orderBy(sql`month, dealership_id`)
        .select([sql<string>`month`.as('month'), sql<string>`dealership_id`.as('dealership_id')])
        .as('place'),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('deals')
          .whereRef('deals.month', '=', 'place.month')
          .whereRef('deals.dealership_id', '=', 'place.dealership_id')
          .where((rows) => matching(rows, scope, {}))
          .where('deals.owner_id', '=', ownerId)
          .where('deals.follow_up_at', 'is', null)
          .where('deals.status_id', '=', fixedStatuses.toCall)
          .where(sql<SqlBool>`(select not is_closed from statuses where id = ${fixedStatuses.toCall})`)
          .select('deals.id')
          // Not merged with the outer query: the places are read until the limit is reached.
          .offset(0)
          .as('waiting'),
      (join) => join.onTrue(),
    )
    .select('waiting.id');

/**
 * Returns up to `limit` rows of an owner to call by follow-up time, those without a time last, each with the total,
 * which is counted up to `most`.
 */
export const rowsToCall = (
  db: Db | Tx,
  scope: InScope,
  ownerId: string,
  { limit, most }: { limit: number; most: number },
) =>
  db
    .with('timed', () =>
      waitingRows(db, scope, ownerId)
        .orderBy('deals.follow_up_at')
        .orderBy('deals.id')
        .limit(most)
        .select('deals.id'),
    )
    .with('waiting', (query) =>
      query
        .selectFrom('timed')
        .select('id')
        .unionAll(
          query.selectFrom(rowsWithoutTime(db, scope, ownerId).limit(most).as('open')).select('open.id'),
        )
        .limit(most),
    )
    .selectFrom('deals')
    .innerJoin('dealerships', 'dealerships.id', 'deals.dealership_id')
    .where('deals.id', 'in', (eb) => eb.selectFrom('waiting').select('id'))
    .orderBy('deals.follow_up_at', (order) => order.asc().nullsLast())
    .orderBy('deals.id')
    .limit(limit)
    .select([
      'deals.id',
      'deals.customer_name',
      'deals.customer_number',
      'dealerships.name as dealership_name',
      'deals.month',
      'deals.follow_up_at',
      sql<number>`(count(*) over ())::integer`.as('total'),
    ])
    .execute();

/** Returns the waiting rows whose follow-up time has passed, latest first. */
export const rowsDue = (db: Db | Tx, scope: InScope, ownerId: string, limit: number) =>
  waitingRows(db, scope, ownerId)
    .where('deals.follow_up_at', '<=', sql<string>`now()`)
    .orderBy('deals.follow_up_at', 'desc')
    .limit(limit)
    .select(['deals.id', 'deals.customer_name', 'deals.month', 'deals.follow_up_at'])
    .execute();

/** Returns the next follow-up time of the waiting rows; null if there is none. */
export const nextDue = async (db: Db | Tx, scope: InScope, ownerId: string): Promise<string | null> =>
  (
    await waitingRows(db, scope, ownerId)
      .where('deals.follow_up_at', '>', sql<string>`now()`)
      .select(sql<string | null>`min(deals.follow_up_at)`.as('at'))
      .executeTakeFirstOrThrow()
  ).at;

/** Returns when the user's earlier sessions were last used, before the start of this session; null without any. */
export async function lastVisit(db: Db | Tx, userId: string, sessionId: string): Promise<string | null> {
  const { at } = await db
    .selectFrom('sessions')
    .innerJoin('sessions as present', (join) => join.on('present.id', '=', sessionId))
    .where('sessions.user_id', '=', userId)
    .whereRef('sessions.created_at', '<', 'present.created_at')
    .select(sql<string | null>`max(least(sessions.last_used_at, present.created_at))`.as('at'))
    .executeTakeFirstOrThrow();
  return at;
}

/** Whether a user owns more rows than this, or has more shares of rows. */
export async function hasMoreRows(db: Db | Tx, userId: string, most: number): Promise<boolean> {
  const { rows } = await sql<{ hasMore: boolean }>`
    select exists (select from deals where owner_id = ${userId} and deleted_at is null offset ${most})
      or exists (select from shares where user_id = ${userId} and entity = 'deal' offset ${most})
      as "hasMore"`.execute(db);
  return rows[0]!.hasMore;
}

/** Returns number and time of the oldest of this many newest audit entries; undefined if there are fewer. */
export async function findRecentEntry(db: Db | Tx, count: number) {
  const { rows } = await sql<{ id: number; at: string }>`
    select id, created_at as at from audit_entries
    where id > (select max(id) from audit_entries) - ${count} and ${count} < (select max(id) from audit_entries)
    order by id limit 1`.execute(db);
  return rows[0];
}

type Changes = {
  userId: string;
  since: string;
  fields: readonly string[];
  limit: number;
  /** Finds changed rows by the audit entries after this number, and not one by one. */
  afterEntry?: number | undefined;
};

type ChangedRow = {
  id: string;
  customer_name: string;
  month: string;
  at: string;
  by_name: string;
  fields: string[];
  total: number;
};

/** Returns the user's own and shared rows of which others changed one of these fields since, latest first. */
export async function changesOfOthers(
  db: Db | Tx,
  scope: InScope,
  { userId, since, fields, limit, afterEntry }: Changes,
): Promise<ChangedRow[]> {
  const byOthers = sql`audit_entries.entity = 'deal' and audit_entries.created_at > ${since}::timestamptz
    and audit_entries.actor_id is distinct from ${userId}::uuid and audit_entries.after ?| ${fields}::text[]`;
  const updated = sql`deals.updated_at > ${since}::timestamptz`;
  const changed =
    afterEntry === undefined
      ? sql`
        select own.id, newest.at from (
          select id from deals where owner_id = ${userId} and deleted_at is null and ${updated}
          union
          select deals.id from shares join deals on deals.id = shares.record_id
          where shares.user_id = ${userId} and shares.entity = 'deal' and ${updated}
        ) as own cross join lateral (
          select max(created_at) as at from audit_entries where record_id = own.id and ${byOthers}
        ) as newest where newest.at is not null`
      : sql`
        select record_id as id, max(created_at) as at from audit_entries
        where id > ${afterEntry} and ${byOthers} group by record_id`;
  const { rows } = await sql<ChangedRow>`
    with changed as materialized (${changed}), page as materialized (
      select deals.id, deals.customer_name, deals.month, changed.at, (count(*) over ())::integer as total
      from changed join deals on deals.id = changed.id
      where ${matching(inDeals, scope, {})} and ${where(hasAccess, { userId }, accessFields('deal'))}
      order by changed.at desc limit ${limit}
    )
    select page.*, entries.* from page cross join lateral (
      select (array_agg(actor_name order by audit_entries.id desc))[1] as by_name,
        (select array_agg(distinct field) from unnest(array_agg(after)) as done (after), jsonb_object_keys(after) as field
          where field = any(${fields}::text[])) as fields
      from audit_entries where record_id = page.id and ${byOthers}
    ) as entries order by page.at desc`.execute(db);
  return rows;
}
