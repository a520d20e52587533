import type { emailSettingsRoutes } from '@forecourt/contract/email-settings';
import { signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { settingsAdmin } from './email-settings.policy.ts';
import type { EmailSettingsService } from './email-settings.service.ts';

export const createEmailSettingsRoutes = (
  settings: EmailSettingsService,
): Routes<typeof emailSettingsRoutes> => ({
  'GET /email-settings': [signedIn, (ctx) => settings.get(ctx, ctx.viewer.userId)],
  'PUT /email-settings': [settingsAdmin, (ctx, { body }) => settings.save(ctx, ctx.viewer.userId, body)],
  'POST /email-settings/verify': [
    settingsAdmin,
    (ctx, { body }) => settings.verify(ctx, ctx.viewer.userId, body),
  ],
  'GET /email-settings/mailbox': [signedIn, (ctx) => settings.mailbox.get(ctx)],
  'POST /email-settings/mailbox/connect': [signedIn, (ctx, { body }) => settings.mailbox.connect(ctx, body)],
  'POST /email-settings/mailbox/finish': [signedIn, (ctx, { body }) => settings.mailbox.finish(ctx, body)],
  'DELETE /email-settings/mailbox': [signedIn, (ctx) => settings.mailbox.disconnect(ctx)],
  'GET /email-settings/users': [settingsAdmin, (ctx) => settings.listUsers(ctx)],
  'GET /email-settings/user/:id': [settingsAdmin, (ctx, { params }) => settings.get(ctx, params.id)],
  'PUT /email-settings/user/:id': [
    settingsAdmin,
    (ctx, { params, body }) => settings.save(ctx, params.id, body),
  ],
  'DELETE /email-settings/user/:id': [settingsAdmin, (ctx, { params }) => settings.remove(ctx, params.id)],
  'POST /email-settings/user/:id/verify': [
    settingsAdmin,
    (ctx, { params, body }) => settings.verify(ctx, params.id, body),
  ],
});
