import type { statusRoutes } from '@forecourt/contract/statuses';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { statusReader } from './statuses.policy.ts';
import type { StatusesService } from './statuses.service.ts';

export const createStatusRoutes = (statuses: StatusesService): Routes<typeof statusRoutes> => ({
  'GET /status-configurations': { allow: statusReader, handle: (ctx) => statuses.list(ctx) },
  'GET /status-configurations/:id': {
    allow: statusReader,
    handle: (ctx, { params }) => statuses.get(ctx, params.id),
  },
  'POST /status-configurations': {
    allow: administrator,
    handle: (ctx, { body }) => statuses.create(ctx, body),
  },
  'PUT /status-configurations/:id': {
    allow: statusReader,
    handle: (ctx, { params, body }) => statuses.update(ctx, params.id, body),
  },
  'DELETE /status-configurations/:id': {
    allow: administrator,
    handle: (ctx, { params, query }) => statuses.remove(ctx, params.id, query.replacement),
  },
  'POST /status-configurations/reorder': {
    allow: administrator,
    handle: (ctx, { body }) => statuses.reorder(ctx, body.ids),
  },
  'PUT /status-configurations/commission': {
    allow: administrator,
    handle: (ctx, { body }) => statuses.countOnly(ctx, body.ids),
  },
});
