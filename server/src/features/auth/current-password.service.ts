import type { Context } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { passwordFits } from '../../platform/passwords.ts';
import * as queries from './auth.queries.ts';
import { takeTry } from './throttle.service.ts';

/**
 * Asks for the own password again, before something that a session left open must not be able to change. A
 * wrong one is a 400, so that nobody is signed out by a typo, and counts like a failed sign-in. Answers the hash
 * that it fits.
 */
export async function requirePassword(ctx: Context, password: string): Promise<string | undefined> {
  const attempt = await takeTry(ctx, ctx.viewer.email);
  const hash = await queries.passwordHash(ctx.db, ctx.viewer.userId);
  if (!(await passwordFits(hash, password))) {
    throw new AppError('WRONG_PASSWORD', {
      errors: { currentPassword: 'Your current password is incorrect' },
    });
  }
  await attempt.succeeded(ctx.db);
  return hash;
}
