import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** A template, and one sender's emails only. */
type Whose = { templateId: string; senderId: string | undefined };

const emailsOf = (db: Db | Tx, { templateId, senderId }: Whose) =>
  db
    .selectFrom('emails')
    .where('template_id', '=', templateId)
    .$if(senderId !== undefined, (query) => query.where('sender_id', '=', senderId!));

/** How many went out, counted up to a limit, and when the last one. */
export const countSent = (db: Db | Tx, whose: Whose, limit: number) =>
  db
    .selectFrom(
      emailsOf(db, whose)
        .where('status', '=', 'sent')
        .orderBy('sent_at', 'desc')
        .limit(limit)
        .select('sent_at')
        .as('newest'),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('sent'),
      eb.fn.max<string | null>('newest.sent_at').as('lastSentAt'),
    ])
    .executeTakeFirstOrThrow();

/** What is on its way or waits for its time, finished as it is, and how many merges that belongs to. */
export const countWaiting = (db: Db | Tx, whose: Whose) =>
  emailsOf(db, whose)
    .where(sql<boolean>`status in ('queued', 'retrying', 'sending')`)
    .select((eb) => [
      eb.fn.countAll<number>().as('waiting'),
      eb.fn.count<number>('batch_id').distinct().as('waitingMerges'),
    ])
    .executeTakeFirstOrThrow();
