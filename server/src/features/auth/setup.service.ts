import { timingSafeEqual } from 'node:crypto';
import { NewPassword, type SignedIn } from '@forecourt/contract/auth';
import { audit } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Origin, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { newId, newToken, tokenHash } from '../../platform/ids.ts';
import { hashPassword } from '../../platform/passwords.ts';
import { insertRecord } from '../../platform/records.queries.ts';
import { StartError } from '../../platform/start-error.ts';
import { passwordProblem } from './auth.policy.ts';
import * as queries from './auth.queries.ts';
import type { AuthService } from './auth.service.ts';

/** The request origin of actions at the start of the program. */
export const AT_START: Origin = { requestId: 'start', ip: '', userAgent: '' };

type Person = { name: string; email: string; password: string };

async function createFirstAdmin(db: Tx, person: Person, origin: Origin) {
  const id = newId();
  await insertRecord(db, 'users', { id, name: person.name, email: person.email, role: 'admin' });
  await queries.savePassword(db, id, await hashPassword(person.password));
  await queries.saveSetupKey(db, null);
  await audit({ db, origin, viewer: null }, 'user.created', id, {
    version: 1,
    after: { name: person.name, email: person.email, role: 'admin' },
  });
  return { id, name: person.name };
}

/**
 * Prepares an installation without users (docs/product/people-and-permissions.md, First administrator): creates the
 * administrator of ADMIN_EMAIL and ADMIN_PASSWORD, or returns the key of a new one-time set-up link. Does nothing if a
 * user exists. Throws StartError for a password that the screens would reject.
 */
export async function prepareFirstAdmin(
  db: Db,
  credentials: { email: string; password: string } | undefined,
): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    await queries.lockSetupKey(tx);
    if (!(await queries.hasNoUsers(tx))) return undefined;
    if (credentials) {
      const name = credentials.email.split('@')[0]!;
      requireAcceptable({ ...credentials, name });
      await createFirstAdmin(tx, { ...credentials, name }, AT_START);
      return undefined;
    }
    const key = newToken();
    await queries.saveSetupKey(tx, tokenHash(key));
    return key;
  });
}

function requireAcceptable(person: Person): void {
  const { data, error } = NewPassword.safeParse(person.password);
  const problem = error?.issues[0]?.message ?? passwordProblem(data!, person);
  if (problem) throw new StartError(`ADMIN_PASSWORD: ${problem}`);
}

/** The API of the Register screen: available until a user exists, with the key of the set-up link. */
export function createSetupService(auth: AuthService) {
  return {
    isOpen: (ctx: Context<Viewer | null>): Promise<boolean> => queries.hasNoUsers(ctx.db),

    async register(ctx: Context<Viewer | null>, input: Person & { key: string }): Promise<SignedIn> {
      const problem = passwordProblem(input.password, input);
      if (problem) throw invalidField('password', problem);
      return inTransaction(ctx, async (inner) => {
        const expected = await queries.lockSetupKey(inner.db);
        if (
          !expected ||
          !timingSafeEqual(expected, tokenHash(input.key)) ||
          !(await queries.hasNoUsers(inner.db))
        ) {
          throw new AppError('INSUFFICIENT_PERMISSIONS', {
            message: 'This set-up link is no longer valid. Start the server again for a new one.',
          });
        }
        const person = await createFirstAdmin(inner.db, input, ctx.origin);
        return auth.signIn(inner, person);
      });
    },
  };
}

export type SetupService = ReturnType<typeof createSetupService>;
