import type { statusRoutes } from '@forecourt/contract/statuses';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { statusReader } from './statuses.policy.ts';
import type { StatusesService } from './statuses.service.ts';

export const createStatusRoutes = (statuses: StatusesService): Routes<typeof statusRoutes> => ({
  'GET /status-configurations': [statusReader, (ctx) => statuses.list(ctx)],
  'GET /status-configurations/:id': [statusReader, (ctx, { params }) => statuses.get(ctx, params.id)],
  'POST /status-configurations': [administrator, (ctx, { body }) => statuses.create(ctx, body)],
  'PUT /status-configurations/:id': [
    statusReader,
    (ctx, { params, body }) => statuses.update(ctx, params.id, body),
  ],
  'DELETE /status-configurations/:id': [
    administrator,
    (ctx, { params, query }) => statuses.remove(ctx, params.id, query.replacement),
  ],
  'POST /status-configurations/reorder': [administrator, (ctx, { body }) => statuses.reorder(ctx, body.ids)],
  'PUT /status-configurations/commission': [administrator, (ctx, { body }) => statuses.countOnly(ctx, body)],
});
