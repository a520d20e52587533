import type { customFieldRoutes } from '@forecourt/contract/custom-fields';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { CustomFieldsService } from './custom-fields.service.ts';

export const createCustomFieldRoutes = (fields: CustomFieldsService): Routes<typeof customFieldRoutes> => ({
  'GET /custom-fields': { allow: administrator, handle: (ctx) => fields.list(ctx) },
  'GET /custom-fields/:id': {
    allow: administrator,
    handle: (ctx, { params }) => fields.get(ctx, params.id),
  },
  'POST /custom-fields': { allow: administrator, handle: (ctx, { body }) => fields.create(ctx, body) },
  'PUT /custom-fields/:id': {
    allow: administrator,
    handle: (ctx, { params, body }) => fields.update(ctx, params.id, body),
  },
  'POST /custom-fields/reorder': {
    allow: administrator,
    handle: (ctx, { body }) => fields.reorder(ctx, body.ids),
  },
});
