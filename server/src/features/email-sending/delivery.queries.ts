import { sql, type RawBuilder } from 'kysely';
import { secondsFromNow, valuesOf, type Db, type Tx } from '../../platform/db/database.ts';

/** The message is queued, or the lease of its worker has expired. */
const isClaimable = sql<boolean>`
  emails.status in ('queued', 'retrying', 'sending') and emails.held_at is null
  and (emails.leased_until is null or emails.leased_until < now())`;

/** The message was due this long ago, but no instance could send it: all of them, or the database, were stopped. */
const isOverdue = sql<boolean>`
  emails.next_attempt_at < now() - interval '1 hour'
  and not exists (select from installation where mail_heartbeat_at >= now() - interval '1 hour')`;

/** The message may be sent now. Excludes paused senders, and held or overdue messages that are not released. */
const isDue = sql<boolean>`
  ${isClaimable} and emails.next_attempt_at <= now() and not (${isOverdue})
  and not exists (select from email_settings where user_id = emails.sender_id and pause_reason is not null)`;

/** Addresses, in lower case, of the dealership's active contacts and of the sender. */
const allowedAddresses = sql<string[]>`array(
  select lower(email) from contacts where dealership_id = emails.dealership_id and active
  union select lower(email) from users where id = emails.sender_id)`;

/** Added to the response of a message that may have been delivered. */
const MAY_HAVE_DELIVERED = 'The mail server may have delivered it.';

/** Returns the columns of a message that is ended: `unconfirmed` instead of `failed` if it may have been delivered. */
export const endedAs = (
  status: RawBuilder<string>,
  answer: RawBuilder<string>,
  isUnknown = sql<boolean>`emails.fate_unknown`,
) => ({
  status: sql<string>`case when ${isUnknown} then 'unconfirmed' else ${status} end`,
  answer: sql<string>`case when ${isUnknown} and position(${MAY_HAVE_DELIVERED} in ${answer}) = 0
    then ltrim(${answer} || ' ' || ${MAY_HAVE_DELIVERED}) else ${answer} end`,
});

/** Counts messages that wait for their delivery, by status, with the seconds since the oldest one was due. */
export const readOutbox = async (db: Db): Promise<{ status: string; count: number; age: number }[]> => {
  const { rows } = await sql<{ status: string; count: number; age: number }>`
    select status, count(*)::int as count,
      greatest(0, extract(epoch from now() - min(next_attempt_at)))::float as age
    from emails where status in ('queued', 'retrying', 'sending') group by status`.execute(db);
  return rows;
};

export type Which = { senderId: string } | { id: string };

