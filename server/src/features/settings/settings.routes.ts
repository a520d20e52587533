import type { settingRoutes } from '@forecourt/contract/settings';
import { signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { settingsWriter } from './settings.policy.ts';
import type { SettingsService } from './settings.service.ts';

/** All signed-in users may read their own settings and the company's; only administrators may change them. */
export const createSettingRoutes = (settings: SettingsService): Routes<typeof settingRoutes> => ({
  'GET /settings': [signedIn, (ctx) => settings.list(ctx, ctx.viewer.userId)],
  'GET /settings/category/:category': [
    signedIn,
    (ctx, { params }) => settings.list(ctx, ctx.viewer.userId, params.category),
  ],
  'GET /settings/user/:userId': [signedIn, (ctx, { params }) => settings.list(ctx, params.userId)],
  'GET /settings/user/:userId/category/:category': [
    signedIn,
    (ctx, { params }) => settings.list(ctx, params.userId, params.category),
  ],
  'PUT /settings/:name': [
    settingsWriter,
    (ctx, { params, body }) => settings.set(ctx, ctx.viewer.userId, params.name, body),
  ],
  'PATCH /settings/:name': [
    settingsWriter,
    (ctx, { params, body }) => settings.set(ctx, ctx.viewer.userId, params.name, body),
  ],
  'PUT /settings/user/:userId/:name': [
    settingsWriter,
    (ctx, { params, body }) => settings.set(ctx, params.userId, params.name, body),
  ],
  'PATCH /settings/user/:userId/:name': [
    settingsWriter,
    (ctx, { params, body }) => settings.set(ctx, params.userId, params.name, body),
  ],
  'DELETE /settings/user/:userId/:name': [
    settingsWriter,
    (ctx, { params, query }) => settings.remove(ctx, params.userId, params.name, query.version),
  ],
  'POST /settings': [
    settingsWriter,
    (ctx, { body: { settingName, ...body } }) => settings.create(ctx, settingName, body),
  ],
  'DELETE /settings/:name': [
    settingsWriter,
    (ctx, { params, query }) => settings.remove(ctx, ctx.viewer.userId, params.name, query.version),
  ],
  'POST /settings/initialize': [settingsWriter, (ctx) => settings.initialize(ctx)],
});
