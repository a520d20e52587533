import type { activityRoutes } from '@forecourt/contract/activity';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { ActivityService } from './activity.service.ts';

export const createActivityRoutes = (activity: ActivityService): Routes<typeof activityRoutes> => ({
  'GET /user-activity': [administrator, (ctx, { query }) => activity.activity(ctx, query.days)],
  'GET /user-activity/sessions': [administrator, (ctx) => activity.sessions(ctx)],
});
