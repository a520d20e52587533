import type { emailSendingRoutes } from '@forecourt/contract/email-sending';
import { dataEntryPage, signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { EmailSendingService } from './email-sending.service.ts';

/** Everybody signed in may ask; which messages, records and templates are theirs is the service's to say. */
export const createEmailSendingRoutes = (
  sending: EmailSendingService,
): Routes<typeof emailSendingRoutes> => ({
  'GET /deals/:id/templates': {
    allow: dataEntryPage,
    handle: (ctx, { params }) => sending.templatesFor(ctx, params.id),
  },
  'POST /email-templates/preview': { allow: signedIn, handle: (ctx, { body }) => sending.preview(ctx, body) },
  'POST /email-templates/:templateId/send': {
    allow: dataEntryPage,
    handle: (ctx, { params, body }) => sending.send(ctx, params.templateId, body),
  },
  'GET /email/logs': { allow: signedIn, handle: (ctx, { query }) => sending.list(ctx, query) },
  'GET /email/logs/:id': { allow: signedIn, handle: (ctx, { params }) => sending.get(ctx, params.id) },
  'POST /email/logs/:id/cancel': {
    allow: signedIn,
    handle: (ctx, { params }) => sending.cancel(ctx, params.id),
  },
});
