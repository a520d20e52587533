import type { EmailLogEntry, EmailLogMessage, EmailStatus } from '@forecourt/contract/email-sending';
import type { EmailTemplateInput, Preview } from '@forecourt/contract/email-templates';
import { audit } from '../../platform/audit.ts';
import type { Config } from '../../platform/config.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs.ts';
import { createTransports } from '../../platform/mail/transports.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { createComposing, type Composed, type ComposingParts, type Request } from './composing.ts';
import { createDelivery, MAIL_QUEUE, type Delivery, type DeliveryDeps } from './delivery.ts';
import { canPreview, onlySender } from './email-sending.policy.ts';
import * as queries from './email-sending.queries.ts';
import { oneLineText } from './render/escaping.ts';

const entity = 'email' as const;

/** How long a call waits for a first attempt: an answer leaves within 9 s whatever the server does. */
const INLINE_MS = 9000;

type Parts = Omit<ComposingParts, 'config'> & { jobs: Jobs; config: Config; inlineMs?: number };

type LogQuery = {
  page: number;
  limit: number;
  userId?: string | undefined;
  dealId?: string | undefined;
  status?: EmailStatus | undefined;
  search?: string | undefined;
};

/** Messages: shown before they go, sent, followed and called back (spec.md section 7, product.md section 6). */
export function createEmailSendingService({ jobs, config, inlineMs = INLINE_MS, ...parts }: Parts) {
  const { compose, usableFor } = createComposing({ ...parts, config });
  const { templates, settings } = parts;
  let delivery: Delivery | undefined;

  /** Writes the message down, and with it the job that delivers it. */
  async function enqueue(ctx: Context & { db: Tx }, message: Composed): Promise<queries.EmailRow> {
    const sent = await queries.countLastHour(ctx.db, ctx.viewer.userId);
    if (sent >= config.MAIL_PER_HOUR) {
      throw new AppError('TOO_MANY_REQUESTS', {
        message: `You have sent ${sent} emails within an hour, which is the limit. Please try again later.`,
        retryAfterSeconds: 600,
      });
    }
    const id = newId();
    const undoSeconds = message.isTest ? 0 : config.UNDO_SEND_SECONDS;
    const dueAt = await queries.insertEmail(ctx.db, rowOf(ctx, id, message), undoSeconds);
    const row = (await queries.findEmail(ctx.db, id))!;
    await audit(ctx.db, ctx, {
      action: 'email.created',
      entity,
      recordId: id,
      version: 1,
      after: recorded(present(row)),
    });
    await jobs.enqueue(ctx.db, MAIL_QUEUE, { senderId: ctx.viewer.userId }, { startAfter: new Date(dueAt) });
    return row;
  }

  return {
    /** Of these messages, those that the viewer sees in the history: for live events. */
    async visibleIds({ db, viewer }: Pick<Context, 'db' | 'viewer'>, ids: string[]): Promise<Set<string>> {
      const only = onlySender(viewer);
      return new Set(only === undefined ? ids : await queries.ownIds(db, ids, only));
    },

    /** What a person may choose from when they send about a deal: names only, not what is in them. */
    async templatesFor(ctx: Context, dealId: string) {
      const items = await usableFor(ctx, dealId);
      return { items, total: items.length };
    },

    /**
     * The message as it would go out, from a saved template or from one that is being written (for those who
     * may write templates). `problems` says why it cannot be sent; a required value that is missing is shown
     * by its label.
     */
    async preview(
      ctx: Context,
      body: Request & { templateId?: string | undefined; template?: EmailTemplateInput | undefined },
    ): Promise<Preview> {
      if (!canPreview(ctx.viewer)) throw new AppError('INSUFFICIENT_PERMISSIONS');
      const { templateId, template, ...request } = body;
      if (template && !templates.canManage(ctx.viewer)) throw new AppError('INSUFFICIENT_PERMISSIONS');
      if (!template && templateId === undefined) throw invalidField('templateId', 'Choose a template');
      const message = await compose(
        ctx,
        request,
        template ? { written: template, id: templateId } : { id: templateId! },
      );
      return {
        templateName: message.source.content.name,
        from: message.from,
        to: message.to,
        cc: message.cc,
        ...message.rendered,
        problems: message.problems,
      };
    },

    /**
     * Sends a template about a deal or a dealership to its contacts, see `recipients.ts` for whom. The final
     * text, its log entry and the job are one transaction. Without time to call it back, and for a test, the
     * first attempt is waited for, at most 9 s: the entry then says how it ended. (With an Idempotency-Key the
     * answer is part of the transaction and comes before the attempt.) Throws SEND_REFUSED with what is in
     * the way, or with the server's words.
     */
    async send(ctx: Context, templateId: string, request: Request): Promise<EmailLogEntry> {
      if (request.dealId === undefined && request.dealershipId === undefined) {
        throw invalidField('dealId', 'A deal or a dealership is required');
      }
      const { row, isDue } = await inTransaction(ctx, async (inner) => {
        const message = await compose(inner, request, { id: templateId });
        if (message.problems.length > 0) {
          throw new AppError('SEND_REFUSED', { details: message.problems.join(' ') });
        }
        const isDue = message.isTest || config.UNDO_SEND_SECONDS === 0;
        return { row: await enqueue(inner, message), isDue };
      });
      if (!isDue || !delivery) return present(row);
      if (ctx.db.isTransaction) {
        ctx.afterCommit(() => void delivery?.attempt(row.id));
        return present(row);
      }
      await within(inlineMs, delivery.attempt(row.id));
      const entry = present(await load(ctx, row.id));
      if (entry.status === 'failed') throw new AppError('SEND_REFUSED', { details: entry.answer });
      return entry;
    },

    /** Sent and waiting messages, newest first. Another person's are for administrators. */
    async list(ctx: Context, { page, limit, userId, ...filter }: LogQuery) {
      const only = onlySender(ctx.viewer);
      if (only !== undefined && userId !== undefined && userId !== only) {
        throw new AppError('INSUFFICIENT_PERMISSIONS');
      }
      const which = { ...filter, senderId: only ?? userId };
      const rows = await queries.listEmails(ctx.db, which, page, limit);
      const total = await queries.countEmails(ctx.db, which);
      return { items: rows.map(present), total, page, limit, totalPages: Math.ceil(total / limit) };
    },

    /** One message word for word, for those who may read messages. */
    async get(ctx: Context, id: string): Promise<EmailLogMessage> {
      await load(ctx, id);
      if (!canPreview(ctx.viewer)) throw new AppError('INSUFFICIENT_PERMISSIONS');
      const message = (await queries.findMessage(ctx.db, id))!;
      return { ...present(message), html: message.html, text: message.body_text };
    },

    /** Calls back a message that still waits. Throws CONFLICT with the entry once it is on its way. */
    async cancel(ctx: Context, id: string): Promise<EmailLogEntry> {
      return inTransaction(ctx, async (inner) => {
        const before = present(await load(inner, id));
        const isCancelled = await queries.cancelEmail(inner.db, id);
        const row = await load(inner, id);
        const after = present(row);
        if (!isCancelled) {
          throw new AppError('CONFLICT', {
            message: 'This email can no longer be called back',
            current: after,
          });
        }
        await audit(inner.db, ctx, {
          action: 'email.updated',
          entity,
          recordId: id,
          version: row.version,
          before: { status: before.status },
          after: { status: after.status },
        });
        return after;
      });
    },

    /** Starts delivering what is queued, here and by other instances that ended. Call once. */
    async startDelivery(deps: DeliveryDeps): Promise<{ stop(): Promise<void> }> {
      const transports = createTransports(createOutbound(config));
      const started = createDelivery({ ...deps, settings, transports });
      delivery = started;
      await started.start(jobs);
      return {
        async stop() {
          await started.stop();
          transports.close();
        },
      };
    },
  };
}

