import type { Attachment } from '@forecourt/contract/email-attachments';
import { auditMany } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Context } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import type { Composed } from './composing.ts';
import { MAIL_QUEUE } from './delivery.ts';
import type { EmailAttachments } from './email-attachments.service.ts';
import * as queries from './email-sending.queries.ts';
import { recorded } from './log-entry.ts';
import { oneLineText } from './render/escaping.ts';
import { imageIdsIn } from './render/image.ts';

type Parts = {
  images: EmailTemplatesService['images'];
  attachments: EmailAttachments;
  jobs: Jobs;
  clock: Clock;
  config: Pick<Config, 'MAIL_PER_HOUR' | 'UNDO_SEND_SECONDS'>;
};

type Writing = Context & { db: Tx };

/** When messages may go out at the earliest, on the company's clock, and the files that each of them has. */
export type Sending = { sendAt?: string | undefined; attachments?: string[] | undefined };

/** Nobody plans further ahead than this; a later date is a slip of the hand. */
const PLAN_DAYS = 366;

/** Messages that one statement writes down. */
const AT_ONCE = 100;

/** Writes messages down so that they go out: each with its log entry and its job, in the caller's transaction. */
export function createOutbox({ images, attachments, jobs, clock, config }: Parts) {
  /** Writes some messages down, with few statements however many there are. Answers them in their order. */
  async function write(
    ctx: Writing,
    messages: Composed[],
    files: Attachment[],
    { sendAt, batchId = null }: { sendAt?: string | undefined; batchId?: string | undefined | null },
  ): Promise<queries.EmailRow[]> {
    const made = messages.map((message) => ({ id: newId(), message }));
    await queries.insertEmails(
      ctx.db,
      made.map(({ id, message }) => ({
        row: { ...rowOf(ctx, id, message), batch_id: batchId, attachment_count: files.length },
        // A test tells nothing about a deal: the row's mail state stays what it was.
        about: message.isTest ? [] : message.deals.map(({ _id, version }) => ({ id: _id, version })),
        due: sendAt ?? { inSeconds: message.isTest ? 0 : config.UNDO_SEND_SECONDS },
      })),
    );
    for (const { id, message } of made) {
      const imageIds = imageIdsIn(message.rendered.html);
      if (imageIds.length > 0) await images.keepForEmail(ctx.db, id, imageIds);
    }
    const ids = made.map(({ id }) => id);
    await attachments.keepFor(ctx.db, ids, files);
    const rows = await queries.findEmails(ctx.db, ids);
    const records = rows.map((row) => ({
      recordId: row.id,
      version: 1,
      before: null,
      after: recorded(row, files),
    }));
    await auditMany(ctx.db, ctx, { action: 'email.created', entity: 'email' }, records);
    return rows;
  }

  /** The instant of a time on the company's clock. Throws a 400 where that is over or more than a year away. */
  async function plannedTime(db: Tx, sendAt: string): Promise<string> {
    const { instant, hours } = await queries.timeAhead(db, sendAt, clock.timeZone);
    if (hours <= 0) throw invalidField('sendAt', 'Choose a time that is still to come');
    if (hours > PLAN_DAYS * 24) throw invalidField('sendAt', 'Choose a time within a year');
    return instant;
  }

  return {
    /**
     * Queues messages of the viewer: all or none. Throws TOO_MANY_REQUESTS where MAIL_PER_HOUR would be passed, and
     * a 400 for a `sendAt` that is none and for files that are not the viewer's or are too large. A message that waits for its time can be called
     * back until then.
     */
    async enqueue(
      ctx: Writing,
      messages: Composed[],
      { sendAt, attachments: fileIds = [], batchId }: Sending & { batchId?: string } = {},
    ): Promise<queries.EmailRow[]> {
      const plannedFor = sendAt && (await plannedTime(ctx.db, sendAt));
      const files = await attachments.take(ctx, fileIds);
      const sent = await queries.countLastHour(ctx.db, ctx.viewer.userId);
      if (sent + messages.length > config.MAIL_PER_HOUR)
        throw tooMany(sent, messages.length, config.MAIL_PER_HOUR);
      const rows: queries.EmailRow[] = [];
      for (let begin = 0; begin < messages.length; begin += AT_ONCE) {
        const some = messages.slice(begin, begin + AT_ONCE);
        rows.push(...(await write(ctx, some, files, { sendAt: plannedFor, batchId })));
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

function tooMany(sent: number, more: number, limit: number): AppError {
  const about =
    more === 1
      ? `You have sent ${sent} emails within an hour, which is the limit.`
      : `You have sent ${sent} emails within an hour, and ${limit} are the limit: these are ${more} more.`;
  return new AppError('TOO_MANY_REQUESTS', {
    message: `${about} Nothing was sent. Please try again later.`,
    retryAfterSeconds: 600,
  });
}

const addressesOf = (list: Composed['to']) => list.map(({ email }) => email);

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
