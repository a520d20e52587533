import type { customFieldRoutes } from '@forecourt/contract/custom-fields';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { CustomFieldsService } from './custom-fields.service.ts';

export const createCustomFieldRoutes = (fields: CustomFieldsService): Routes<typeof customFieldRoutes> => ({
  'GET /custom-fields': [administrator, (ctx) => fields.list(ctx)],
  'GET /custom-fields/:id': [administrator, (ctx, { params }) => fields.get(ctx, params.id)],
  'POST /custom-fields': [administrator, (ctx, { body }) => fields.create(ctx, body)],
  'PUT /custom-fields/:id': [administrator, (ctx, { params, body }) => fields.update(ctx, params.id, body)],
  'POST /custom-fields/reorder': [administrator, (ctx, { body }) => fields.reorder(ctx, body.ids)],
});
