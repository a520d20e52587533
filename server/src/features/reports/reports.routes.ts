import type { reportRoutes } from '@forecourt/contract/reports';
import type { Routes } from '../../platform/http/routes.ts';
import { reportReader } from './reports.policy.ts';
import type { ReportsService } from './reports.service.ts';

export const createReportRoutes = (reports: ReportsService): Routes<typeof reportRoutes> => ({
  'GET /reports': [reportReader, (ctx, { query }) => reports.report(ctx, query)],
  'GET /reports/commission-statement': [reportReader, (ctx, { query }) => reports.statement(ctx, query)],
  'GET /reports/commission-statements': [reportReader, (ctx, { query }) => reports.statements(ctx, query)],
});
