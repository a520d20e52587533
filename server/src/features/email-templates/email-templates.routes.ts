import type { emailTemplateRoutes } from '@forecourt/contract/email-templates';
import type { templateImageRoutes } from '@forecourt/contract/template-images';
import { signedIn, templateManager } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { templateWriter } from './email-templates.policy.ts';
import type { EmailTemplatesService } from './email-templates.service.ts';

/** All signed-in users may call these routes. The service checks a record's abilities; only managers add one. */
export const createEmailTemplateRoutes = (
  templates: EmailTemplatesService,
): Routes<typeof emailTemplateRoutes & typeof templateImageRoutes> => ({
  'GET /email-templates': [signedIn, (ctx) => templates.list(ctx)],
  'GET /email-templates/:id': [signedIn, (ctx, { params }) => templates.get(ctx, params.id)],
  'GET /email-templates/:id/versions': [signedIn, (ctx, { params }) => templates.versions(ctx, params.id)],
  'GET /email-templates/:id/versions/:number': [
    signedIn,
    (ctx, { params }) => templates.version(ctx, params.id, params.number),
  ],
  'POST /email-templates/:id/versions/:number/restore': [
    signedIn,
    (ctx, { params, body }) =>
      templates.restoreVersion(ctx, params.id, { number: params.number, version: body.version }),
  ],
  'POST /email-templates/images': [templateWriter, (ctx, { file }) => templates.images.add(ctx, file)],
  'GET /email-templates/images/:id': [signedIn, (ctx, { params }) => templates.images.open(ctx, params.id)],
  'POST /email-templates': [templateManager, (ctx, { body }) => templates.create(ctx, body)],
  'PUT /email-templates/:id': [signedIn, (ctx, { params, body }) => templates.update(ctx, params.id, body)],
  'DELETE /email-templates/:id': [signedIn, (ctx, { params }) => templates.remove(ctx, params.id)],
  'PUT /email-templates/:id/sharing': [
    signedIn,
    (ctx, { params, body }) => templates.sharing.replace(ctx, params.id, body),
  ],
  'POST /email-templates/bulk-share': [
    signedIn,
    async (ctx, { body }) => ({
      templates: await templates.sharing.add(ctx, body.templateIds, body.sharedWith),
    }),
  ],
  'POST /email-templates/transfer-ownership': [
    signedIn,
    async (ctx, { body: { resourceIds, ...transfer } }) =>
      wholeList(await templates.sharing.transfer(ctx, resourceIds, transfer)),
  ],
});
