import type { z } from 'zod';
import { activityRoutes } from './activity.ts';
import { auditRoutes } from './audit.ts';
import { authRoutes } from './auth.ts';
import { backupRowRoutes } from './backup-rows.ts';
import { backupRoutes } from './backups.ts';
import { customFieldRoutes } from './custom-fields.ts';
import { dashboardRoutes } from './dashboard.ts';
import { dealAttachmentRoutes } from './deal-attachments.ts';
import { dealChangeRoutes } from './deal-changes.ts';
import { dealCommentRoutes } from './deal-comments.ts';
import { dealCreateRoutes } from './deal-create.ts';
import { dealDeletedRoutes } from './deal-deleted.ts';
import { dealImportRoutes } from './deal-import.ts';
import { dealListRoutes } from './deal-list.ts';
import { dealMergeRoutes } from './deal-merge.ts';
import { dealRateRoutes } from './deal-rates.ts';
import { dealTimelineRoutes } from './deal-timeline.ts';
import { dealViewRoutes } from './deal-views.ts';
import { dealershipTimelineRoutes } from './dealership-timeline.ts';
import { dealershipRoutes } from './dealerships.ts';
import { dealRoutes } from './deals.ts';
import { demoRoutes } from './demo.ts';
import { doNotContactRoutes } from './do-not-contact.ts';
import { emailAttachmentRoutes } from './email-attachments.ts';
import { emailSendingRoutes } from './email-sending.ts';
import { emailSettingsRoutes } from './email-settings.ts';
import { emailTemplateRoutes } from './email-templates.ts';
import { exportRoutes } from './exports.ts';
import { healthRoutes } from './health.ts';
import { itemRoutes } from './items.ts';
import { jobRoutes } from './jobs.ts';
import { monthRoutes } from './months.ts';
import { notificationRoutes } from './notifications.ts';
import { permissionRoutes } from './permissions.ts';
import { presenceRoutes } from './presence.ts';
import { reportRoutes } from './reports.ts';
import { settingRoutes } from './settings.ts';
import { statementMailRoutes } from './statement-mail.ts';
import { statementRoutes } from './statements.ts';
import { statusRoutes } from './statuses.ts';
import { templateImageRoutes } from './template-images.ts';
import { templateUsageRoutes } from './template-usage.ts';
import { userRoutes } from './users.ts';

/**
 * Every route of the product except `GET /events`, whose response never ends (see `events.ts`). Browsers import only
 * the type `Api`, so that no schema is part of the first load.
 */
export const api = {
  ...healthRoutes,
  ...authRoutes,
  ...userRoutes,
  ...dealershipRoutes,
  ...dealershipTimelineRoutes,
  ...emailTemplateRoutes,
  ...templateImageRoutes,
  ...templateUsageRoutes,
  ...emailSendingRoutes,
  ...emailAttachmentRoutes,
  ...emailSettingsRoutes,
  ...itemRoutes,
  ...statusRoutes,
  ...customFieldRoutes,
  ...dealRoutes,
  ...dealListRoutes,
  ...dealCreateRoutes,
  ...dealChangeRoutes,
  ...dealDeletedRoutes,
  ...dealImportRoutes,
  ...dealMergeRoutes,
  ...dealRateRoutes,
  ...dealTimelineRoutes,
  ...dealViewRoutes,
  ...dealAttachmentRoutes,
  ...dealCommentRoutes,
  ...presenceRoutes,
  ...dashboardRoutes,
  ...demoRoutes,
  ...doNotContactRoutes,
  ...monthRoutes,
  ...statementRoutes,
  ...statementMailRoutes,
  ...reportRoutes,
  ...notificationRoutes,
  ...permissionRoutes,
  ...settingRoutes,
  ...auditRoutes,
  ...activityRoutes,
  ...exportRoutes,
  ...jobRoutes,
  ...backupRoutes,
  ...backupRowRoutes,
} as const;

export type Api = typeof api;
export type RouteKey = keyof Api;

type Part<K extends RouteKey, P extends string> =
  Api[K] extends Record<P, infer S extends z.ZodType> ? S : never;

/** The request part of a route as the caller sends it, before defaults are applied. */
export type RequestPart<K extends RouteKey, P extends 'params' | 'query' | 'body'> =
  Part<K, P> extends never ? undefined : z.input<Part<K, P>>;

/** The response body of a route; undefined if it has none. */
export type ResponseBody<K extends RouteKey> =
  Part<K, 'response'> extends never ? undefined : z.output<Part<K, 'response'>>;
