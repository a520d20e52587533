import type { SessionInfo } from '@forecourt/contract/auth';
import type { Entry, User } from '@forecourt/contract/users';
import { audit, type AuditAction } from '../../platform/audit.ts';
import { inTransaction, type Context, type TxContext } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import type { Sessions } from '../../platform/sessions.ts';
import type { AccountAccess } from '../auth/account-access.service.ts';
import { presentSession } from '../auth/auth.service.ts';
import { canManageSignIn } from './users.policy.ts';
import { lockUsers } from './users.queries.ts';
import type { UsersService } from './users.service.ts';

const BY_ADMINISTRATOR = 'ended by an administrator';

type Parts = { users: UsersService; sessions: Sessions; accountAccess: AccountAccess };

/** Access of users (docs/product/people-and-permissions.md, Temporary passwords and invitations). */
export function createUserSignInService({ users, sessions, accountAccess }: Parts) {
  /** Calls `work` with one locked user. */
  const withPerson = <R>(
    ctx: Context,
    id: string,
    work: (inner: TxContext, person: User) => Promise<R>,
  ): Promise<R> =>
    inTransaction(ctx, async (inner) => {
      await lockUsers(inner.db, [id], { admins: false });
      return work(inner, await users.get(inner, id));
    });

  return {
    /** Sets a temporary password, which the user must change at the next sign-in. Ends the user's sessions. */
    resetPassword: (ctx: Context, id: string): Promise<Entry> =>
      withPerson(ctx, id, async (inner, person) => {
        requireAbility(canManageSignIn(ctx.viewer, { id }));
        const entry = await accountAccess.setTemporaryPassword(inner, id);
        await auditUnchanged(inner, person, 'user.password-reset', { expiresAt: entry.expiresAt });
        return entry;
      }),

    /** Invites a user who has never signed in. Other users have a password, which can be reset. */
    invite: (ctx: Context, id: string): Promise<Entry> =>
      withPerson(ctx, id, async (inner, person) => {
        requireAbility(canManageSignIn(ctx.viewer, { id }));
        if (person.lastLogin !== null) {
          throw new AppError('INVALID_REQUEST', {
            message: `${person.name} has signed in before. Reset the password instead.`,
          });
        }
        const entry = await accountAccess.invite(inner, { id, name: person.name, email: person.email });
        await auditUnchanged(inner, person, 'user.invited', {
          expiresAt: entry.expiresAt,
          mailed: entry.mailed,
        });
        return entry;
      }),

    async sessions(ctx: Context, id: string): Promise<{ items: SessionInfo[]; total: number }> {
      await users.get(ctx, id);
      const rows = await sessions.list(ctx.db, id);
      return wholeList(rows.map((row) => presentSession(row, ctx.viewer.sessionId)));
    },

    async endSessions(ctx: Context, id: string): Promise<undefined> {
      await withPerson(ctx, id, async (inner, person) => {
        if (person.sessions === 0) return;
        await sessions.end(inner, id, BY_ADMINISTRATOR);
        await auditUnchanged(inner, person, 'user.sessions-ended', { sessions: person.sessions });
      });
    },

    async endSession(ctx: Context, id: string, sessionId: string): Promise<undefined> {
      await withPerson(ctx, id, async (inner, person) => {
        const live = await sessions.list(inner.db, id);
        if (!live.some((session) => session.id === sessionId)) throw new AppError('NOT_FOUND');
        await sessions.end(inner, id, BY_ADMINISTRATOR, (session) => session.where('id', '=', sessionId));
        await auditUnchanged(inner, person, 'user.sessions-ended', { session: sessionId });
      });
    },

    resetTwoStep: (ctx: Context, id: string): Promise<User> =>
      withPerson(ctx, id, async (inner, person) => {
        requireAbility(canManageSignIn(ctx.viewer, { id }));
        if (!person.twoStep.on) return person;
        await accountAccess.resetTwoStep(inner, id);
        await auditUnchanged(inner, person, 'user.two-step-reset', null);
        return users.get(inner, id);
      }),
  };
}

export type UserSignInService = ReturnType<typeof createUserSignInService>;

const auditUnchanged = (inner: TxContext, person: User, action: AuditAction, after: object | null) =>
  audit(inner, action, person._id, { version: person.version, after });
