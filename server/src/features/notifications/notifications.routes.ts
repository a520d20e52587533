import type { notificationRoutes } from '@forecourt/contract/notifications';
import { signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { NotificationsService } from './notifications.service.ts';

export const createNotificationRoutes = (
  notifications: NotificationsService,
): Routes<typeof notificationRoutes> => ({
  'GET /notifications': { allow: signedIn, handle: (ctx) => notifications.list(ctx) },
  'POST /notifications/read': {
    allow: signedIn,
    handle: (ctx, { body }) => notifications.markRead(ctx, body.ids),
  },
  'GET /notifications/settings': { allow: signedIn, handle: (ctx) => notifications.settings(ctx) },
  'PUT /notifications/settings': {
    allow: signedIn,
    handle: (ctx, { body }) => notifications.changeSettings(ctx, body),
  },
});
