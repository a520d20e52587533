import { TEMPORARY_PASSWORD_HOURS } from '@forecourt/contract/auth-limits';
import type { TxContext } from '../../platform/http/context.ts';
import { newToken, tokenHash } from '../../platform/ids.ts';
import { hashPassword } from '../../platform/passwords.ts';
import type { Sessions } from '../../platform/sessions.ts';
import * as queries from './auth.queries.ts';
import { INVITATION_DAYS, linkPath, type LinkMail } from './link-mail.ts';
import * as links from './password-links.queries.ts';
import { createReadableSecret } from './readable-secret.ts';
import * as twoStep from './two-step.queries.ts';

/**
 * How an administrator gives a user access, for the first time or again (docs/product/people-and-permissions.md,
 * Temporary passwords and invitations). Each function runs in the caller's transaction; the caller checks permissions
 * and writes the audit entry.
 */
export function createAccountAccess({ sessions, mail }: { sessions: Sessions; mail: LinkMail }) {
  return {
    /** Sets a temporary password, which can only be used to choose another one. Ends the user's sessions and links. */
    async setTemporaryPassword(ctx: TxContext, userId: string) {
      const temporaryPassword = createReadableSecret();
      const hash = await hashPassword(temporaryPassword);
      await queries.lockActiveUser(ctx.db, userId);
      await links.deleteLinks(ctx.db, userId);
      await queries.savePassword(ctx.db, userId, hash);
      const expiresAt = await queries.setPasswordExpiry(ctx.db, userId, TEMPORARY_PASSWORD_HOURS);
      await sessions.end(ctx, userId, 'account changed');
      return { temporaryPassword, expiresAt, mailed: false as const };
    },

    /** Returns a link to choose a password and revokes older ones. Also sends it by email if mail is configured. */
    async invite(ctx: TxContext, user: { id: string; name: string; email: string }) {
      const key = newToken();
      const { id: userId } = user;
      await links.deleteLinks(ctx.db, userId);
      const expiresAt = await links.insertLink(ctx.db, {
        keyHash: tokenHash(key),
        userId,
        purpose: 'invitation',
        minutes: INVITATION_DAYS * 24 * 60,
      });
      if (mail.isOn) await mail.enqueue(ctx.db, { purpose: 'invitation', userId, origin: ctx.origin });
      return { invitationPath: linkPath(key), expiresAt, mailed: mail.isOn };
    },

    /** Deletes the authenticator app and recovery codes of a user who lost them. Ends the user's sessions. */
    async resetTwoStep(ctx: TxContext, userId: string): Promise<void> {
      await twoStep.deleteTwoStep(ctx.db, userId);
      await twoStep.deleteRecoveryCodes(ctx.db, userId);
      await sessions.end(ctx, userId, 'account changed');
    },
  };
}

export type AccountAccess = ReturnType<typeof createAccountAccess>;
