import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/**
 * Waiting, or taken by a worker whose lease has run out; never one of a sender whose queue is paused, nor one that a
 * restore brought back before an administrator releases it.
 */
const isDue = sql<boolean>`
  emails.status in ('queued', 'retrying', 'sending') and emails.next_attempt_at <= now() and emails.parked_at is null
  and (emails.leased_until is null or emails.leased_until < now())
  and not exists (select from email_settings where user_id = emails.sender_id and paused_because is not null)`;

export type Which = { senderId: string } | { id: string };

/**
 * Takes what waits longest, for as long as the lease runs. Others that look at the same time take the next ones. The
 * fence tells this attempt from any other.
 */
export const claim = async (db: Db, which: Which, most: number, leaseSeconds: number) => {
  const chosen = db
    .selectFrom('emails')
    .where('id' in which ? 'id' : 'sender_id', '=', 'id' in which ? which.id : which.senderId)
    .where(isDue)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .select('emails.id');
  const taken = await db
    .updateTable('emails')
    .set({
      status: 'sending',
      attempts: sql`attempts + 1`,
      fence: sql`fence + 1`,
      leased_until: leaseFor(leaseSeconds),
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    // An array is made once; a subquery might be asked for each row and lock more than its limit.
    .where(sql<boolean>`id = any(array(${chosen}))`)
    .returningAll()
    .execute();
  return taken.toSorted((one, other) => (one.id < other.id ? -1 : 1));
};

export type Claimed = Awaited<ReturnType<typeof claim>>[number];

const leaseFor = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`;

/** Those of these attempts that no later one has followed. */
const stillOurs = (emails: readonly Claimed[]) => sql<boolean>`
  status = 'sending' and (id, fence) in (
    select * from unnest(${emails.map(({ id }) => id)}::uuid[], ${emails.map(({ fence }) => fence)}::integer[]))`;

/** Still at work. Answers the ids of those that are still ours. */
export const renew = async (db: Db, emails: Claimed[], leaseSeconds: number): Promise<string[]> =>
  (
    await db
      .updateTable('emails')
      .set({ leased_until: leaseFor(leaseSeconds) })
      .where(stillOurs(emails))
      .returning('id')
      .execute()
  ).map(({ id }) => id);

/** Lets others have what was taken and not tried, as it was before. */
export const giveBack = (tx: Tx, emails: Claimed[]) =>
  tx
    .updateTable('emails')
    .set({
      status: sql`case attempts when 1 then 'queued' else 'retrying' end`,
      attempts: sql`attempts - 1`,
      leased_until: null,
      version: sql`version + 1`,
    })
    .where(stillOurs(emails))
    .execute();

export type Outcome =
  | { status: 'sent'; answer: string }
  | { status: 'failed'; answer: string }
  | { status: 'retrying'; answer: string; delaySeconds: number };

/** Writes down how attempts ended. Answers those that no other attempt has followed meanwhile. */
export const finish = async (tx: Tx, ended: readonly { email: Claimed; outcome: Outcome }[]) => {
  const told = ended.map(({ email, outcome }) => ({
    id: email.id,
    fence: email.fence,
    status: outcome.status,
    answer: outcome.answer,
    delay: outcome.status === 'retrying' ? outcome.delaySeconds : null,
  }));
  return tx
    .updateTable('emails')
    .from(
      sql<(typeof told)[number]>`jsonb_to_recordset(${JSON.stringify(told)}::jsonb)`.as<'told'>(
        sql`told (id uuid, fence integer, status text, answer text, delay float8)`,
      ),
    )
    .set({
      status: sql`told.status`,
      answer: sql`told.answer`,
      leased_until: null,
      next_attempt_at: sql`now() + make_interval(secs => told.delay)`,
      sent_at: sql`case told.status when 'sent' then now() end`,
      version: sql`emails.version + 1`,
      updated_at: sql`now()`,
    })
    .whereRef('emails.id', '=', 'told.id')
    .whereRef('emails.fence', '=', 'told.fence')
    .where('emails.status', '=', 'sending')
    .returning(settled)
    .execute();
};

const settled = [
  'emails.id',
  'emails.sender_id',
  'emails.version',
  'emails.status',
  'emails.answer',
] as const;

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
    .returning(settled)
    .execute();
