import type { monthRoutes } from '@forecourt/contract/months';
import type { Routes } from '../../platform/http/routes.ts';
import { monthCloser } from './months.policy.ts';
import type { MonthsService } from './months.service.ts';

export const createMonthRoutes = (months: MonthsService): Routes<typeof monthRoutes> => ({
  'GET /months': [monthCloser, (ctx) => months.list(ctx)],
  'GET /months/:month': [monthCloser, (ctx, { params }) => months.checklist(ctx, params.month)],
  'POST /months/:month/waive': [
    monthCloser,
    (ctx, { params, body }) => months.waive(ctx, params.month, body),
  ],
  'DELETE /months/:month/waivers/:check': [
    monthCloser,
    (ctx, { params }) => months.removeWaiver(ctx, params),
  ],
});
