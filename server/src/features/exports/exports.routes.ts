import type { exportRoutes } from '@forecourt/contract/exports';
import type { Downloads } from '../../platform/http/downloads.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { exporter } from './exports.policy.ts';
import type { ExportsService } from './exports.service.ts';

export const createExportRoutes = (
  exports: ExportsService,
  downloads: Downloads,
): Routes<typeof exportRoutes> => ({
  'GET /exports': [exporter, (ctx) => exports.list(ctx)],
  'POST /exports': [exporter, (ctx, { body }) => exports.create(ctx, body)],
  'GET /exports/:id': [exporter, (ctx, { params }) => exports.get(ctx, params.id)],
  'GET /exports/:id/download': [exporter, (ctx, { params }) => exports.download(ctx, params.id)],
  'POST /exports/:id/download-ticket': [
    exporter,
    async (ctx, { params }) => {
      await exports.requireFile(ctx, params.id);
      return downloads.ticketFor(ctx, 'export', params.id);
    },
  ],
  'DELETE /exports/:id': [exporter, (ctx, { params }) => exports.remove(ctx, params.id)],
});
