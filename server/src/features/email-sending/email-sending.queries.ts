import type { EmailStatus } from '@forecourt/contract/email-sending';
import { sql, type Expression, type ExpressionBuilder, type Insertable, type SqlBool } from 'kysely';
import {
  countRows,
  escapeLike,
  secondsFromNow,
  valuesOf,
  type Db,
  type Tx,
} from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';
import { endedAs } from './delivery.queries.ts';

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
    .$if(search !== undefined, (query) =>
      query.where('emails.search_text', 'like', `%${escapeLike(search!.trim().toLowerCase())}%`),
    );

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
  'emails.hold_reason',
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

/** Returns one page, newest first. Only the messages of the page are read whole. */
export const listEmails = (db: Db | Tx, filter: LogFilter, page: number, limit: number) =>
  entries(db, {})
    .where(
      'emails.id',
      'in',
      filtered(db, filter)
        .orderBy('emails.created_at', 'desc')
        .orderBy('emails.id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .select('emails.id'),
    )
    .orderBy('emails.created_at', 'desc')
    .orderBy('emails.id', 'desc')
    .execute();

export type EmailRow = Awaited<ReturnType<typeof listEmails>>[number];

export const countEmails = (db: Db | Tx, filter: LogFilter): Promise<number> =>
  filtered(db, filter).$call(countRows);

export const findEmail = (db: Db | Tx, id: string) =>
  entries(db, {}).where('emails.id', '=', id).executeTakeFirst();

export const findEmails = (db: Db | Tx, ids: string[]) =>
  entries(db, {})
    .where(sql<boolean>`emails.id = any(${ids}::uuid[])`)
    .orderBy('emails.id')
    .execute();

export const findMessage = (db: Db | Tx, id: string) =>
  entries(db, {}).where('emails.id', '=', id).select(['emails.html', 'emails.body_text']).executeTakeFirst();

export const ownIds = (db: Db | Tx, ids: string[], senderId: string): Promise<string[]> =>
  db
    .selectFrom('emails')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('sender_id', '=', senderId)
    .$call(valuesOf('id'));

export const dealsOf = (db: Db, ids: string[]) =>
  db
    .selectFrom('email_deals')
    .where(sql<boolean>`email_id = any(${ids}::uuid[])`)
    .select(['email_id as changedId', 'deal_id as recordId'])
    .execute();

export type NewEmail = Omit<Insertable<Tables['emails']>, 'status' | 'next_attempt_at' | 'cancellable_until'>;

/** Returns the instant of a local time in a zone, and the hours until then. */
export const timeAhead = (db: Tx, wallClock: string, timeZone: string) =>
  db
    .selectNoFrom(sql<string>`${wallClock}::timestamp at time zone ${timeZone}`.as('instant'))
    .select(
      sql<boolean>`${wallClock}::timestamp at time zone ${timeZone} at time zone ${timeZone} = ${wallClock}::timestamp`.as(
        'exists',
      ),
    )
    .select(
      sql<number>`extract(epoch from ${wallClock}::timestamp at time zone ${timeZone} - now())::float8 / 3600`.as(
        'hours',
      ),
    )
    .executeTakeFirstOrThrow();

/** A message to queue: the deals it mentions, and when it is due, at a time or after the undo delay. */
export type Outgoing = {
  row: NewEmail;
  deals: { id: string; version: number }[];
  due: string | { inSeconds: number };
};

export async function insertEmails(db: Tx, outgoing: Outgoing[]): Promise<void> {
  const rows = outgoing.map(({ row, due }) => {
    const isPlanned = typeof due === 'string';
    const dueAt = isPlanned ? due : secondsFromNow(due.inSeconds);
    return {
      ...row,
      status: 'queued',
      next_attempt_at: dueAt,
      cancellable_until: isPlanned || due.inSeconds > 0 ? dueAt : null,
    };
  });
  await db.insertInto('emails').values(rows).execute();
  const emailDeals = outgoing.flatMap(({ row, deals }) =>
    deals.map(({ id, version }) => ({ email_id: row.id, deal_id: id, deal_version: version })),
  );
  if (emailDeals.length > 0) await db.insertInto('email_deals').values(emailDeals).execute();
}

/**
 * Returns for each message that a user sent within the last hour the seconds until it is an hour old, oldest first.
 * Locks the user's row, so that parallel requests cannot exceed the limit.
 */
export async function listLastHour(db: Tx, senderId: string): Promise<number[]> {
  await db.selectFrom('users').select('id').where('id', '=', senderId).forNoKeyUpdate().execute();
  const rows = await db
    .selectFrom('emails')
    .where('sender_id', '=', senderId)
    .where('created_at', '>', sql<string>`now() - interval '1 hour'`)
    .where('status', '<>', 'cancelled')
    .orderBy('created_at')
    .select(
      sql<number>`ceil(extract(epoch from created_at + interval '1 hour' - now()))::integer`.as('seconds'),
    )
    .execute();
  return rows.map(({ seconds }) => seconds);
}

/** Selects one message, or the messages of a merge, optionally of one sender. */
export type Which = { id: string } | { batchId: string; senderId?: string | undefined };

const isOneOf = (eb: ExpressionBuilder<Tables, 'emails'>, which: Which): Expression<SqlBool> =>
  'id' in which
    ? eb('emails.id', '=', which.id)
    : eb.and([
        eb('emails.batch_id', '=', which.batchId),
        ...(which.senderId === undefined ? [] : [eb('emails.sender_id', '=', which.senderId)]),
      ]);

/** Changes the selected messages that have one of these statuses, and locks them against a worker. */
const updateLocked = (db: Tx, which: Which, statuses: readonly EmailStatus[], canRelease = true) =>
  db
    .with('these', (query) =>
      query
        .selectFrom('emails')
        .where((eb) => isOneOf(eb, which))
        .where('status', 'in', statuses)
        .$if(!canRelease, (messages) => messages.where('held_at', 'is', null))
        .orderBy('id')
        .forUpdate()
        .select(['id', 'status as was']),
    )
    .updateTable('emails')
    .from('these')
    .whereRef('emails.id', '=', 'these.id')
    .set({
      cancellable_until: null,
      held_at: null,
      hold_reason: null,
      first_attempt_at: null,
      version: sql`emails.version + 1`,
      updated_at: sql`now()`,
    })
    .returning(['emails.id', 'emails.version', 'emails.sender_id', 'emails.status', 'these.was']);

/** Cancels messages that wait, also between attempts, and gives up failed ones. Returns states before and after. */
export const cancelEmails = (db: Tx, which: Which) =>
  updateLocked(db, which, 'id' in which ? ['queued', 'retrying', 'failed'] : ['queued', 'retrying'])
    .set({ ...endedAs(sql`'cancelled'`, sql`emails.answer`), next_attempt_at: null })
    .execute();

/**
 * Makes messages due again under the same Message-ID: a single message in any waiting or failed state; of a merge only
 * failed and retrying messages that cannot have arrived. Returns the states before and after.
 * @param canRelease includes held messages
 */
export const retryEmails = (db: Tx, which: Which, canRelease: boolean) =>
  updateLocked(
    db,
    which,
    'id' in which ? ['queued', 'retrying', 'failed', 'unconfirmed'] : ['retrying', 'failed'],
    canRelease,
  )
    .set({ status: 'queued', next_attempt_at: sql`now()` })
    .execute();

export const countBatch = (db: Db | Tx, batchId: string, senderId: string | undefined) =>
  filtered(db, { batchId, senderId })
    .groupBy('emails.status')
    .select(['emails.status', (eb) => eb.fn.countAll<number>().as('count')])
    .execute();

/** Counts sent emails up to a limit. Returns the count and the time of the last one. */
export const countSent = (db: Db | Tx, filter: LogFilter, limit: number) =>
  db
    .selectFrom(
      filtered(db, filter)
        .where('emails.status', '=', 'sent')
        .orderBy('emails.sent_at', 'desc')
        .limit(limit)
        .select('emails.sent_at')
        .as('newest'),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('sent'),
      eb.fn.max<string | null>('newest.sent_at').as('lastSentAt'),
    ])
    .executeTakeFirstOrThrow();

/** Counts queued and planned emails and their merges. */
export const countWaiting = (db: Db | Tx, filter: LogFilter) =>
  filtered(db, filter)
    .where(sql<boolean>`emails.status in ('queued', 'retrying', 'sending')`)
    .select((eb) => [
      eb.fn.countAll<number>().as('waiting'),
      eb.fn.count<number>('emails.batch_id').distinct().as('waitingMerges'),
    ])
    .executeTakeFirstOrThrow();

/** Locks sending about these deals, so that concurrent requests see each other's messages. */
export async function lockMailOf(db: Tx, dealIds: string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('mail of ' || id, 0))
    from (select unnest(${dealIds}::text[]) as id order by 1) as deals`.execute(db);
}

/** Returns the newest sent or queued message with a template about each of these deals, by any sender. */
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
    .select(['email_deals.deal_id', 'emails.subject', 'emails.created_at', 'emails.sent_at', 'emails.status'])
    .select(['emails.sender_id', 'users.name as sender_name'])
    .execute();
