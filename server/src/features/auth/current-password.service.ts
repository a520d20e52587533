import type { Context } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { isPasswordCorrect } from '../../platform/passwords.ts';
import * as queries from './auth.queries.ts';
import { countAttempt } from './throttle.service.ts';

/**
 * Requires the current password again, for changes that an abandoned open session must not allow. A wrong one is a 400,
 * so that a typo signs nobody out, and counts like a failed sign-in, but for the session: failed sign-ins, which anybody
 * can make, must not delay a user who is signed in. Returns the matching hash.
 */
export async function requirePassword(ctx: Context, password: string): Promise<string | undefined> {
  const attempt = await countAttempt(ctx, `session:${ctx.viewer.sessionId}`);
  const hash = await queries.passwordHash(ctx.db, ctx.viewer.userId);
  if (!(await isPasswordCorrect(hash, password))) {
    throw new AppError('WRONG_PASSWORD', {
      errors: { currentPassword: 'Your current password is incorrect' },
    });
  }
  await attempt.succeeded(ctx.db);
  return hash;
}
