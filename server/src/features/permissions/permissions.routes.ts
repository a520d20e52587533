import type { permissionRoutes } from '@forecourt/contract/permissions';
import { administrator, signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { PermissionsService } from './permissions.service.ts';

export const createPermissionRoutes = (permissions: PermissionsService): Routes<typeof permissionRoutes> => ({
  'GET /permissions': [administrator, (ctx) => permissions.list(ctx)],
  'GET /permissions/user/:id': [signedIn, (ctx, { params }) => permissions.get(ctx, params.id)],
  'PUT /permissions/user/:id': [
    administrator,
    (ctx, { params, body }) => permissions.update(ctx, params.id, body),
  ],
  'POST /permissions/user/:id/view-as': [
    administrator,
    (ctx, { params }) => permissions.viewAs(ctx, params.id),
  ],
});
