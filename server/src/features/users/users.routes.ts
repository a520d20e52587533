import type { userRoutes } from '@forecourt/contract/users';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { TransferService } from './transfer.service.ts';
import type { UserSignInService } from './user-sign-in.service.ts';
import { canShare } from './users.policy.ts';
import type { UsersService } from './users.service.ts';

type Services = { users: UsersService; signIn: UserSignInService; transfers: TransferService };

export const createUserRoutes = ({ users, signIn, transfers }: Services): Routes<typeof userRoutes> => ({
  'GET /users': { allow: administrator, handle: (ctx) => users.list(ctx) },
  'GET /users/directory': { allow: canShare, handle: (ctx) => users.directory(ctx) },
  'GET /users/:id': { allow: administrator, handle: (ctx, { params }) => users.get(ctx, params.id) },
  'POST /users': { allow: administrator, handle: (ctx, { body }) => users.create(ctx, body) },
  'PUT /users/:id': {
    allow: administrator,
    handle: (ctx, { params, body }) => users.update(ctx, params.id, body),
  },
  'POST /users/:id/reset-password': {
    allow: administrator,
    handle: (ctx, { params }) => signIn.resetPassword(ctx, params.id),
  },
  'POST /users/:id/invitation': {
    allow: administrator,
    handle: (ctx, { params }) => signIn.invite(ctx, params.id),
  },
  'GET /users/:id/sessions': {
    allow: administrator,
    handle: (ctx, { params }) => signIn.sessions(ctx, params.id),
  },
  'DELETE /users/:id/sessions': {
    allow: administrator,
    handle: (ctx, { params }) => signIn.endSessions(ctx, params.id),
  },
  'DELETE /users/:id/sessions/:sessionId': {
    allow: administrator,
    handle: (ctx, { params }) => signIn.endSession(ctx, params.id, params.sessionId),
  },
  'PUT /users/:id/two-step': {
    allow: administrator,
    handle: (ctx, { params, body }) => users.requireTwoStep(ctx, params.id, body.required),
  },
  'DELETE /users/:id/two-step': {
    allow: administrator,
    handle: (ctx, { params }) => signIn.resetTwoStep(ctx, params.id),
  },
  'GET /users/:id/belongings': {
    allow: administrator,
    handle: (ctx, { params }) => transfers.belongings(ctx, params.id),
  },
  'POST /users/:id/transfer': {
    allow: administrator,
    handle: (ctx, { params, body }) => transfers.transfer(ctx, params.id, body),
  },
});
