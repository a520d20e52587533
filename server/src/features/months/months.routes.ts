import type { monthRoutes } from '@forecourt/contract/months';
import { monthCloser } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { MonthsService } from './months.service.ts';
import type { StatementFilesService } from './statement-files.service.ts';

export const createMonthRoutes = (
  months: MonthsService,
  files: StatementFilesService,
): Routes<typeof monthRoutes> => ({
  'GET /months': [monthCloser, (ctx) => months.list(ctx)],
  'GET /months/:month': [monthCloser, (ctx, { params }) => months.overview(ctx, params.month)],
  'POST /months/:month/waive': [
    monthCloser,
    (ctx, { params, body }) => months.waive(ctx, params.month, body),
  ],
  'DELETE /months/:month/waivers/:check': [
    monthCloser,
    (ctx, { params }) => months.removeWaiver(ctx, params),
  ],
  'POST /months/:month/close': [monthCloser, (ctx, { params }) => months.close(ctx, params.month)],
  'POST /months/:month/reopen': [
    monthCloser,
    (ctx, { params, body }) => months.reopen(ctx, params.month, body.reason),
  ],
  'GET /months/:month/accounting': [
    monthCloser,
    (ctx, { params, query }) => files.accounting(ctx, params.month, query),
  ],
});
