import { errorCodes } from '@forecourt/contract/errors';
import { audit } from '../../platform/audit.ts';
import type { Config } from '../../platform/config.ts';
import type { Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { tokenHash } from '../../platform/ids.ts';
import { enforceRateLimit } from '../../platform/rate-limit.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Sessions } from '../../platform/sessions.ts';
import { appUri, createAppSecret, stepOfCode } from './app-code.ts';
import { lockActiveUser } from './auth.queries.ts';
import { requirePassword } from './password-attempts.service.ts';
import { createReadableSecret } from './readable-secret.ts';
import * as queries from './two-step.queries.ts';

const RECOVERY_CODES = 10;
/** Maximum attempts to confirm the set-up in 5 minutes. */
const CONFIRMATIONS = 10;
/** A set-up started again, for example in another tab, replaces the secret. */
const FIRST_CODE_WRONG = `${errorCodes.TWO_STEP_FAILED.message} If you have begun the set-up again elsewhere, scan the code that is shown there.`;

/** The result of the second step; `off` means that it is not required. */
export type SecondStep = 'off' | 'app' | 'recovery code' | 'missing' | 'wrong';

type Parts = { sessions: Sessions; secrets: Secrets; config: Pick<Config, 'COMPANY_NAME'> };
type Password = { currentPassword: string };

/** The encryption context of a user's secret. */
export const twoStepPlace = (userId: string) =>
  ({ table: 'two_step', column: 'secret', recordId: userId }) as const;

/** Removes spaces and dashes from a code, which users may type as it is printed. */
const plainCode = (typed = '') => typed.replace(/[\s-]/g, '').toLowerCase();

const isOn = () => new AppError('CONFLICT', { message: 'Two-step sign-in is on already.' });

/**
 * Two-step sign-in with an authenticator app (docs/product/people-and-permissions.md, Two-step sign-in). The secret is
 * encrypted; recovery codes are stored as hashes.
 */
export function createTwoStepService({ sessions, secrets, config }: Parts) {
  /** Replaces the recovery codes of a user. Returns the new codes, which cannot be read again. */
  async function renewCodes(db: Tx, userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, createReadableSecret);
    await queries.deleteRecoveryCodes(db, userId);
    await queries.insertRecoveryCodes(
      db,
      userId,
      codes.map((code) => tokenHash(plainCode(code))),
    );
    return codes;
  }

  /** Returns the step of an app's code; undefined if the code is wrong or the secret was encrypted with another key. */
  function stepOf(row: { secret: string | null; seconds: number }, userId: string, code: string) {
    const secret = row.secret === null ? null : secrets.open(row.secret, twoStepPlace(userId));
    return secret === null ? undefined : stepOfCode(secret, plainCode(code), row.seconds);
  }

  const record = (ctx: Context & { db: Tx }, twoStep: string) =>
    audit(ctx, 'user.updated', ctx.viewer.userId, { after: { twoStep } });

  return {
    /** Checks the second step of a sign-in after the password. An accepted code cannot be used again. */
    async check(db: Tx, userId: string, typed: string | undefined): Promise<SecondStep> {
      const row = await queries.findTwoStep(db, userId);
      if (row.confirmed_at === null) return 'off';
      const code = plainCode(typed);
      if (code === '') return 'missing';
      if (!/^\d{6}$/.test(code)) {
        return (await queries.useRecoveryCode(db, userId, tokenHash(code))) ? 'recovery code' : 'wrong';
      }
      const step = stepOf(row, userId, code);
      return step !== undefined && (await queries.useStep(db, userId, step)) ? 'app' : 'wrong';
    },

    async state({ db, viewer }: Context) {
      const row = await queries.findTwoStep(db, viewer.userId);
      return {
        on: row.confirmed_at !== null,
        required: row.two_step_required,
        recoveryCodesLeft: await queries.countRecoveryCodes(db, viewer.userId),
      };
    },

    /** Creates the secret of an app. Throws WRONG_PASSWORD, and CONFLICT if an app is already set up. */
    async begin(ctx: Context, { currentPassword }: Password): Promise<{ secret: string; uri: string }> {
      const { userId, email } = ctx.viewer;
      await requirePassword(ctx, currentPassword);
      const secret = createAppSecret();
      await inTransaction(ctx, async (inner) => {
        if (!(await queries.beginTwoStep(inner.db, userId, secrets.seal(secret, twoStepPlace(userId)))))
          throw isOn();
        await record(inner, 'begun');
      });
      return { secret, uri: appUri(secret, { issuer: config.COMPANY_NAME, email }) };
    },

    /**
     * Turns two-step sign-in on with the app's first code. A wrong code is a 400, because the user is signed in. Throws
     * CONFLICT if it is already on, for example by a set-up in another tab.
     */
    async confirm(ctx: Context, { code }: { code: string }): Promise<{ recoveryCodes: string[] }> {
      const { userId, sessionId } = ctx.viewer;
      await enforceRateLimit(ctx, { subject: `two-step:${userId}`, times: CONFIRMATIONS, seconds: 300 });
      return inTransaction(ctx, async (inner) => {
        const row = await queries.findTwoStep(inner.db, userId);
        if (row.confirmed_at !== null) throw isOn();
        const step = stepOf(row, userId, code);
        if (step === undefined) throw invalidField('code', FIRST_CODE_WRONG);
        if (!(await queries.confirmTwoStep(inner.db, userId, step))) throw isOn();
        const recoveryCodes = await renewCodes(inner.db, userId);
        await sessions.end(inner, userId, 'ended by the person', (session) =>
          session.where('id', '!=', sessionId),
        );
        await record(inner, 'on');
        return { recoveryCodes };
      });
    },

    /** Throws WRONG_PASSWORD, and CONFLICT if two-step sign-in is off. */
    async newRecoveryCodes(ctx: Context, { currentPassword }: Password) {
      await requirePassword(ctx, currentPassword);
      return inTransaction(ctx, async (inner) => {
        // Two concurrent requests would otherwise both delete only the old codes and insert two sets.
        await lockActiveUser(inner.db, ctx.viewer.userId);
        const { confirmed_at } = await queries.findTwoStep(inner.db, ctx.viewer.userId);
        if (confirmed_at === null) throw new AppError('CONFLICT', { message: 'Two-step sign-in is off.' });
        const recoveryCodes = await renewCodes(inner.db, ctx.viewer.userId);
        await record(inner, 'new recovery codes');
        return { recoveryCodes };
      });
    },

    /** Throws WRONG_PASSWORD, and INSUFFICIENT_PERMISSIONS if an administrator requires two-step sign-in. */
    async turnOff(ctx: Context, { currentPassword }: Password): Promise<undefined> {
      const { userId } = ctx.viewer;
      await requireOptional(ctx);
      await requirePassword(ctx, currentPassword);
      await inTransaction(ctx, async (inner) => {
        await queries.deleteTwoStep(inner.db, userId);
        await queries.deleteRecoveryCodes(inner.db, userId);
        await record(inner, 'off');
      });
    },
  };
}

export type TwoStepService = ReturnType<typeof createTwoStepService>;

async function requireOptional({ db, viewer }: Context): Promise<void> {
  if ((await queries.findTwoStep(db, viewer.userId)).two_step_required) {
    const message = 'Your administrator requires two-step sign-in. You cannot turn it off.';
    throw new AppError('INSUFFICIENT_PERMISSIONS', { message });
  }
}
