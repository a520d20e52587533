import type { NotificationKind } from '@forecourt/contract/notifications';
import { sql } from 'kysely';
import type { Tx } from './db/database.ts';
import { newId } from './ids.ts';
import { CHANNEL } from './live/notices.ts';

/** The user to notify, and the record. */
export type Concern = { userId: string; recordId: string };

/**
 * Notifies users in the transaction of the change: each of them once for any number of records, and not of their own
 * changes. Their open pages are notified after the commit. This is rare, so it may use NOTIFY, which delays other
 * transactions.
 * @param byId the author; null: the program
 */
export async function notify(
  db: Tx,
  kind: NotificationKind,
  byId: string | null,
  concerns: readonly Concern[],
): Promise<void> {
  const byUser = Map.groupBy(
    concerns.filter(({ userId }) => userId !== byId),
    ({ userId }) => userId,
  );
  if (byUser.size === 0) return;
  await db
    .insertInto('notifications')
    .values(
      [...byUser].map(([userId, records]) => ({
        id: newId(),
        user_id: userId,
        kind,
        record_id: records[0]!.recordId,
        count: records.length,
        created_by: byId,
      })),
    )
    .execute();
  for (const userId of byUser.keys()) await publishNotified(db, userId);
}

/** Publishes to a user's open pages that their notifications changed. */
export async function publishNotified(db: Tx, userId: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${`notified ${userId}`})`.execute(db);
}

/** Removes the unread notifications of this kind about these records: a newer one follows. */
export async function removeUnread(
  db: Tx,
  kind: NotificationKind,
  concerns: readonly Concern[],
): Promise<void> {
  await sql`
    delete from notifications using unnest(
      ${concerns.map(({ userId }) => userId)}::uuid[],
      ${concerns.map(({ recordId }) => recordId)}::uuid[]
    ) as concern (user_id, record_id)
    where notifications.kind = ${kind} and notifications.read_at is null
      and notifications.user_id = concern.user_id and notifications.record_id = concern.record_id`.execute(
    db,
  );
}

/** Marks a user's notifications of these kinds about a record as read. Returns whether there were any. */
export async function markRecordRead(
  db: Tx,
  userId: string,
  recordId: string,
  kinds: readonly NotificationKind[],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ read_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('record_id', '=', recordId)
    .where('kind', 'in', kinds)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) > 0;
}
