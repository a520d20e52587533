import type { reportRoutes } from '@forecourt/contract/reports';
import type { Read } from '../../platform/db/replica.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { reportReader } from './reports.policy.ts';
import type { ReportsService } from './reports.service.ts';

export const createReportRoutes = (reports: ReportsService, read: Read): Routes<typeof reportRoutes> => ({
  'GET /reports': [reportReader, (ctx, { query }) => read((db) => reports.report({ ...ctx, db }, query))],
  'GET /reports/commission-statement': [
    reportReader,
    (ctx, { query }) => read((db) => reports.statement({ ...ctx, db }, query)),
  ],
  'GET /reports/commission-statements': [
    reportReader,
    (ctx, { query }) => read((db) => reports.statements({ ...ctx, db }, query)),
  ],
});
