import { fixedStatuses } from '@forecourt/contract/fixed-statuses';
import { sql, type SqlBool } from 'kysely';
import { where } from '../../../platform/conditions.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { hasAccess } from '../../../platform/sharing/access.ts';
import { accessFields } from '../../../platform/sharing/shares.queries.ts';
import { matching, type InScope } from '../deals.queries.ts';

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

/** Returns the user's own and shared rows of which others changed one of these fields since, latest first. */
export const changesOfOthers = (
  db: Db | Tx,
  scope: InScope,
  {
    userId,
    since,
    fields,
    limit,
  }: { userId: string; since: string; fields: readonly string[]; limit: number },
) =>
  db
    .selectFrom('deals')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('audit_entries')
          .whereRef('audit_entries.record_id', '=', 'deals.id')
          .where('audit_entries.entity', '=', 'deal')
          .where('audit_entries.created_at', '>', sql<string>`${since}::timestamptz`)
          .where(sql<SqlBool>`audit_entries.actor_id is distinct from ${userId}::uuid`)
          .where(sql<SqlBool>`audit_entries.after ?| ${fields}::text[]`)
          .select([
            sql<string>`max(audit_entries.created_at)`.as('at'),
            sql<string>`(array_agg(audit_entries.actor_name order by audit_entries.id desc))[1]`.as(
              'by_name',
            ),
            sql<string[]>`(select array_agg(distinct field)
              from unnest(array_agg(audit_entries.after)) as done (after), jsonb_object_keys(after) as field
              where field = any(${fields}::text[]))`.as('fields'),
          ])
          .having((having) => having.fn.countAll(), '>', 0)
          .as('changes'),
      (join) => join.onTrue(),
    )
    .where((eb) => matching(eb, scope, {}))
    .where('deals.updated_at', '>', sql<string>`${since}::timestamptz`)
    .where(where(hasAccess, { userId }, accessFields('deal')))
    .orderBy('changes.at', 'desc')
    .limit(limit)
    .select([
      'deals.id',
      'deals.customer_name',
      'deals.month',
      'changes.at',
      'changes.by_name',
      'changes.fields',
      sql<number>`(count(*) over ())::integer`.as('total'),
    ])
    .execute();
