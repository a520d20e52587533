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
