import { sql, type Insertable } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';

export type LogFilter = {
  senderId?: string | undefined;
  templateId?: string | undefined;
  dealershipId?: string | undefined;
  dealId?: string | undefined;
  batchId?: string | undefined;
  status?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
};

const filtered = (db: Db | Tx, { dealId, batchId, status, from, to, search, ...of }: LogFilter) =>
  db
    .selectFrom('emails')
    .$if(of.senderId !== undefined, (query) => query.where('emails.sender_id', '=', of.senderId!))
    .$if(of.templateId !== undefined, (query) => query.where('emails.template_id', '=', of.templateId!))
    .$if(of.dealershipId !== undefined, (query) => query.where('emails.dealership_id', '=', of.dealershipId!))
    .$if(from !== undefined, (query) => query.where('emails.created_at', '>=', from!))
    .$if(to !== undefined, (query) => query.where('emails.created_at', '<', to!))
    .$if(dealId !== undefined, (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom('email_deals')
            .whereRef('email_deals.email_id', '=', 'emails.id')
            .where('email_deals.deal_id', '=', dealId!)
            .select('email_deals.email_id'),
        ),
      ),
    )
    .$if(batchId !== undefined, (query) => query.where('emails.batch_id', '=', batchId!))
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
  'emails.batch_id',
  'emails.attachment_count',
  'emails.version',
] as const;

const entries = (db: Db | Tx, filter: LogFilter) =>
  filtered(db, filter)
    .innerJoin('dealerships', 'dealerships.id', 'emails.dealership_id')
    .innerJoin('users', 'users.id', 'emails.sender_id')
    .select(ENTRY)
    .select(['dealerships.name as dealership_name', 'users.name as sender_name'])
    .select(
      sql<string[]>`array(select deal_id from email_deals where email_id = emails.id order by deal_id)`.as(
        'deal_ids',
      ),
    )
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

/** These messages by their ids. */
export const findEmails = (db: Db | Tx, ids: string[]) =>
  entries(db, {})
    .where(sql<boolean>`emails.id = any(${ids}::uuid[])`)
    .orderBy('emails.id')
    .execute();

export const findMessage = (db: Db | Tx, id: string) =>
  entries(db, {}).where('emails.id', '=', id).select(['emails.html', 'emails.body_text']).executeTakeFirst();

/** Of these messages, those of a sender. */
export const ownIds = async (db: Db | Tx, ids: string[], senderId: string): Promise<string[]> =>
  (
    await db
      .selectFrom('emails')
      .select('id')
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where('sender_id', '=', senderId)
      .execute()
  ).map((row) => row.id);

export type NewEmail = Omit<Insertable<Tables['emails']>, 'status' | 'next_attempt_at' | 'cancellable_until'>;

/** The instant at which clocks of a zone show `wallClock`, and how many hours away that is. */
export const timeAhead = (db: Tx, wallClock: string, timeZone: string) =>
  db
    .selectNoFrom(sql<string>`${wallClock}::timestamp at time zone ${timeZone}`.as('instant'))
    .select(
      sql<number>`extract(epoch from ${wallClock}::timestamp at time zone ${timeZone} - now())::float8 / 3600`.as(
        'hours',
      ),
    )
    .executeTakeFirstOrThrow();

/** A message to be sent, the deals that it tells of, and when: at a time, or after one in which it can be called back. */
export type Outgoing = {
  row: NewEmail;
  about: { id: string; version: number }[];
  due: string | { inSeconds: number };
};

/** Puts messages into the queue. */
export async function insertEmails(db: Tx, outgoing: Outgoing[]): Promise<void> {
  const rows = outgoing.map(({ row, due }) => {
    const isPlanned = typeof due === 'string';
    const dueAt = isPlanned ? due : sql<string>`now() + make_interval(secs => ${due.inSeconds})`;
    return {
      ...row,
      status: 'queued',
      next_attempt_at: dueAt,
      cancellable_until: isPlanned || due.inSeconds > 0 ? dueAt : null,
    };
  });
  await db.insertInto('emails').values(rows).execute();
  const deals = outgoing.flatMap(({ row, about }) =>
    about.map(({ id, version }) => ({ email_id: row.id, deal_id: id, deal_version: version })),
  );
  if (deals.length > 0) await db.insertInto('email_deals').values(deals).execute();
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

/** Which messages: one, or those of a merge that one person or anybody sent. */
export type Which = { id: string } | { batchId: string; senderId?: string | undefined };

const these = (db: Tx, which: Which) =>
  'id' in which
    ? db.updateTable('emails').where('id', '=', which.id)
    : db
        .updateTable('emails')
        .where('batch_id', '=', which.batchId)
        .$if(which.senderId !== undefined, (query) => query.where('sender_id', '=', which.senderId!));

const changed = { version: sql<number>`version + 1`, updated_at: sql<string>`now()` };

/** Calls back what of these still waits. Answers what that was. */
export const cancelEmails = (db: Tx, which: Which) =>
  these(db, which)
    .set({ status: 'cancelled', next_attempt_at: null, cancellable_until: null, ...changed })
    .where('status', '=', 'queued')
    .where('cancellable_until', '>', sql<string>`now()`)
    .returning(['id', 'version', sql<'queued'>`'queued'`.as('was')])
    .execute();

/** Queues again what of these has failed: the same messages, under the same Message-ID. Answers what that was. */
export const retryEmails = (db: Tx, which: Which) =>
  these(db, which)
    .set({ status: 'queued', next_attempt_at: sql`now()`, cancellable_until: null, ...changed })
    .where('status', '=', 'failed')
    .returning(['id', 'version', 'sender_id', sql<'failed'>`'failed'`.as('was')])
    .execute();

/** How many messages of a merge there are of each status. */
export const countBatch = (db: Db | Tx, batchId: string, senderId: string | undefined) =>
  filtered(db, { batchId, senderId })
    .groupBy('emails.status')
    .select(['emails.status', (eb) => eb.fn.countAll<number>().as('count')])
    .execute();

/** Until the transaction ends nobody else sends about these deals: two at once would both find nothing earlier. */
export async function holdMailOf(db: Tx, dealIds: string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('mail of ' || id, 0))
    from (select unnest(${dealIds}::text[]) as id order by 1) as deals`.execute(db);
}

/** The newest message about each of these deals with a template, whoever sent it: sent, or on its way. */
export const findEarlier = (db: Db | Tx, dealIds: string[], templateId: string) =>
  db
    .selectFrom('email_deals')
    .innerJoin('emails', 'emails.id', 'email_deals.email_id')
    .innerJoin('users', 'users.id', 'emails.sender_id')
    .distinctOn('email_deals.deal_id')
    .where(sql<boolean>`email_deals.deal_id = any(${dealIds}::uuid[])`)
    .where('emails.template_id', '=', templateId)
    .where('emails.status', 'not in', ['failed', 'cancelled'])
    .orderBy('email_deals.deal_id')
    .orderBy('emails.created_at', 'desc')
    .select(['email_deals.deal_id', 'emails.subject', 'emails.status', 'emails.created_at', 'emails.sent_at'])
    .select('users.name as sender_name')
    .execute();
