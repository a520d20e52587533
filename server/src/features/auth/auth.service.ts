import type { SessionInfo, SessionUser, SignedIn } from '@forecourt/contract/auth';
import { audit } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { hashPassword, passwordFits } from '../../platform/passwords.ts';
import type { LiveSession, Sessions } from '../../platform/sessions.ts';
import { passwordProblem } from './auth.policy.ts';
import * as queries from './auth.queries.ts';
import { requirePassword } from './current-password.service.ts';
import { deviceOf } from './device.ts';
import { deleteLinks } from './password-links.queries.ts';
import { takeTry } from './throttle.service.ts';
import type { SecondStep, TwoStepService } from './two-step.service.ts';

type AnyContext = Context<Viewer | null>;
type Credentials = { email: string; password: string; code?: string | undefined };

/** Signing in and out, own sessions and password (spec.md sections 4 and 7, product.md section 7). */
export function createAuthService(sessions: Sessions, twoStep: TwoStepService) {
  /** Opens a session of a person whose row is locked; answers its token with the person as they are now. */
  async function signIn(
    ctx: AnyContext,
    person: { id: string; name: string },
    secondStep: SecondStep = 'off',
  ): Promise<SignedIn> {
    return inTransaction(ctx, async (inner) => {
      const { db, origin } = inner;
      const { token, viewer } = await sessions.start(inner, person.id, origin);
      await audit(
        db,
        { viewer: { userId: person.id, name: person.name }, origin },
        {
          action: 'session.started',
          entity: 'session',
          recordId: null,
          after: { userAgent: origin.userAgent, ...(secondStep !== 'off' && { secondStep }) },
        },
      );
      return { token, user: presentUser(viewer) };
    });
  }

  return {
    signIn,

    /**
     * Throws SIGN_IN_FAILED in the same words and time whatever is wrong, TOO_MANY_REQUESTS after many tries.
     * Whoever has the right password is told when a code is missing, which counts as no try, or wrong, which
     * counts as a failure.
     */
    async login(ctx: AnyContext, input: Credentials): Promise<SignedIn> {
      const email = input.email.trim();
      const attempt = await takeTry(ctx, email);
      const person = await queries.findByEmail(ctx.db, email);
      const hash = person?.is_active ? (person.hash ?? undefined) : undefined;
      if (!(await passwordFits(hash, input.password)) || !person) {
        await recordRefusal(ctx, { email });
        throw new AppError('SIGN_IN_FAILED');
      }
      const result = await inTransaction(ctx, async (inner) => {
        // The password may have been changed while this one was looked at: the old one opens nothing any more.
        const { hasTwoStep } = await requireStill(inner.db, person.id, hash);
        const secondStep = hasTwoStep ? await twoStep.check(inner.db, person.id, input.code) : 'off';
        if (secondStep === 'missing' || secondStep === 'wrong') return secondStep;
        const signedIn = await signIn(inner, person, secondStep);
        await attempt.succeeded(inner.db);
        return signedIn;
      });
      if (result === 'missing') {
        await attempt.takeBack();
        throw new AppError('TWO_STEP_REQUIRED');
      }
      if (result === 'wrong') {
        await recordRefusal(ctx, { email, secondStep: result });
        throw new AppError('TWO_STEP_FAILED');
      }
      return result;
    },

    async logout(ctx: Context): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const { db, viewer } = inner;
        await sessions.end(inner, viewer.userId, 'signed out', (session) =>
          session.where('id', '=', viewer.sessionId),
        );
        await audit(db, ctx, { action: 'session.ended', entity: 'session', recordId: null });
      });
    },

    async listSessions({ db, viewer }: Context): Promise<{ items: SessionInfo[]; total: number }> {
      const items = (await sessions.list(db, viewer.userId))
        .map((session) => presentSession(session, viewer.sessionId))
        .sort((a, b) => Number(b.current) - Number(a.current));
      return { items, total: items.length };
    },

    /** Ends one of the own sessions. Throws NOT_FOUND for somebody else's, and for one that has ended. */
    async endSession(ctx: Context, id: string): Promise<undefined> {
      const { viewer } = ctx;
      const because = id === viewer.sessionId ? 'signed out' : 'ended by the person';
      await inTransaction(ctx, async (inner) => {
        const own = await sessions.list(inner.db, viewer.userId);
        if (!own.some((session) => session.id === id)) throw new AppError('NOT_FOUND');
        await sessions.end(inner, viewer.userId, because, (session) => session.where('id', '=', id));
        await audit(inner.db, ctx, { action: 'session.ended', entity: 'session', recordId: id });
      });
    },

    /** Throws WRONG_PASSWORD, a 400. Every session ends; the answer carries a new one. */
    async changePassword(
      ctx: Context,
      input: { currentPassword: string; newPassword: string },
    ): Promise<SignedIn> {
      const { viewer } = ctx;
      const current = await requirePassword(ctx, input.currentPassword);
      const problem =
        input.newPassword === input.currentPassword.normalize('NFKC')
          ? 'Must differ from your current password'
          : passwordProblem(input.newPassword, viewer);
      if (problem) throw invalidField('newPassword', problem);
      const hash = await hashPassword(input.newPassword);
      return inTransaction(ctx, async (inner) => {
        await requireStill(inner.db, viewer.userId, current);
        await queries.savePassword(inner.db, viewer.userId, hash);
        await deleteLinks(inner.db, viewer.userId);
        await sessions.end(inner, viewer.userId, 'password changed');
        await audit(inner.db, ctx, {
          action: 'user.updated',
          entity: 'user',
          recordId: viewer.userId,
          after: { password: 'changed' },
        });
        return signIn(inner, { id: viewer.userId, name: viewer.name });
      });
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;

const recordRefusal = ({ db, origin }: AnyContext, after: { email: string; secondStep?: string }) =>
  audit(
    db,
    { viewer: null, origin },
    { action: 'session.refused', entity: 'session', recordId: null, after },
  );

/** Locks the person and throws SIGN_IN_FAILED unless they are active and their password is the one just looked at. */
async function requireStill(db: Tx, userId: string, hash: string | undefined) {
  const current = await queries.lockPassword(db, userId);
  if (!current || current.hash !== hash) throw new AppError('SIGN_IN_FAILED');
  return current;
}

/** Field by field: an answer about a person never carries what is not listed here. */
export const presentUser = (viewer: Viewer): SessionUser => ({
  _id: viewer.userId,
  userId: viewer.userId,
  role: viewer.role,
  name: viewer.name,
  email: viewer.email,
  forcePasswordChange: viewer.forcePasswordChange,
  lastLogin: viewer.lastLogin,
  mustSetUpTwoStep: viewer.mustSetUpTwoStep,
});

/** A session as its person and administrators see it. */
export const presentSession = (session: LiveSession, currentId: string): SessionInfo => ({
  _id: session.id,
  device: deviceOf(session.user_agent),
  ip: session.ip,
  createdAt: session.created_at,
  lastUsedAt: session.last_used_at,
  expiresAt: session.expires_at,
  current: session.id === currentId,
});
