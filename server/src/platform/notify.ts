import type { NotificationKind } from '@forecourt/contract/notifications';
import { sql } from 'kysely';
import type { Tx } from './db/database.ts';
import { newId } from './ids.ts';
import { CHANNEL } from './live/notices.ts';

/** Whom it concerns, and which record. */
export type Concern = { userId: string; recordId: string };

/**
 * Tells people of something in the transaction in which it happens: each of them once, however many records there
 * are, and nobody of what they did themselves. Their open pages hear of it after the commit. This is seldom, so it
 * may use NOTIFY, which holds up other transactions.
 * @param byId who did it; null: the program
 */
export async function notify(
  db: Tx,
  kind: NotificationKind,
  byId: string | null,
  concerns: readonly Concern[],
): Promise<void> {
  const own = Map.groupBy(
    concerns.filter(({ userId }) => userId !== byId),
    ({ userId }) => userId,
  );
  if (own.size === 0) return;
  await db
    .insertInto('notifications')
    .values(
      [...own].map(([userId, records]) => ({
        id: newId(),
        user_id: userId,
        kind,
        record_id: records[0]!.recordId,
        count: records.length,
        by_id: byId,
      })),
    )
    .execute();
  for (const userId of own.keys()) await tellPages(db, userId);
}

/** Tells a person's open pages that their notifications are others now. */
export async function tellPages(db: Tx, userId: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${`notified ${userId}`})`.execute(db);
}