export type EmailSendingService = ReturnType<typeof createEmailSendingService>;

/** The entry, for those who see it in the history. */
async function load(ctx: Context, id: string): Promise<queries.EmailRow> {
  const row = await queries.findEmail(ctx.db, id);
  const only = onlySender(ctx.viewer);
  if (!row || (only !== undefined && row.sender_id !== only)) throw new AppError('NOT_FOUND');
  return row;
}

/** Waits for work, but no longer than this; the work goes on. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}

const addressesOf = (list: Composed['to']) => list.map(({ email }) => email);

function rowOf(ctx: Context, id: string, message: Composed): queries.NewEmail {
  const { source, deal, dealership, from, rendered, isTest } = message;
  const to = addressesOf(message.to);
  const cc = addressesOf(message.cc);
  const domain = from!.email.slice(from!.email.lastIndexOf('@') + 1);
  const searched = [
    rendered.subject,
    source.content.name,
    dealership!.name,
    deal?.customerName ?? '',
    ...to,
    ...cc,
  ];
  return {
    id,
    sender_id: ctx.viewer.userId,
    // A test tells nothing about the deal: the row's mail state stays what it was.
    deal_id: isTest ? null : (deal?._id ?? null),
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

const recorded = ({ templateName, dealId, dealershipId, from, to, cc, subject, status }: EmailLogEntry) => ({
  templateName,
  dealId,
  dealershipId,
  from,
  to,
  cc,
  subject,
  status,
});

const present = (row: queries.EmailRow): EmailLogEntry => ({
  _id: row.id,
  templateId: row.template_id,
  templateName: row.template_name,
  templateVersion: row.template_version,
  dealId: row.deal_id,
  dealershipId: row.dealership_id,
  dealershipName: row.dealership_name,
  senderId: row.sender_id,
  senderName: row.sender_name,
  from: row.from_address,
  to: row.to_addresses,
  cc: row.cc_addresses,
  subject: row.subject,
  status: row.status as EmailStatus,
  answer: row.answer,
  attempts: row.attempts,
  createdAt: row.created_at,
  sentAt: row.sent_at,
  nextAttemptAt: row.next_attempt_at,
  cancellableUntil: row.status === 'queued' && row.is_cancellable ? row.cancellable_until : null,
  messageId: row.message_id,
});
