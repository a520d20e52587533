import type { NotificationKind } from '@forecourt/contract/notifications';
import { sql } from 'kysely';
import { affectsRows, type Db, type Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';

/** Days for which a read notification is stored. */
const RETENTION_DAYS = 90;

/**
 * Returns a user's newest notifications with the author, the comment and, for their own emails, the subject.
 * Notifications about deleted exports are omitted.
 */
export const listStored = (db: Db | Tx, userId: string, limit: number) =>
  db
    .selectFrom('notifications')
    .leftJoin('users', 'users.id', 'notifications.created_by')
    .leftJoin('emails', (join) =>
      join
        .onRef('emails.id', '=', 'notifications.record_id')
        .onRef('emails.sender_id', '=', 'notifications.user_id'),
    )
    .where('notifications.user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('notifications.kind', '<>', 'exportReady'),
        eb.exists(
          eb
            .selectFrom('exports')
            .select('exports.id')
            .whereRef('exports.id', '=', 'notifications.record_id'),
        ),
      ]),
    )
    .orderBy('notifications.occurred_at', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(limit)
    .select([
      'notifications.id',
      'notifications.kind',
      'notifications.record_id',
      'notifications.other_record_ids',
      'notifications.count',
      'notifications.occurred_at',
      'notifications.read_at',
      'users.name as by_name',
      'emails.subject',
      sql<string | null>`(select month from statements where statements.id = notifications.record_id)`.as(
        'statement_month',
      ),
      sql<string | null>`case when notifications.kind in ('comment', 'commentMention') then (
        select comment.id from deal_comments as comment
        where comment.deal_id = notifications.record_id and comment.author_id = notifications.created_by
          and (notifications.kind = 'comment' or exists (
            select from deal_comment_mentions as mention
            where mention.comment_id = comment.id and mention.user_id = notifications.user_id))
        order by greatest(comment.created_at, comment.edited_at) desc, comment.id desc
        limit 1) end`.as('comment_id'),
    ])
    .execute();

/** Selects some notifications, or all up to `until`, the time of the newest one in milliseconds. */
export type Which = { ids?: readonly string[] | undefined; until?: string | undefined };

/** Marks notifications as read, and deletes notifications read long ago, except follow-ups that are still due. */
export async function markRead(db: Tx, userId: string, { ids, until }: Which): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${ids}::uuid[])`))
    .$if(until !== undefined, (query) =>
      query.where(sql<boolean>`date_trunc('milliseconds', occurred_at) <= ${until}`),
    )
    .execute();
  await db
    .deleteFrom('notifications')
    .where('user_id', '=', userId)
    .where('read_at', '<', sql<string>`now() - make_interval(days => ${RETENTION_DAYS})`)
    .where(
      sql<boolean>`not (kind = 'followUp' and exists (
        select from deals where deals.id = record_id and deals.follow_up_at = occurred_at))`,
    )
    .execute();
}

export const wantsMentionMail = async (db: Db | Tx, userId: string): Promise<boolean> =>
  (await db.selectFrom('users').where('id', '=', userId).select('mention_mail').executeTakeFirstOrThrow())
    .mention_mail;

/** Returns whether the setting changed. */
export async function setMentionMail(db: Tx, userId: string, isOn: boolean): Promise<boolean> {
  return db
    .updateTable('users')
    .set({ mention_mail: isOn })
    .where('id', '=', userId)
    .where('mention_mail', '<>', isOn)
    .$call(affectsRows);
}

/** Returns active administrators who did not get this notification within the last day. */
export const listAdminsWithout = (db: Tx, kind: NotificationKind, recordId: string) =>
  db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('notifications')
            .select('notifications.id')
            .whereRef('notifications.user_id', '=', 'users.id')
            .where('notifications.kind', '=', kind)
            .where('notifications.record_id', '=', recordId)
            .where('notifications.occurred_at', '>', sql<string>`now() - interval '1 day'`)
            // One of a clock that was ahead.
            .where('notifications.occurred_at', '<=', sql<string>`clock_timestamp()`),
        ),
      ),
    )
    .execute();

/** Returns which follow-ups of these rows are read, as `<row id> <due time>`. */
export async function readFollowUps(
  db: Db | Tx,
  userId: string,
  recordIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('notifications')
    .where('user_id', '=', userId)
    .where('kind', '=', 'followUp')
    .where(sql<boolean>`record_id = any(${recordIds}::uuid[])`)
    .select(['record_id', 'occurred_at'])
    .execute();
  return new Set(rows.map(({ record_id, occurred_at }) => `${record_id} ${occurred_at}`));
}

/** Marks follow-ups as read for their current due time. */
export async function markFollowUpsRead(
  db: Tx,
  userId: string,
  due: readonly { recordId: string; at: string }[],
): Promise<void> {
  if (due.length === 0) return;
  await db
    .insertInto('notifications')
    .values(
      due.map(({ recordId, at }) => ({
        id: newId(),
        user_id: userId,
        kind: 'followUp',
        record_id: recordId,
        occurred_at: at,
        read_at: sql<string>`now()`,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
