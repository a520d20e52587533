import type { SessionUser, SignedIn } from '@forecourt/contract/auth';
import { audit } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { hashPassword, passwordFits } from '../../platform/passwords.ts';
import type { Sessions } from '../../platform/sessions.ts';
import { passwordProblem } from './auth.policy.ts';
import * as queries from './auth.queries.ts';
import { takeTry } from './throttle.service.ts';

/** Signing in and out, and the own password (spec.md sections 4 and 7, product.md section 7). */
export function createAuthService(sessions: Sessions) {
  /** Opens a session and answers its token with the person as they are now. */
  async function signIn(
    ctx: Context<Viewer | null>,
    person: { id: string; name: string },
  ): Promise<SignedIn> {
    return inTransaction(ctx, async (inner) => {
      const { db, origin } = inner;
      const permissions = await queries.permissionsOf(db, person.id);
      const token = await sessions.start(inner, person.id, permissions.maxSessions, origin);
      await queries.recordSignIn(db, person.id);
      await audit(
        db,
        { viewer: { userId: person.id, name: person.name }, origin },
        {
          action: 'session.started',
          entity: 'session',
          recordId: null,
          after: { userAgent: origin.userAgent },
        },
      );
      return { token, user: presentUser(await sessions.read(token, true, db)) };
    });
  }

  return {
    signIn,

    /** Throws SIGN_IN_FAILED in the same words and time whatever is wrong, TOO_MANY_REQUESTS after many tries. */
    async login(ctx: Context<null | Viewer>, input: { email: string; password: string }): Promise<SignedIn> {
      const email = input.email.trim();
      const attempt = await takeTry(ctx, email);
      const person = await queries.findByEmail(ctx.db, email);
      const hash = person?.is_active ? (person.hash ?? undefined) : undefined;
      if (!(await passwordFits(hash, input.password)) || !person) {
        await audit(
          ctx.db,
          { viewer: null, origin: ctx.origin },
          { action: 'session.refused', entity: 'session', recordId: null, after: { email } },
        );
        throw new AppError('SIGN_IN_FAILED');
      }
      const signedIn = await inTransaction(ctx, async (inner) => {
        // The password may have been changed while this one was looked at: the old one opens nothing any more.
        await requireStill(inner.db, person.id, hash);
        return signIn(inner, person);
      });
      await attempt.succeeded();
      return signedIn;
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

    /** A wrong current password is a 400, never a 401. Every session ends; the answer carries a new one. */
    async changePassword(
      ctx: Context,
      input: { currentPassword: string; newPassword: string },
    ): Promise<SignedIn> {
      const { viewer } = ctx;
      const attempt = await takeTry(ctx, viewer.email);
      const current = await queries.passwordHash(ctx.db, viewer.userId);
      if (!(await passwordFits(current, input.currentPassword))) {
        throw new AppError('WRONG_PASSWORD', {
          errors: { currentPassword: 'Your current password is incorrect' },
        });
      }
      await attempt.succeeded();
      const problem =
        input.newPassword === input.currentPassword
          ? 'Must differ from your current password'
          : passwordProblem(input.newPassword, viewer);
      if (problem) throw invalidField('newPassword', problem);
      const hash = await hashPassword(input.newPassword);
      return inTransaction(ctx, async (inner) => {
        await requireStill(inner.db, viewer.userId, current);
        await queries.savePassword(inner.db, viewer.userId, hash);
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

/** Locks the person and throws SIGN_IN_FAILED unless they are active and their password is the one just looked at. */
async function requireStill(db: Tx, userId: string, hash: string | undefined): Promise<void> {
  const isActive = await queries.lockActiveUser(db, userId);
  if (!isActive || (await queries.passwordHash(db, userId)) !== hash) throw new AppError('SIGN_IN_FAILED');
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
  permissions: viewer.permissions,
});
