import type { emailTemplateRoutes } from '@forecourt/contract/email-templates';
import { signedIn, templateManager } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { EmailTemplatesService } from './email-templates.service.ts';

/** Everybody signed in may ask; the service shows what the viewer's rights allow. Writing is for managers. */
export const createEmailTemplateRoutes = (
  templates: EmailTemplatesService,
): Routes<typeof emailTemplateRoutes> => ({
  'GET /email-templates': { allow: signedIn, handle: (ctx) => templates.list(ctx) },
  'GET /email-templates/:id': { allow: signedIn, handle: (ctx, { params }) => templates.get(ctx, params.id) },
  'GET /email-templates/:id/versions': {
    allow: signedIn,
    handle: (ctx, { params }) => templates.versions(ctx, params.id),
  },
  'POST /email-templates': { allow: templateManager, handle: (ctx, { body }) => templates.create(ctx, body) },
  'PUT /email-templates/:id': {
    allow: templateManager,
    handle: (ctx, { params, body }) => templates.update(ctx, params.id, body),
  },
  'DELETE /email-templates/:id': {
    allow: templateManager,
    handle: (ctx, { params }) => templates.remove(ctx, params.id),
  },
});
