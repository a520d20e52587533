import type { dashboardRoutes } from '@forecourt/contract/dashboard';
import { dataEntryPage } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { DashboardService } from './dashboard.service.ts';

export const createDashboardRoutes = (dashboard: DashboardService): Routes<typeof dashboardRoutes> => ({
  'GET /dashboard': [dataEntryPage, (ctx) => dashboard.figures(ctx)],
  'GET /dashboard/to-call': [dataEntryPage, (ctx) => dashboard.toCall(ctx)],
  'GET /dashboard/changes': [dataEntryPage, (ctx) => dashboard.changes(ctx)],
});
