import type { userRoutes } from '@forecourt/contract/users';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { TransferService } from './transfer.service.ts';
import type { UserSignInService } from './user-sign-in.service.ts';
import { canShare } from './users.policy.ts';
import type { UsersService } from './users.service.ts';

type Services = { users: UsersService; signIn: UserSignInService; transfers: TransferService };

export const createUserRoutes = ({ users, signIn, transfers }: Services): Routes<typeof userRoutes> => ({
  'GET /users': [administrator, (ctx) => users.list(ctx)],
  'GET /users/directory': [canShare, (ctx) => users.directory(ctx)],
  'GET /users/:id': [administrator, (ctx, { params }) => users.get(ctx, params.id)],
  'POST /users': [administrator, (ctx, { body }) => users.create(ctx, body)],
  'PUT /users/:id': [administrator, (ctx, { params, body }) => users.update(ctx, params.id, body)],
  'POST /users/:id/reset-password': [
    administrator,
    (ctx, { params }) => signIn.resetPassword(ctx, params.id),
  ],
  'POST /users/:id/invitation': [administrator, (ctx, { params }) => signIn.invite(ctx, params.id)],
  'GET /users/:id/sessions': [administrator, (ctx, { params }) => signIn.sessions(ctx, params.id)],
  'DELETE /users/:id/sessions': [administrator, (ctx, { params }) => signIn.endSessions(ctx, params.id)],
  'DELETE /users/:id/sessions/:sessionId': [
    administrator,
    (ctx, { params }) => signIn.endSession(ctx, params.id, params.sessionId),
  ],
  'PUT /users/:id/two-step': [
    administrator,
    (ctx, { params, body }) => users.requireTwoStep(ctx, params.id, body.required),
  ],
  'DELETE /users/:id/two-step': [administrator, (ctx, { params }) => signIn.resetTwoStep(ctx, params.id)],
  'GET /users/:id/belongings': [administrator, (ctx, { params }) => transfers.belongings(ctx, params.id)],
  'POST /users/:id/transfer': [
    administrator,
    (ctx, { params, body }) => transfers.transfer(ctx, params.id, body),
  ],
});
