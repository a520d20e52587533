import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

type Whose = { templateId: string; senderId: string | undefined };

const emailsOf = (db: Db | Tx, { templateId, senderId }: Whose) =>
  db
    .selectFrom('emails')
    .where('template_id', '=', templateId)
    .$if(senderId !== undefined, (query) => query.where('sender_id', '=', senderId!));

/** Counts sent emails up to a limit, and returns the time of the last one. */
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

/** Counts queued and planned emails, and the merges they belong to. */
export const countWaiting = (db: Db | Tx, whose: Whose) =>
  emailsOf(db, whose)
    .where(sql<boolean>`status in ('queued', 'retrying', 'sending')`)
    .select((eb) => [
      eb.fn.countAll<number>().as('waiting'),
      eb.fn.count<number>('batch_id').distinct().as('waitingMerges'),
    ])
    .executeTakeFirstOrThrow();
