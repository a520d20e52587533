import type { authRoutes } from '@forecourt/contract/auth';
import { signedInEvenBeforePasswordChange } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { presentUser, type AuthService } from './auth.service.ts';
import type { SetupService } from './setup.service.ts';

export const createAuthRoutes = (auth: AuthService, setup: SetupService): Routes<typeof authRoutes> => ({
  'POST /auth/login': { open: (ctx, { body }) => auth.login(ctx, body) },
  'POST /auth/logout': { allow: signedInEvenBeforePasswordChange, handle: (ctx) => auth.logout(ctx) },
  'GET /auth/me': {
    allow: signedInEvenBeforePasswordChange,
    handle: async ({ viewer }) => ({ data: { user: presentUser(viewer) } }),
  },
  'POST /auth/change-password': {
    allow: signedInEvenBeforePasswordChange,
    handle: (ctx, { body }) => auth.changePassword(ctx, body),
  },
  'GET /auth/setup': { open: async (ctx) => ({ open: await setup.isOpen(ctx) }) },
  'POST /auth/register': { open: (ctx, { body }) => setup.register(ctx, body) },
});
