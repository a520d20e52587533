import type { SessionInfo, SessionUser, SignedIn } from '@forecourt/contract/auth';
import { normalisedPassword } from '@forecourt/contract/new-password';
import { audit, entryOf } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { hashPassword, isPasswordCorrect } from '../../platform/passwords.ts';
import type { LiveSession, Sessions, StartedWith } from '../../platform/sessions.ts';
import { passwordProblem } from './auth.policy.ts';
import * as queries from './auth.queries.ts';
import { deviceOf } from './device.ts';
import { countAttempt, requirePassword } from './password-attempts.service.ts';
import { deleteLinks } from './password-links.queries.ts';
import type { SecondStep, TwoStepService } from './two-step.service.ts';

type AnyContext = Context<Viewer | null>;
type Credentials = { email: string; password: string; code?: string | undefined };

/** Sign-in and sign-out, own sessions and password (docs/product/people-and-permissions.md, Sessions). */
export function createAuthService(sessions: Sessions, twoStep: TwoStepService) {
  /** Opens a session for a locked user. Returns its token and the current user. */
  async function signIn(
    ctx: AnyContext,
    person: { id: string; name: string },
    secondStep: SecondStep = 'off',
    failures: StartedWith['failures'] = null,
  ): Promise<SignedIn> {
    return inTransaction(ctx, async (inner) => {
      const { origin } = inner;
      const actor = { origin, viewer: { userId: person.id, name: person.name } };
      const entry = entryOf(actor, 'session.started', null, {
        after: { userAgent: origin.userAgent, ...(secondStep !== 'off' && { secondStep }) },
      });
      const { token, viewer } = await sessions.start(inner, person.id, origin, { entry, failures });
      return { token, user: presentUser(viewer) };
    });
  }

  return {
    signIn,

    /**
     * Throws SIGN_IN_FAILED with the same message and timing for every reason, and TOO_MANY_REQUESTS after many
     * attempts. After a correct password the response shows that the code is missing, which does not count as a
     * failure, or wrong, which does.
     */
    async login(ctx: AnyContext, input: Credentials): Promise<SignedIn> {
      const email = input.email.trim();
      const attempt = await countAttempt(ctx, email);
      const person = await queries.findByEmail(ctx.db, email);
      const hash = person?.is_active ? (person.hash ?? undefined) : undefined;
      if (!(await isPasswordCorrect(hash, input.password)) || !person) {
        await recordRefusal(ctx, { email });
        throw new AppError('SIGN_IN_FAILED');
      }
      const result = await inTransaction(ctx, async (inner) => {
        // The password may have been changed while the hash was computed; the old one must no longer work.
        const { hasTwoStep } = await requireUnchanged(inner.db, person.id, hash);
        const secondStep = hasTwoStep ? await twoStep.check(inner.db, person.id, input.code) : 'off';
        if (secondStep === 'missing' || secondStep === 'wrong') return secondStep;
        return signIn(inner, person, secondStep, attempt.failures);
      });
      if (result === 'missing') {
        await attempt.undo();
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
        const { viewer } = inner;
        await sessions.end(inner, viewer.userId, 'signed out', (session) =>
          session.where('id', '=', viewer.sessionId),
        );
        await audit(inner, 'session.ended', null);
      });
    },

    async listSessions({ db, viewer }: Context): Promise<{ items: SessionInfo[]; total: number }> {
      const items = (await sessions.list(db, viewer.userId))
        .map((session) => presentSession(session, viewer.sessionId))
        .sort((a, b) => Number(b.current) - Number(a.current));
      return { items, total: items.length };
    },

    /** Ends one of the viewer's sessions. Throws NOT_FOUND for an ended session and for a session of another user. */
    async endSession(ctx: Context, id: string): Promise<undefined> {
      const { viewer } = ctx;
      const because = id === viewer.sessionId ? 'signed out' : 'ended by the person';
      await inTransaction(ctx, async (inner) => {
        const own = await sessions.list(inner.db, viewer.userId);
        if (!own.some((session) => session.id === id)) throw new AppError('NOT_FOUND');
        await sessions.end(inner, viewer.userId, because, (session) => session.where('id', '=', id));
        await audit(inner, 'session.ended', id);
      });
    },

    /** Throws WRONG_PASSWORD with status 400. Ends every session; the response has a new one. */
    async changePassword(
      ctx: Context,
      input: { currentPassword: string; newPassword: string },
    ): Promise<SignedIn> {
      const { viewer } = ctx;
      const current = await requirePassword(ctx, input.currentPassword);
      const problem =
        input.newPassword === normalisedPassword(input.currentPassword)
          ? 'Must differ from your current password'
          : passwordProblem(input.newPassword, viewer);
      if (problem) throw invalidField('newPassword', problem);
      const hash = await hashPassword(input.newPassword);
      return inTransaction(ctx, async (inner) => {
        await requireUnchanged(inner.db, viewer.userId, current);
        await queries.savePassword(inner.db, viewer.userId, hash);
        await deleteLinks(inner.db, viewer.userId);
        await sessions.end(inner, viewer.userId, 'password changed');
        await audit(inner, 'user.updated', viewer.userId, { after: { password: 'changed' } });
        return signIn(inner, { id: viewer.userId, name: viewer.name });
      });
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;

const recordRefusal = (ctx: AnyContext, after: { email: string; secondStep?: string }) =>
  inTransaction(ctx, ({ db, origin }) =>
    audit({ db, origin, viewer: null }, 'session.refused', null, { after }),
  );

/** Locks the user. Throws SIGN_IN_FAILED unless the user is active and the verified password is still theirs. */
async function requireUnchanged(db: Tx, userId: string, hash: string | undefined) {
  const current = await queries.lockPassword(db, userId);
  if (!current || current.hash !== hash) throw new AppError('SIGN_IN_FAILED');
  return current;
}

/** Lists the fields of a user explicitly, so that no other field is returned. */
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

export const presentSession = (session: LiveSession, currentId: string): SessionInfo => ({
  _id: session.id,
  device: deviceOf(session.user_agent),
  ip: session.ip,
  createdAt: session.created_at,
  lastUsedAt: session.last_used_at,
  expiresAt: session.expires_at,
  current: session.id === currentId,
});
