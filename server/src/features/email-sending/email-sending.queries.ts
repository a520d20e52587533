import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';

export type LogFilter = {
  senderId?: string | undefined;
  dealId?: string | undefined;
  status?: string | undefined;
  search?: string | undefined;
};

const filtered = (db: Db | Tx, { senderId, dealId, status, search }: LogFilter) =>
  db
    .selectFrom('emails')
    .$if(senderId !== undefined, (query) => query.where('emails.sender_id', '=', senderId!))
    .$if(dealId !== undefined, (query) => query.where('emails.deal_id', '=', dealId!))
    .$if(status !== undefined, (query) => query.where('emails.status', '=', status!))
    .$if(search !== undefined, (query) => query.where('emails.search_text', 'like', contains(search!)));

const contains = (text: string) =>
  `%${text
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`;

const ENTRY = [
  'emails.id',
  'emails.template_id',
  'emails.template_name',
  'emails.template_version',
  'emails.deal_id',
  'emails.dealership_id',
  'emails.sender_id',
  'emails.from_name',
  'emails.from_address',
  'emails.to_addresses',
  'emails.cc_addresses',
  'emails.subject',
  'emails.status',
  'emails.answer',
  'emails.attempts',
  'emails.created_at',
  'emails.sent_at',
  'emails.next_attempt_at',
  'emails.cancellable_until',
  'emails.message_id',
  'emails.version',
] as const;

const entries = (db: Db | Tx, filter: LogFilter) =>
  filtered(db, filter)
    .innerJoin('dealerships', 'dealerships.id', 'emails.dealership_id')
    .innerJoin('users', 'users.id', 'emails.sender_id')
    .select(ENTRY)
    .select(['dealerships.name as dealership_name', 'users.name as sender_name'])
    .select(sql<boolean>`coalesce(emails.cancellable_until > now(), false)`.as('is_cancellable'));

/** One page, newest first. */
export const listEmails = (db: Db | Tx, filter: LogFilter, page: number, limit: number) =>
  entries(db, filter)
    .orderBy('emails.created_at', 'desc')
    .orderBy('emails.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();

export type EmailRow = Awaited<ReturnType<typeof listEmails>>[number];

export const countEmails = async (db: Db | Tx, filter: LogFilter): Promise<number> =>
  (
    await filtered(db, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;

export const findEmail = (db: Db | Tx, id: string) =>
  entries(db, {}).where('emails.id', '=', id).executeTakeFirst();

export const findMessage = (db: Db | Tx, id: string) =>
  entries(db, {}).where('emails.id', '=', id).select(['emails.html', 'emails.body_text']).executeTakeFirst();

/** Of these messages, those of a sender. */
export const ownIds = async (db: Db | Tx, ids: string[], senderId: string): Promise<string[]> =>
  (
    await db
      .selectFrom('emails')
      .select('id')
      .where('id', 'in', ids)
      .where('sender_id', '=', senderId)
      .execute()
  ).map((row) => row.id);

export type NewEmail = Omit<Insertable<Tables['emails']>, 'status' | 'next_attempt_at' | 'cancellable_until'>;

/** Puts a message into the queue, to go out once it can no longer be called back. Answers when that is. */
export async function insertEmail(db: Tx, email: NewEmail, undoSeconds: number): Promise<string> {
  const dueAt = sql<string>`now() + make_interval(secs => ${undoSeconds})`;
  const row = await db
    .insertInto('emails')
    .values({
      ...email,
      status: 'queued',
      next_attempt_at: dueAt,
      cancellable_until: undoSeconds > 0 ? dueAt : null,
    })
    .returning('next_attempt_at')
    .executeTakeFirstOrThrow();
  return row.next_attempt_at!;
}

/**
 * How many messages a person sent within the last hour. The person's row is locked, so that parallel sends
 * cannot each see room.
 */
export async function countLastHour(db: Tx, senderId: string): Promise<number> {
  await db.selectFrom('users').select('id').where('id', '=', senderId).forNoKeyUpdate().execute();
  const { count } = await db
    .selectFrom('emails')
    .where('sender_id', '=', senderId)
    .where('created_at', '>', sql<string>`now() - interval '1 hour'`)
    .where('status', '<>', 'cancelled')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Calls back a message that still waits. False when it no longer does. */
export const cancelEmail = async (db: Tx, id: string): Promise<boolean> =>
  (
    await db
      .updateTable('emails')
      .set({
        status: 'cancelled',
        next_attempt_at: null,
        cancellable_until: null,
        version: sql`version + 1`,
        updated_at: sql`now()`,
      })
      .where('id', '=', id)
      .where('status', '=', 'queued')
      .where('cancellable_until', '>', sql<string>`now()`)
      .executeTakeFirst()
  ).numUpdatedRows > 0n;
