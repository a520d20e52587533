import type { notificationRoutes } from '@forecourt/contract/notifications';
import { signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { NotificationsService } from './notifications.service.ts';

export const createNotificationRoutes = (
  notifications: NotificationsService,
): Routes<typeof notificationRoutes> => ({
  'GET /notifications': [signedIn, (ctx) => notifications.list(ctx)],
  'POST /notifications/read': [signedIn, (ctx, { body }) => notifications.markRead(ctx, body)],
  'GET /notifications/settings': [signedIn, (ctx) => notifications.settings(ctx)],
  'PUT /notifications/settings': [signedIn, (ctx, { body }) => notifications.changeSettings(ctx, body)],
});