/** Leases the messages that waited longest; concurrent workers get the next. A token identifies this attempt. */
export const claim = async (db: Db, which: Which, limit: number, leaseSeconds: number) => {
  const chosen = db
    .selectFrom('emails')
    .where('id' in which ? 'id' : 'sender_id', '=', 'id' in which ? which.id : which.senderId)
    .where(isDue)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .select('emails.id');
  const taken = await db
    .updateTable('emails')
    .set({
      status: 'sending',
      // A message leased before may have been sent by the worker that lost the lease.
      fate_unknown: sql`fate_unknown or status = 'sending'`,
      attempts: sql`attempts + 1`,
      first_attempt_at: sql`coalesce(first_attempt_at, now())`,
      lease_token: sql`lease_token + 1`,
      leased_until: secondsFromNow(leaseSeconds),
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    // PostgreSQL computes the array once. A subquery could run per row and lock more rows than its limit.
    .where(sql<boolean>`id = any(array(${chosen}))`)
    .returningAll()
    .returning(allowedAddresses.as('allowed_addresses'))
    .execute();
  return taken.toSorted((one, other) => (one.id < other.id ? -1 : 1));
};

export type Claimed = Awaited<ReturnType<typeof claim>>[number];

const isLatestAttempt = (emails: readonly Claimed[]) => sql<boolean>`
  status = 'sending' and (id, lease_token) in (
    select * from unnest(${emails.map(({ id }) => id)}::uuid[], ${emails.map((email) => email.lease_token)}::integer[]))`;

/** Renews leases. Returns the ids of messages that this worker still has. */
export const renew = (db: Db, emails: Claimed[], leaseSeconds: number): Promise<string[]> =>
  db
    .updateTable('emails')
    .set({ leased_until: secondsFromNow(leaseSeconds) })
    .where(isLatestAttempt(emails))
    .returning('id')
    .$call(valuesOf('id'));

/** Stores the recipients of a message of which some recipients are no longer contacts. */
export const narrowRecipients = (
  db: Db,
  { id, lease_token }: Claimed,
  recipients: Pick<Claimed, 'to_addresses' | 'cc_addresses'>,
) =>
  db
    .updateTable('emails')
    .set(recipients)
    .where('id', '=', id)
    .where('lease_token', '=', lease_token)
    .execute();

/** Returns leased messages to the queue that were not attempted. */
export const releaseClaims = (tx: Tx, emails: Claimed[]) =>
  tx
    .updateTable('emails')
    .set({
      status: sql`case attempts when 1 then 'queued' else 'retrying' end`,
      attempts: sql`attempts - 1`,
      leased_until: null,
      version: sql`version + 1`,
    })
    .where(isLatestAttempt(emails))
    .execute();

export type Outcome =
  | { status: 'sent'; answer: string }
  | { status: 'failed'; answer: string; deliveredTo?: readonly string[] }
  | {
      status: 'retrying';
      answer: string;
      deliveredTo?: readonly string[];
      delaySeconds: number;
    };

/** Writes the outcomes of attempts. Returns the messages that have not been leased again since. */
export const finish = async (
  tx: Tx,
  ended: readonly { email: Pick<Claimed, 'id' | 'lease_token'>; outcome: Outcome; isUnknown: boolean }[],
) => {
  const results = ended.map(({ email, outcome, isUnknown }) => ({
    id: email.id,
    lease_token: email.lease_token,
    status: outcome.status,
    answer: outcome.answer,
    is_unknown: isUnknown,
    delay: outcome.status === 'retrying' ? outcome.delaySeconds : null,
    delivered_to: outcome.status === 'sent' ? null : (outcome.deliveredTo ?? null),
  }));
  const isUnknown = sql<boolean>`emails.fate_unknown or results.is_unknown`;
  const hasFailed = sql<boolean>`results.status = 'failed' and (${isUnknown})`;
  return (
    tx
      .updateTable('emails')
      .from(
        sql<(typeof results)[number]>`jsonb_to_recordset(${JSON.stringify(results)}::jsonb)`.as<'results'>(
          sql`results (id uuid, lease_token integer, status text, answer text, is_unknown boolean, delay float8, delivered_to text[])`,
        ),
      )
      .set({
        ...endedAs(sql`results.status`, sql`results.answer`, hasFailed),
        fate_unknown: sql`results.status <> 'sent' and (${isUnknown})`,
        delivered_to: sql`coalesce(results.delivered_to, emails.delivered_to)`,
        leased_until: null,
        next_attempt_at: sql`now() + make_interval(secs => results.delay)`,
        sent_at: sql`case results.status when 'sent' then now() end`,
        held_at: null,
        hold_reason: null,
        version: sql`emails.version + 1`,
        updated_at: sql`now()`,
      })
      .whereRef('emails.id', '=', 'results.id')
      .whereRef('emails.lease_token', '=', 'results.lease_token')
      // If a message was sent while the database was unavailable, its held copy must not be sent too.
      .where(
        sql<boolean>`(emails.status = 'sending' or emails.hold_reason = 'overdue' and results.status = 'sent')`,
      )
      .returning(settled)
      .execute()
  );
};

const settled = [
  'emails.id',
  'emails.sender_id',
  'emails.version',
  'emails.status',
  'emails.answer',
] as const;

/** Postpones all due messages of a sender whose server does not respond. */
export async function postpone(tx: Tx, senderId: string, seconds: number): Promise<void> {
  await tx
    .updateTable('emails')
    .set({ next_attempt_at: secondsFromNow(seconds) })
    .where('sender_id', '=', senderId)
    .where('status', 'in', ['queued', 'retrying'])
    .where('next_attempt_at', '<=', sql<string>`now()`)
    .execute();
}

/**
 * Holds overdue messages, and records that this instance delivers mail from now on. Of concurrent instances the first
 * one holds them. Returns the held messages.
 */
export async function holdOverdue(tx: Tx) {
  await tx.selectFrom('installation').select('id').forUpdate().execute();
  const heldEmails = await tx
    .updateTable('emails')
    .set({
      status: sql`case when status = 'sending' then 'retrying' else status end`,
      fate_unknown: sql`fate_unknown or status = 'sending'`,
      held_at: sql`now()`,
      hold_reason: 'overdue',
      leased_until: null,
      cancellable_until: null,
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where(isClaimable)
    .where(isOverdue)
    .returning(['id', 'version', 'status'])
    .execute();
  await tx
    .updateTable('installation')
    .set({ mail_heartbeat_at: sql`now()` })
    .execute();
  return heldEmails;
}

export const listAdministrators = (db: Tx) =>
  db.selectFrom('users').select('id').where('role', '=', 'admin').where('is_active', '=', true).execute();

export const sendersWithDue = (db: Db): Promise<string[]> =>
  db.selectFrom('emails').where(isDue).select('sender_id').distinct().$call(valuesOf('sender_id'));

/** Marks messages of paused queues as failed if they have been due for this long. */
export const giveUp = (tx: Tx, hours: number) =>
  tx
    .updateTable('emails')
    .from('email_settings')
    .whereRef('email_settings.user_id', '=', 'emails.sender_id')
    .where('email_settings.pause_reason', 'is not', null)
    .where('emails.status', 'in', ['queued', 'retrying'])
    .where('emails.held_at', 'is', null)
    .where('emails.next_attempt_at', '<', sql<string>`now() - make_interval(hours => ${hours})`)
    .set({
      ...endedAs(sql`'failed'`, sql`email_settings.pause_reason`),
      next_attempt_at: null,
      version: sql`emails.version + 1`,
      updated_at: sql`now()`,
    })
    .returning(settled)
    .execute();
