import type { exportRoutes } from '@forecourt/contract/exports';
import type { Downloads } from '../../platform/http/downloads.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { exporter } from './exports.policy.ts';
import type { ExportsService } from './exports.service.ts';

export const createExportRoutes = (
  exports: ExportsService,
  downloads: Downloads,
): Routes<typeof exportRoutes> => ({
  'GET /exports': { allow: exporter, handle: (ctx) => exports.list(ctx) },
  'POST /exports': { allow: exporter, handle: (ctx, { body }) => exports.create(ctx, body) },
  'GET /exports/:id': { allow: exporter, handle: (ctx, { params }) => exports.get(ctx, params.id) },
  'GET /exports/:id/download': {
    allow: exporter,
    handle: (ctx, { params }) => exports.download(ctx, params.id),
  },
  'POST /exports/:id/download-ticket': {
    allow: exporter,
    handle: async (ctx, { params }) => {
      await exports.requireFile(ctx, params.id);
      return downloads.ticketFor(ctx, 'export', params.id);
    },
  },
  'DELETE /exports/:id': { allow: exporter, handle: (ctx, { params }) => exports.remove(ctx, params.id) },
});
