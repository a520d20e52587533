import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';

/** So many days a notification is kept once it has been read. */
const KEPT_DAYS = 90;

/** The newest that somebody was told of, with who did it and, for an email of their own, its subject. */
export const listStored = (db: Db | Tx, userId: string, limit: number) =>
  db
    .selectFrom('notifications')
    .leftJoin('users', 'users.id', 'notifications.by_id')
    .leftJoin('emails', (join) =>
      join
        .onRef('emails.id', '=', 'notifications.record_id')
        .onRef('emails.sender_id', '=', 'notifications.user_id'),
    )
    .where('notifications.user_id', '=', userId)
    .orderBy('notifications.at', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(limit)
    .select([
      'notifications.id',
      'notifications.kind',
      'notifications.record_id',
      'notifications.count',
      'notifications.at',
      'notifications.read_at',
      'users.name as by_name',
      'emails.subject',
    ])
    .execute();

export type StoredRow = Awaited<ReturnType<typeof listStored>>[number];

/** Notes these as read, or all, and lets go of what was read long ago. */
export async function markRead(db: Tx, userId: string, ids: readonly string[] | undefined): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${ids}::uuid[])`))
    .execute();
  await db
    .deleteFrom('notifications')
    .where('user_id', '=', userId)
    .where('read_at', '<', sql<string>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute();
}

/** Notes follow-ups as read: each for the time that it was due at. */
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
        at,
        read_at: sql<string>`now()`,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
