import type { dealTimelineRoutes } from '@forecourt/contract/deal-timeline';
import type { dealershipTimelineRoutes } from '@forecourt/contract/dealership-timeline';
import type { emailAttachmentRoutes } from '@forecourt/contract/email-attachments';
import type { emailSendingRoutes } from '@forecourt/contract/email-sending';
import { wholeList } from '../../platform/http/context.ts';
import { bulkEditor, dataEntryPage, signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { EmailSendingService } from './email-sending.service.ts';

/** Routes for every signed-in user; the service decides about messages, records and templates. */
export const createEmailSendingRoutes = (
  sending: EmailSendingService,
): Routes<
  typeof emailSendingRoutes &
    typeof emailAttachmentRoutes &
    typeof dealTimelineRoutes &
    typeof dealershipTimelineRoutes
> => ({
  'GET /deals/:id/templates': {
    allow: dataEntryPage,
    handle: (ctx, { params }) => sending.templatesFor(ctx, params.id),
  },
  'GET /deals/:id/timeline': {
    allow: dataEntryPage,
    handle: async (ctx, { params }) => wholeList(await sending.log.timelineOfDeal(ctx, params.id)),
  },
  'GET /dealerships/:id/timeline': {
    allow: signedIn,
    handle: async (ctx, { params }) => wholeList(await sending.log.timelineOfDealership(ctx, params.id)),
  },
  'POST /email-templates/preview': { allow: signedIn, handle: (ctx, { body }) => sending.preview(ctx, body) },
  'POST /email-templates/:templateId/send': {
    allow: dataEntryPage,
    handle: (ctx, { params, body }) => sending.send(ctx, { ...body, templateId: params.templateId }),
  },
  'POST /deals/:id/email': {
    allow: dataEntryPage,
    handle: (ctx, { params, body }) => sending.send(ctx, { ...body, dealId: params.id }),
  },
  'POST /deals/bulk/email/review': {
    allow: bulkEditor,
    handle: (ctx, { body }) => sending.merge.review(ctx, body),
  },
  'POST /deals/bulk/email': { allow: bulkEditor, handle: (ctx, { body }) => sending.merge.send(ctx, body) },
  // For users who may send.
  'POST /email/attachments': {
    allow: dataEntryPage,
    handle: (ctx, { file }) => sending.attachments.add(ctx, file),
  },
  'POST /email/attachments/copy': {
    allow: dataEntryPage,
    handle: (ctx, { body }) => sending.copyAttachment(ctx, body),
  },
  'DELETE /email/attachments/:id': {
    allow: dataEntryPage,
    handle: (ctx, { params }) => sending.attachments.remove(ctx, params.id),
  },
  'GET /email/logs/:id/attachments/:attachmentId': {
    allow: signedIn,
    handle: (ctx, { params }) => sending.log.openAttachment(ctx, params.id, params.attachmentId),
  },
  'GET /email/logs': { allow: signedIn, handle: (ctx, { query }) => sending.log.list(ctx, query) },
  'GET /email/logs/:id': { allow: signedIn, handle: (ctx, { params }) => sending.log.get(ctx, params.id) },
  'POST /email/logs/:id/cancel': {
    allow: signedIn,
    handle: (ctx, { params }) => sending.log.cancel(ctx, params.id),
  },
  'POST /email/logs/:id/retry': {
    allow: signedIn,
    handle: (ctx, { params }) => sending.log.retry(ctx, params.id),
  },
  'GET /email/batches/:id': {
    allow: signedIn,
    handle: (ctx, { params }) => sending.log.batch(ctx, params.id),
  },
  'POST /email/batches/:id/cancel': {
    allow: signedIn,
    handle: (ctx, { params }) => sending.log.cancelBatch(ctx, params.id),
  },
  'POST /email/batches/:id/retry': {
    allow: signedIn,
    handle: (ctx, { params }) => sending.log.retryBatch(ctx, params.id),
  },
});
