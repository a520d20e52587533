import type { Attachment } from '@forecourt/contract/email-attachments';
import { auditMany } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Context, TxContext } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { DealFile } from '../deals/attachments/deal-attachments.service.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { MAIL_QUEUE } from './delivery.ts';
import { fitsOneMessage, messageLimit, type EmailAttachments } from './email-attachments.service.ts';
import * as queries from './email-sending.queries.ts';
import type { Composed } from './message-composer.ts';
import { addressesOf } from './recipients.ts';
import { oneLineText } from './render/escaping.ts';
import { imageIdsIn } from './render/image.ts';

type Parts = {
  images: EmailTemplatesService['images'];
  attachments: EmailAttachments;
  jobs: Jobs;
  clock: Clock;
  config: Pick<Config, 'MAIL_PER_HOUR' | 'UNDO_SEND_SECONDS'>;
};

/** `sendAt` is a local time in the company's time zone. */
export type Sending = { sendAt?: string | undefined; attachments?: string[] | undefined };

type Queueing = Sending & {
  batchId?: string | undefined;
  /** Files of deals to copy for each message. */
  rowFiles?: ReadonlyMap<Composed, readonly DealFile[]> | undefined;
  /** Files of the viewer that belong to one message each. */
  ownFiles?: ReadonlyMap<Composed, Attachment> | undefined;
};

/** The latest permitted send date, in days from now; later dates are probably typing errors. */
const PLAN_DAYS = 366;

/** Number of messages inserted by one statement. */
const BATCH_SIZE = 100;

