import type { EmailLogEntry } from '@forecourt/contract/email-sending';
import type { EmailTemplateInput, Preview } from '@forecourt/contract/email-templates';
import type { Config } from '../../platform/config.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import type { Jobs } from '../../platform/jobs.ts';
import { createTransports } from '../../platform/mail/transports.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { createComposing, requireSendable, type ComposingParts, type Request } from './composing.ts';
import { createDelivery, type Delivery, type DeliveryDeps } from './delivery.ts';
import { findEarlier, firstEarlier, requireFirst } from './earlier.ts';
import { createEmailAttachments } from './email-attachments.service.ts';
import { createEmailLog } from './email-log.service.ts';
import { canPreview, onlySender } from './email-sending.policy.ts';
import * as queries from './email-sending.queries.ts';
import { createMergeService } from './merge.service.ts';
import { shownAlone } from './message-images.ts';
import { createOutbox, type Sending } from './outbox.ts';

/** How long a call waits for a first attempt: an answer leaves within 9 s whatever the server does. */
const INLINE_MS = 9000;

type Parts = Omit<ComposingParts, 'config'> & { jobs: Jobs; config: Config; inlineMs?: number };

type SendRequest = Request & Sending & { templateId?: string | undefined; again?: boolean | undefined };

/** Messages: shown before they go, sent, followed and called back (spec.md section 7, product.md section 6). */
export function createEmailSendingService({ jobs, config, inlineMs = INLINE_MS, ...parts }: Parts) {
  const composing = createComposing({ ...parts, config });
  const { compose, usableFor } = composing;
  const { templates, settings, clock, deals } = parts;
  const { images } = templates;
  const attachments = createEmailAttachments();
  const outbox = createOutbox({ images, attachments, jobs, clock, config });
  const emailLog = createEmailLog({ images, attachments, jobs, deals });
  let delivery: Delivery | undefined;

  return {
    log: emailLog,
    attachments,
    merge: createMergeService(composing, outbox),

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
        html: await shownAlone(message.rendered.html, (ids) =>
          template ? images.filesInSight(ctx, ids) : images.files(ctx.db, ids),
        ),
        problems: message.problems,
        earlier: firstEarlier((await findEarlier(ctx.db, [message])).get(message)),
      };
    },

    /**
     * Sends a template, or the dealership's default one, about a deal or a dealership to its contacts, see
     * `recipients.ts` for whom. The final
     * text, its log entry and the job are one transaction. Without time to call it back, and for a test, the
     * first attempt is waited for, at most 9 s: the entry then says how it ended. (With an Idempotency-Key the
     * answer is part of the transaction and comes before the attempt.) Throws SEND_REFUSED with what is in
     * the way, or with the server's words, and ALREADY_SENT with the earlier message unless `again` is said.
     */
    async send(
      ctx: Context,
      { templateId, sendAt, attachments: fileIds, again, ...request }: SendRequest,
    ): Promise<EmailLogEntry> {
      if (request.dealId === undefined && request.dealershipId === undefined) {
        throw invalidField('dealId', 'A deal or a dealership is required');
      }
      const { row, isDue } = await inTransaction(ctx, async (inner) => {
        const message = await compose(inner, request, { id: templateId });
        requireSendable([message]);
        if (!again) await requireFirst(inner.db, [message]);
        const [row] = await outbox.enqueue(inner, [message], { sendAt, attachments: fileIds });
        return {
          row: row!,
          isDue: sendAt === undefined && (message.isTest || config.UNDO_SEND_SECONDS === 0),
        };
      });
      if (!isDue || !delivery) return emailLog.told(ctx, row);
      if (ctx.db.isTransaction) {
        ctx.afterCommit(() => void delivery?.attempt(row.id));
        return emailLog.told(ctx, row);
      }
      await within(inlineMs, delivery.attempt(row.id));
      const entry = await emailLog.entry(ctx, row.id);
      if (entry.status === 'failed') throw new AppError('SEND_REFUSED', { details: entry.answer });
      return entry;
    },

    /** Starts delivering what is queued, here and by other instances that ended. Call once. */
    async startDelivery(deps: DeliveryDeps): Promise<{ stop(): Promise<void> }> {
      const transports = createTransports(createOutbound(config));
      const started = createDelivery({ ...deps, settings, images, attachments, transports });
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

/** Waits for work, but no longer than this; the work goes on. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}
