import type { authRoutes } from '@forecourt/contract/auth';
import { signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { presentUser, type AuthService } from './auth.service.ts';
import type { PasswordLinksService } from './password-links.service.ts';
import type { SetupService } from './setup.service.ts';
import type { TwoStepService } from './two-step.service.ts';

type Services = {
  auth: AuthService;
  twoStep: TwoStepService;
  links: PasswordLinksService;
  setup: SetupService;
};

export const createAuthRoutes = ({ auth, twoStep, links, setup }: Services): Routes<typeof authRoutes> => ({
  'POST /auth/login': { open: (ctx, { body }) => auth.login(ctx, body) },
  'POST /auth/logout': [signedIn, (ctx) => auth.logout(ctx)],
  'GET /auth/me': [signedIn, async ({ viewer }) => ({ data: { user: presentUser(viewer) } })],
  'POST /auth/change-password': [signedIn, (ctx, { body }) => auth.changePassword(ctx, body)],
  'GET /auth/sessions': [signedIn, (ctx) => auth.listSessions(ctx)],
  'DELETE /auth/sessions/:id': [signedIn, (ctx, { params }) => auth.endSession(ctx, params.id)],
  'POST /auth/forgot-password': { open: (ctx, { body }) => links.request(ctx, body) },
  'POST /auth/reset-password': { open: (ctx, { body }) => links.choosePassword(ctx, body) },
  'GET /auth/two-step': [signedIn, (ctx) => twoStep.state(ctx)],
  'POST /auth/two-step': [signedIn, (ctx, { body }) => twoStep.begin(ctx, body)],
  'POST /auth/two-step/confirm': [signedIn, (ctx, { body }) => twoStep.confirm(ctx, body)],
  'POST /auth/two-step/recovery-codes': [signedIn, (ctx, { body }) => twoStep.newRecoveryCodes(ctx, body)],
  'POST /auth/two-step/turn-off': [signedIn, (ctx, { body }) => twoStep.turnOff(ctx, body)],
  'GET /auth/setup': {
    open: async (ctx) => ({ open: await setup.isOpen(ctx), mailsResetLinks: links.areMailed }),
  },
  'POST /auth/register': { open: (ctx, { body }) => setup.register(ctx, body) },
});
