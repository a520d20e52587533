import { MAX_ATTACHMENTS_BYTES } from '@forecourt/contract/attachment-limits';
import type { Attachment } from '@forecourt/contract/email-attachments';
import type { EmailLogEntry } from '@forecourt/contract/email-sending';
import type { EmailTemplateInput, Preview } from '@forecourt/contract/email-templates';
import type { Config } from '../../platform/config.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { createTransports } from '../../platform/mail/transports.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { readOutbox } from './delivery.queries.ts';
import { createDelivery, type Delivery, type DeliveryDeps } from './delivery.ts';
import { findEarlier, firstEarlier, requireNoEarlier } from './earlier-messages.ts';
import { createEmailAttachments } from './email-attachments.service.ts';
import { createEmailLog } from './email-log.service.ts';
import { canPreview } from './email-sending.policy.ts';
import { createMergeService } from './merge.service.ts';
import {
  createMessageComposer,
  requireSendable,
  type MessageComposerParts,
  type Request,
} from './message-composer.ts';
import { withEmbeddedImages } from './message-images.ts';
import { createOutbox, type Sending } from './outbox.ts';
import { createStatementMail, type StatementMailParts } from './statement-mail.service.ts';

/** How long a request waits for the first attempt, so that it responds within 9 s for any server. */
const INLINE_MS = 9000;

type Parts = Omit<MessageComposerParts, 'config'> &
  StatementMailParts & {
    files: FileStore;
    jobs: Jobs;
    config: Config;
    inlineMs?: number;
  };

type SendRequest = Request & Sending & { templateId?: string | undefined; again?: boolean | undefined };

/** Preview, sending, history and cancellation of messages (docs/product/email.md, Sending). */
export function createEmailSendingService({ jobs, config, inlineMs = INLINE_MS, ...parts }: Parts) {
  const composer = createMessageComposer({ ...parts, config });
  const { compose, listUsableTemplates } = composer;
  const { templates, settings, clock, deals, dealerships } = parts;
  const { images } = templates;
  const attachments = createEmailAttachments(parts.files);
  const outbox = createOutbox({ images, attachments, jobs, clock, config });
  const emailLog = createEmailLog({ images, attachments, jobs, deals, dealerships });
  let delivery: Delivery | undefined;

  return {
    log: emailLog,
    attachments,
    merge: createMergeService(composer, outbox, deals.attachments),
    statements: createStatementMail(parts, composer, outbox, attachments),

    /** Copies a file of a deal to a file of the viewer, who may then send it. */
    copyAttachment: async (
      ctx: Context,
      { dealId, attachmentId }: { dealId: string; attachmentId: string },
    ): Promise<Attachment> =>
      attachments.add(ctx, await deals.attachments.read(ctx, dealId, attachmentId, MAX_ATTACHMENTS_BYTES)),

    /** Returns the templates that a user may choose for a deal, without contents. */
    templatesFor: async (ctx: Context, dealId: string) => wholeList(await listUsableTemplates(ctx, dealId)),

    /**
     * Returns the message as it would be sent, from a saved template, or from an edited one for users who may edit
     * templates. `problems` lists why it cannot be sent; a missing required value is replaced by its label.
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
        html: await withEmbeddedImages(message.rendered.html, (ids) =>
          template ? images.visibleFiles(ctx, ids) : images.shownFiles(ctx.db, ids),
        ),
        problems: message.problems,
        emptyVariables: message.emptyVariables,
        earlier: firstEarlier((await findEarlier(ctx, [message])).get(message)),
      };
    },

    /**
     * Sends a template, by default the dealership's, about a deal or a dealership to its contacts (see
     * `recipients.ts`). The final text, its log entry and the job are one transaction. A test, or a message without an
     * undo delay, waits at most 9 s for the first attempt, and the entry contains its outcome. (With an Idempotency-Key
     * the response is part of the transaction, so it precedes the attempt.) Throws SEND_REFUSED with the problems or
     * the server's response, and ALREADY_SENT with the earlier message unless `again` is set.
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
        if (!again) await requireNoEarlier(inner, [message]);
        const [row] = await outbox.enqueue(inner, [message], { sendAt, attachments: fileIds });
        return {
          row: row!,
          isDue: sendAt === undefined && (message.isTest || config.UNDO_SEND_SECONDS === 0),
        };
      });
      if (!isDue || !delivery) return emailLog.present(ctx, row);
      if (ctx.db.isTransaction) {
        ctx.afterCommit(() => void delivery?.attempt(row.id));
        return emailLog.present(ctx, row);
      }
      await withTimeout(inlineMs, delivery.attempt(row.id), () => {});
      const entry = await emailLog.entry(ctx, row.id);
      if (entry.status === 'failed') throw new AppError('SEND_REFUSED', { details: entry.answer });
      return entry;
    },

    readOutbox,

    /** Starts the delivery of queued messages, including those of instances that have stopped. Must be called once. */
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
