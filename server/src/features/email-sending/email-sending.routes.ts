import type { dealTimelineRoutes } from '@forecourt/contract/deal-timeline';
import type { dealershipTimelineRoutes } from '@forecourt/contract/dealership-timeline';
import type { emailAttachmentRoutes } from '@forecourt/contract/email-attachments';
import type { emailSendingRoutes } from '@forecourt/contract/email-sending';
import type { statementMailRoutes } from '@forecourt/contract/statement-mail';
import type { templateUsageRoutes } from '@forecourt/contract/template-usage';
import { bulkEditor, dataEntryPage, monthCloser, signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import type { EmailSendingService } from './email-sending.service.ts';
import type { TemplateUsageService } from './template-usage.service.ts';

/** All signed-in users may call these routes; the service checks messages, records and templates. */
export const createEmailSendingRoutes = (
  sending: EmailSendingService,
  usage: TemplateUsageService,
): Routes<
  typeof emailSendingRoutes &
    typeof emailAttachmentRoutes &
    typeof dealTimelineRoutes &
    typeof dealershipTimelineRoutes &
    typeof statementMailRoutes &
    typeof templateUsageRoutes
> => ({
  'GET /deals/:id/templates': [dataEntryPage, (ctx, { params }) => sending.templatesFor(ctx, params.id)],
  'GET /deals/:id/timeline': [
    dataEntryPage,
    async (ctx, { params }) => wholeList(await sending.log.timelineOfDeal(ctx, params.id)),
  ],
  'GET /dealerships/:id/timeline': [
    signedIn,
    async (ctx, { params }) => wholeList(await sending.log.timelineOfDealership(ctx, params.id)),
  ],
  'GET /email-templates/usage': [signedIn, (ctx) => usage.counts(ctx)],
  'GET /email-templates/:id/usage': [signedIn, (ctx, { params }) => usage.of(ctx, params.id)],
  'POST /email-templates/preview': [signedIn, (ctx, { body }) => sending.preview(ctx, body)],
  'POST /email-templates/:templateId/send': [
    dataEntryPage,
    (ctx, { params, body }) => sending.send(ctx, { ...body, templateId: params.templateId }),
  ],
  'POST /deals/:id/email': [
    dataEntryPage,
    (ctx, { params, body }) => sending.send(ctx, { ...body, dealId: params.id }),
  ],
  'POST /deals/bulk/email/review': [bulkEditor, (ctx, { body }) => sending.merge.review(ctx, body)],
  'POST /deals/bulk/email': [bulkEditor, (ctx, { body }) => sending.merge.send(ctx, body)],
  'POST /statements/send': [monthCloser, (ctx, { body }) => sending.statements.send(ctx, body)],
  'POST /email/attachments': [dataEntryPage, (ctx, { file }) => sending.attachments.add(ctx, file)],
  'POST /email/attachments/copy': [dataEntryPage, (ctx, { body }) => sending.copyAttachment(ctx, body)],
  'DELETE /email/attachments/:id': [
    dataEntryPage,
    (ctx, { params }) => sending.attachments.remove(ctx, params.id),
  ],
  'GET /email/logs/:id/attachments/:attachmentId': [
    signedIn,
    (ctx, { params }) => sending.log.openAttachment(ctx, params.id, params.attachmentId),
  ],
  'GET /email/logs': [signedIn, (ctx, { query }) => sending.log.list(ctx, query)],
  'GET /email/logs/:id': [signedIn, (ctx, { params }) => sending.log.get(ctx, params.id)],
  'POST /email/logs/:id/cancel': [signedIn, (ctx, { params }) => sending.log.cancel(ctx, params.id)],
  'POST /email/logs/:id/retry': [signedIn, (ctx, { params }) => sending.log.retry(ctx, params.id)],
  'GET /email/batches/:id': [signedIn, (ctx, { params }) => sending.log.batch(ctx, params.id)],
  'POST /email/batches/:id/cancel': [signedIn, (ctx, { params }) => sending.log.cancelBatch(ctx, params.id)],
  'POST /email/batches/:id/retry': [signedIn, (ctx, { params }) => sending.log.retryBatch(ctx, params.id)],
});
