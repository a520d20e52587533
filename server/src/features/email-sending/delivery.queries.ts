import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** Waiting, or taken by a worker whose lease has run out; never one of a sender whose queue is paused. */
const isDue = sql<boolean>`
  emails.status in ('queued', 'retrying', 'sending') and emails.next_attempt_at <= now()
  and (emails.leased_until is null or emails.leased_until < now())
  and not exists (select from email_settings where user_id = emails.sender_id and paused_because is not null)`;

export type Which = { senderId: string } | { id: string };

/**
 * Takes the message that waits longest, for as long as the lease runs. Others that look at the same time take
 * the next one. The fence tells this attempt from any other.
 */
export const claim = (db: Db, which: Which, leaseSeconds: number) =>
  db
    .updateTable('emails')
    .set({
      status: 'sending',
      attempts: sql`attempts + 1`,
      fence: sql`fence + 1`,
      leased_until: leaseFor(leaseSeconds),
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('emails')
        .where('id' in which ? 'id' : 'sender_id', '=', 'id' in which ? which.id : which.senderId)
        .where(isDue)
        .orderBy('next_attempt_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .select('emails.id'),
    )
    .returningAll()
    .executeTakeFirst();

export type Claimed = NonNullable<Awaited<ReturnType<typeof claim>>>;

const leaseFor = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`;

/** Still at work. False when another attempt has begun meanwhile. */
export const renew = async (db: Db, { id, fence }: Claimed, leaseSeconds: number): Promise<boolean> =>
  (
    await db
      .updateTable('emails')
      .set({ leased_until: leaseFor(leaseSeconds) })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('status', '=', 'sending')
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

export type Outcome =
  | { status: 'sent'; answer: string }
  | { status: 'failed'; answer: string }
  | { status: 'retrying'; answer: string; delaySeconds: number };

/** Writes down how an attempt ended, unless another one has begun meanwhile: then undefined. */
export const finish = (tx: Tx, { id, fence }: Claimed, outcome: Outcome) =>
  tx
    .updateTable('emails')
    .set({
      status: outcome.status,
      answer: outcome.answer,
      leased_until: null,
      next_attempt_at:
        outcome.status === 'retrying' ? sql`now() + make_interval(secs => ${outcome.delaySeconds})` : null,
      sent_at: outcome.status === 'sent' ? sql`now()` : null,
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('status', '=', 'sending')
    .returning('version')
    .executeTakeFirst();

/** What else of a sender is due waits as well: its server does not answer anyway. */
export async function postpone(tx: Tx, senderId: string, seconds: number): Promise<void> {
  await tx
    .updateTable('emails')
    .set({ next_attempt_at: sql`now() + make_interval(secs => ${seconds})` })
    .where('sender_id', '=', senderId)
    .where('status', 'in', ['queued', 'retrying'])
    .where('next_attempt_at', '<=', sql<string>`now()`)
    .execute();
}

/** Who has messages that are due. */
export const sendersWithDue = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('emails').where(isDue).select('sender_id').distinct().execute()).map(
    (row) => row.sender_id,
  );

/** Messages of paused queues that have waited for their time: they fail. */
export const giveUp = (tx: Tx, hours: number) =>
  tx
    .updateTable('emails')
    .from('email_settings')
    .whereRef('email_settings.user_id', '=', 'emails.sender_id')
    .where('email_settings.paused_because', 'is not', null)
    .where('emails.status', 'in', ['queued', 'retrying'])
    .where('emails.created_at', '<', sql<string>`now() - make_interval(hours => ${hours})`)
    .set({
      status: 'failed',
      answer: sql`email_settings.paused_because`,
      next_attempt_at: null,
      version: sql`emails.version + 1`,
      updated_at: sql`now()`,
    })
    .returning(['emails.id', 'emails.version'])
    .execute();
