import { isDeepStrictEqual } from 'node:util';
import type { Role } from '@forecourt/contract/auth';
import type { DirectoryPerson, Entry, User, UserChanges } from '@forecourt/contract/users';
import { audit } from '../../platform/audit.ts';
import { inTransaction, type Context, type TxContext } from '../../platform/http/context.ts';
import { AppError, requireFound } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import type { Progress } from '../../platform/jobs/progress.ts';
import { insertRecord, updateRecord } from '../../platform/records.queries.ts';
import type { Sessions } from '../../platform/sessions.ts';
import { pick } from '../../platform/sharing/records.ts';
import type { AccountAccess } from '../auth/account-access.service.ts';
import { hasRemainingAdmin, isStillAdmin } from './users.policy.ts';
import * as queries from './users.queries.ts';

/** The end reason of sessions, with its message in platform/viewers.ts. */
const ACCOUNT_CHANGED = 'account changed';

type NewPerson = { name: string; email: string; role: Role; firstSignIn: 'password' | 'invitation' };

/** User accounts, for administrators (docs/product/people-and-permissions.md, Users). */
export function createUsersService(
  sessions: Sessions,
  accountAccess: AccountAccess,
  progress: Pick<Progress, 'cancelImports'>,
) {
  return {
    list: async (ctx: Context): Promise<{ items: User[]; total: number }> =>
      wholeList((await queries.listUsers(ctx.db)).map(present)),

    /** Returns the fields of active users that sharing requires (docs/product/people-and-permissions.md, Directory). */
    directory: async (ctx: Context): Promise<{ items: DirectoryPerson[]; total: number }> =>
      wholeList((await queries.listActive(ctx.db)).map(({ id, name, email }) => ({ _id: id, name, email }))),

    get: async (ctx: Context, id: string): Promise<User> => present(await load(ctx, id)),

    /** Only this response contains the credentials of the first sign-in. */
    async create(ctx: Context, { firstSignIn, ...person }: NewPerson): Promise<User & { entry: Entry }> {
      return inTransaction(ctx, async (inner) => {
        const id = newId();
        await insertRecord(inner.db, 'users', { id, ...person });
        const entry =
          firstSignIn === 'invitation'
            ? await accountAccess.invite(inner, { id, ...person })
            : await accountAccess.setTemporaryPassword(inner, id);
        const user = present(await load(inner, id));
        await audit(inner, 'user.created', id, { version: user.version, after: { ...person, firstSignIn } });
        return { ...user, entry };
      });
    },

    /**
     * Omitted fields stay unchanged. A new role, a new address and a deactivation end the user's sessions at once,
     * except the session of this request while its user stays active; a deactivation also cancels the user's imports.
     * Throws CONFLICT if `version` is outdated, and LAST_ADMIN if no active administrator would remain.
     */
    async update(ctx: Context, id: string, { version, ...changes }: UserChanges): Promise<User> {
      return inTransaction(ctx, async (inner) => {
        const admins = changes.role === 'user' || changes.isActive === false;
        const locked = await queries.lockUsers(inner.db, [id], { admins });
        const before = present(await load(inner, id));
        if (version !== undefined && version !== before.version) {
          throw new AppError('CONFLICT', { current: before });
        }
        const changed = withChanges(before, changes);
        if (isDeepStrictEqual(changed, auditedFields(before))) return before;
        if (isAdmin(before) && !isAdmin(changed)) requireAnotherAdmin(ctx, locked, id);

        const { isActive, ...fields } = changed;
        await updateRecord(inner.db, 'users', id, { ...fields, is_active: isActive });
        if (changed.email !== before.email) await queries.removeLinks(inner.db, id);
        await endSessionsAfter(inner, before, changed);
        if (!isActive) await cancelImports(inner, id);
        const after = present(await load(inner, id));
        await audit(inner, 'user.updated', id, {
          version: after.version,
          ...differences(auditedFields(before), changed),
        });
        return after;
      });
    },

    /** Applies to the user's next request: until the app is set up, every other route is refused. */
    requireTwoStep: (ctx: Context, id: string, required: boolean): Promise<User> =>
      inTransaction(ctx, async (inner) => {
        await queries.lockUsers(inner.db, [id], { admins: false });
        const before = present(await load(inner, id));
        if (before.twoStep.required === required) return before;
        await updateRecord(inner.db, 'users', id, { two_step_required: required });
        await sessions.refresh(inner, id);
        const after = present(await load(inner, id));
        await audit(inner, 'user.updated', id, {
          version: after.version,
          before: { twoStepRequired: before.twoStep.required },
          after: { twoStepRequired: required },
        });
        return after;
      }),
  };

  /** An import takes minutes, and must not add rows of a user who may not sign in any more. */
  async function cancelImports(inner: TxContext, userId: string): Promise<void> {
    for (const recordId of await progress.cancelImports(inner.db, userId, inner.viewer.name)) {
      await audit(inner, 'job.cancelled', recordId, { after: { name: 'import' } });
    }
  }

  async function endSessionsAfter(inner: TxContext, before: User, after: AuditedFields): Promise<void> {
    const { userId, sessionId } = inner.viewer;
    const staysActive = after.isActive;
    if (staysActive && before.role === after.role && before.email === after.email) {
      return sessions.refresh(inner, before._id);
    }
    return sessions.end(inner, before._id, ACCOUNT_CHANGED, (session) =>
      staysActive && before._id === userId ? session.where('id', '!=', sessionId) : session,
    );
  }
}

export type UsersService = ReturnType<typeof createUsersService>;

const load = async (ctx: Context, id: string): Promise<queries.UserRow> =>
  requireFound(await queries.findUser(ctx.db, id));

/** `locked` contains all active administrators, so no other transaction can remove one at the same time. */
function requireAnotherAdmin(ctx: Context, locked: queries.LockedUser[], leavingId: string): void {
  if (!isStillAdmin(ctx.viewer, locked)) throw new AppError('ADMIN_REQUIRED');
  if (!hasRemainingAdmin(locked, leavingId)) throw new AppError('LAST_ADMIN');
}

type AuditedFields = Pick<User, 'name' | 'email' | 'role' | 'isActive'>;

const auditedFields = (user: AuditedFields): AuditedFields =>
  pick(user, ['name', 'email', 'role', 'isActive']);

const isAdmin = ({ role, isActive }: AuditedFields): boolean => role === 'admin' && isActive;

const withChanges = (before: AuditedFields, changes: Omit<UserChanges, 'version'>): AuditedFields => ({
  name: changes.name ?? before.name,
  email: changes.email ?? before.email,
  role: changes.role ?? before.role,
  isActive: changes.isActive ?? before.isActive,
});

function differences(before: AuditedFields, after: AuditedFields): { before: object; after: object } {
  const fields = (Object.keys(before) as (keyof AuditedFields)[]).filter(
    (field) => before[field] !== after[field],
  );
  const of = (person: AuditedFields) => Object.fromEntries(fields.map((field) => [field, person[field]]));
  return { before: of(before), after: of(after) };
}

const present = (row: queries.UserRow): User => ({
  _id: row.id,
  userId: row.id,
  name: row.name,
  email: row.email,
  role: row.role as Role,
  isActive: row.is_active,
  forcePasswordChange: row.force_password_change,
  lastLogin: row.last_login,
  sessions: row.sessions ?? 0,
  twoStep: { on: row.two_step_since !== null, required: row.two_step_required },
  invitedUntil: row.invited_until,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