/** Queues messages: each with its log entry and its job, in the caller's transaction. */
export function createOutbox({ images, attachments, jobs, clock, config }: Parts) {
  /** Inserts messages by a fixed number of statements, apart from the files of rows. Returns their rows in order. */
  async function insertBatch(
    ctx: TxContext,
    messages: Composed[],
    commonFiles: Attachment[],
    { sendAt, batchId, rowFiles, ownFiles }: Omit<Queueing, 'attachments'>,
  ): Promise<queries.EmailRow[]> {
    const identified: { id: string; message: Composed; files: Attachment[] }[] = [];
    for (const message of messages) {
      const dealFiles = await attachments.copyFromDeals(ctx, rowFiles?.get(message) ?? []);
      const own = ownFiles?.get(message);
      const files = [...commonFiles, ...dealFiles, ...(own ? [own] : [])];
      identified.push({ id: newId(), message, files });
    }
    await queries.insertEmails(
      ctx.db,
      identified.map(({ id, message, files }) => ({
        row: { ...rowOf(ctx, id, message), batch_id: batchId ?? null, attachment_count: files.length },
        // A test is not about a deal, so it does not change the row's mail state.
        deals: message.isTest ? [] : message.deals.map(({ _id, version }) => ({ id: _id, version })),
        due: sendAt ?? { inSeconds: message.isTest ? 0 : config.UNDO_SEND_SECONDS },
      })),
    );
    for (const { id, message } of identified) {
      const imageIds = imageIdsIn(message.rendered.html);
      if (imageIds.length > 0) await images.attachToEmail(ctx.db, id, imageIds);
    }
    const filesOf = new Map(identified.map(({ id, files }) => [id, files]));
    await attachments.attachTo(ctx.db, filesOf);
    const rows = await queries.findEmails(ctx.db, [...filesOf.keys()]);
    const records = rows.map((row) => ({
      recordId: row.id,
      version: 1,
      before: null,
      after: auditedFields(row, filesOf.get(row.id)!),
    }));
    await auditMany(ctx, 'email.created', records);
    return rows;
  }

  /** Returns the instant of a local time. Throws a 400 if it is past, above PLAN_DAYS or skipped by a time change. */
  async function plannedTime(db: Tx, sendAt: string): Promise<string> {
    const { instant, exists, hours } = await queries.timeAhead(db, sendAt, clock.timeZone);
    if (!exists) throw invalidField('sendAt', 'The clocks go forward then and skip this time');
    if (hours <= 0) throw invalidField('sendAt', 'Choose a time that is still to come');
    if (hours > PLAN_DAYS * 24) throw invalidField('sendAt', 'Choose a time within a year');
    return instant;
  }

  return {
    /**
     * Queues all messages of the viewer or none. Throws TOO_MANY_REQUESTS above MAIL_PER_HOUR, and a 400 for an invalid
     * `sendAt`, for files of another user, and if the files are too large together with those of the rows. A planned
     * message can be cancelled until its time.
     */
    async enqueue(
      ctx: TxContext,
      messages: Composed[],
      { sendAt, attachments: fileIds = [], batchId, rowFiles, ownFiles }: Queueing = {},
    ): Promise<queries.EmailRow[]> {
      const plannedFor = sendAt && (await plannedTime(ctx.db, sendAt));
      const files = await attachments.reserve(ctx, fileIds);
      const tooLarge = messages.filter(
        (message) => !fitsOneMessage([...files, ...(rowFiles?.get(message) ?? [])], message.maxFileBytes),
      );
      if (tooLarge.length > 0)
        throw invalidField('attachments', tooLargeTogether(tooLarge, rowFiles !== undefined));
      const waits = await queries.listLastHour(ctx.db, ctx.viewer.userId);
      if (waits.length + messages.length > config.MAIL_PER_HOUR)
        throw tooMany(waits, messages.length, config.MAIL_PER_HOUR);
      const rows: queries.EmailRow[] = [];
      for (let begin = 0; begin < messages.length; begin += BATCH_SIZE) {
        const batch = messages.slice(begin, begin + BATCH_SIZE);
        rows.push(
          ...(await insertBatch(ctx, batch, files, { sendAt: plannedFor, batchId, rowFiles, ownFiles })),
        );
      }
      const dueAt = rows.map((row) => Date.parse(row.next_attempt_at!));
      await jobs.enqueue(
        ctx.db,
        MAIL_QUEUE,
        { senderId: ctx.viewer.userId },
        { startAfter: new Date(Math.min(...dueAt)) },
      );
      return rows;
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

/** @param waits for each message of the last hour, the seconds until it no longer counts, ascending */
function tooMany(waits: readonly number[], added: number, limit: number): AppError {
  const sent = waits.length;
  const reason =
    added === 1
      ? `You have sent ${sent} emails within an hour, which is the limit.`
      : `You have sent ${sent} emails within an hour, and ${limit} are the limit: these are ${added} more.`;
  return new AppError('TOO_MANY_REQUESTS', {
    message: `${reason} Nothing was sent. Please try again later.`,
    // A request for more messages than the limit is never accepted, however long the sender waits.
    retryAfterSeconds: waits[Math.min(sent + added - limit, sent) - 1] ?? 3600,
  });
}

/** Maximum number of deals named in an audit entry. */
const MAX_NAMED = 5;

function tooLargeTogether(messages: Composed[], withFilesOfRows: boolean): string {
  const limit = messageLimit(messages[0]!.maxFileBytes);
  if (!withFilesOfRows) return `These are more than your mailbox can send in an email: ${limit}`;
  const names = messages.flatMap(({ deals }) =>
    deals.map(({ customerName = 'an unnamed row' }) => customerName),
  );
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `Together with the files of ${names.slice(0, MAX_NAMED).join(', ')}${more} these are more than an email may have: ${limit}`;
}

/** Returns the fields of a message that are audited: recipients, deals and files, but not its text. */
const auditedFields = (row: queries.EmailRow, files: readonly { name: string }[]) => ({
  templateName: row.template_name,
  dealIds: row.deal_ids,
  dealershipId: row.dealership_id,
  from: row.from_address,
  to: row.to_addresses,
  cc: row.cc_addresses,
  subject: row.subject,
  ...(files.length > 0 && { attachments: files.map(({ name }) => name) }),
  status: row.status,
});

function rowOf(ctx: Context, id: string, message: Composed): queries.NewEmail {
  const { source, deals, dealFields, dealership, from, rendered } = message;
  const to = addressesOf(message.to);
  const cc = addressesOf(message.cc);
  const domain = from!.email.slice(from!.email.lastIndexOf('@') + 1);
  const searched = [
    rendered.subject,
    source.content.name,
    dealership!.name,
    ...deals.map(({ customerName }) => customerName ?? ''),
    ...to,
    ...cc,
  ];
  return {
    id,
    sender_id: ctx.viewer.userId,
    deal_fields: dealFields,
    dealership_id: dealership!.id,
    template_id: source.id,
    template_name: source.content.name,
    template_version: source.version,
    from_name: oneLineText(from!.name),
    from_address: from!.email,
    to_addresses: to,
    cc_addresses: cc,
    subject: rendered.subject,
    html: rendered.html,
    body_text: rendered.text,
    message_id: `<${id}@${domain}>`,
    search_text: searched.join(' ').toLowerCase(),
  };
}
