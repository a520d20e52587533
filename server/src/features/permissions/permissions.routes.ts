import type { permissionRoutes } from '@forecourt/contract/permissions';
import { administrator, signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { PermissionsService } from './permissions.service.ts';

export const createPermissionRoutes = (permissions: PermissionsService): Routes<typeof permissionRoutes> => ({
  'GET /permissions': { allow: administrator, handle: (ctx) => permissions.list(ctx) },
  'GET /permissions/user/:id': {
    allow: signedIn,
    handle: (ctx, { params }) => permissions.get(ctx, params.id),
  },
  'PUT /permissions/user/:id': {
    allow: administrator,
    handle: (ctx, { params, body }) => permissions.update(ctx, params.id, body),
  },
  'POST /permissions/user/:id/view-as': {
    allow: administrator,
    handle: (ctx, { params }) => permissions.viewAs(ctx, params.id),
  },
});
