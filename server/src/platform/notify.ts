import type { NotificationKind } from '@forecourt/contract/notifications';
import { sql, type SqlBool } from 'kysely';
import { affectsRows, type Db, type Tx } from './db/database.ts';
import { CHANNEL } from './db/schemas.ts';
import { newId } from './ids.ts';

/** The user to notify, and the record. */
export type Concern = { userId: string; recordId: string };

/** Maximum further records of a notification: it is shown if its user sees any of them. */
const MAX_OTHER_RECORDS = 100;

/** Notification ids by user id. */
export type Notified = ReadonlyMap<string, string>;

/**
 * Notifies users in the transaction of the change: each of them once for all records, and not of their own changes.
 * Open pages are notified after the commit, by NOTIFY, which delays other transactions but is rare here.
 * @param byId the author; null for the program
 */
export async function notify(
  db: Tx,
  kind: NotificationKind,
  byId: string | null,
  concerns: readonly Concern[],
): Promise<Notified> {
  const byUser = Map.groupBy(
    concerns.filter(({ userId }) => userId !== byId),
    ({ userId }) => userId,
  );
  const notified = new Map([...byUser.keys()].map((userId) => [userId, newId()]));
  if (byUser.size === 0) return notified;
  await db
    .insertInto('notifications')
    .values(
      [...byUser].map(([userId, records]) => ({
        id: notified.get(userId)!,
        user_id: userId,
        kind,
        record_id: records[0]!.recordId,
        other_record_ids: records.slice(1, 1 + MAX_OTHER_RECORDS).map(({ recordId }) => recordId),
        count: records.length,
        created_by: byId,
      })),
    )
    .execute();
  for (const userId of byUser.keys()) await publishNotified(db, userId);
  return notified;
}

/** Like `notify`, about one record. Renews an unread notification of this kind about it instead of adding one. */
export async function notifyOfNewest(
  db: Tx,
  kind: NotificationKind,
  byId: string,
  recordId: string,
  userIds: readonly string[],
): Promise<Notified> {
  const { rows } = await sql<{ id: string; user_id: string }>`
    update notifications set occurred_at = now(), created_by = ${byId}
    where kind = ${kind} and record_id = ${recordId} and read_at is null and user_id <> ${byId}
      and user_id = any(${userIds}::uuid[])
    returning id, user_id`.execute(db);
  const renewed = new Map(rows.map(({ id, user_id }) => [user_id, id]));
  for (const userId of renewed.keys()) await publishNotified(db, userId);
  const others = userIds.filter((userId) => !renewed.has(userId));
  const added = await notify(
    db,
    kind,
    byId,
    others.map((userId) => ({ userId, recordId })),
  );
  return new Map([...renewed, ...added]);
}

/** Publishes to a user's open pages that their notifications changed. */
export async function publishNotified(db: Tx, userId: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${`notified ${userId}`})`.execute(db);
}

/** Claims the mail about a record for an unread notification. False if it was read or has another record. */
export async function claimMail(db: Db, notificationId: string, recordId: string): Promise<boolean> {
  return db
    .updateTable('notifications')
    .set({ mailed_record_id: recordId })
    .where('id', '=', notificationId)
    .where('read_at', 'is', null)
    .where(sql<SqlBool>`coalesce(mailed_record_id, ${recordId}) = ${recordId}`)
    .$call(affectsRows);
}

/** Ends the claim of a mail that was not sent. */
export async function releaseMail(db: Db, notificationId: string, recordId: string): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ mailed_record_id: null })
    .where('id', '=', notificationId)
    .where('mailed_record_id', '=', recordId)
    .execute();
}

/** Marks a user's notifications of these kinds about a record as read. Returns whether there were any. */
export async function markRecordRead(
  db: Tx,
  userId: string,
  recordId: string,
  kinds: readonly NotificationKind[],
): Promise<boolean> {
  return db
    .updateTable('notifications')
    .set({ read_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('record_id', '=', recordId)
    .where('kind', 'in', kinds)
    .where('read_at', 'is', null)
    .$call(affectsRows);
}
