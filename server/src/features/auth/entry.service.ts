import type { Tx } from '../../platform/db/database.ts';
import type { Context } from '../../platform/http/context.ts';
import { newToken, tokenHash } from '../../platform/ids.ts';
import { hashPassword } from '../../platform/passwords.ts';
import type { Sessions } from '../../platform/sessions.ts';
import * as queries from './auth.queries.ts';
import { linkPath, type LinkMail } from './link-mail.ts';
import * as links from './password-links.queries.ts';
import { readableSecret } from './readable-secret.ts';
import * as twoStep from './two-step.queries.ts';

const TEMPORARY_HOURS = 24;
const INVITATION_MINUTES = 7 * 24 * 60;

type Writing = Context & { db: Tx };

/**
 * How an administrator lets somebody in, for the first time or again (product.md section 7). Each acts in the
 * transaction of its caller, who has judged whether it may be and writes the audit entry.
 */
export function createEntryService({ sessions, mail }: { sessions: Sessions; mail: LinkMail }) {
  return {
    /** A password for 24 hours that opens nothing but choosing another one. Sessions and links end. */
    async giveTemporaryPassword(ctx: Writing, userId: string) {
      const temporaryPassword = readableSecret();
      const hash = await hashPassword(temporaryPassword);
      await queries.lockActiveUser(ctx.db, userId);
      await links.deleteLinks(ctx.db, userId);
      await queries.savePassword(ctx.db, userId, hash);
      const expiresAt = await queries.makeTemporary(ctx.db, userId, TEMPORARY_HOURS);
      await sessions.end(ctx, userId, 'account changed');
      return { temporaryPassword, expiresAt, mailed: false as const };
    },

    /** A link for 7 days to choose a password with, in place of older ones; also mailed where that is set up. */
    async invite(ctx: Writing, user: { id: string; name: string; email: string }) {
      const key = newToken();
      const { id: userId } = user;
      await links.deleteLinks(ctx.db, userId);
      const expiresAt = await links.insertLink(ctx.db, {
        keyHash: tokenHash(key),
        userId,
        purpose: 'invitation',
        minutes: INVITATION_MINUTES,
      });
      if (mail.isOn) await mail.enqueue(ctx.db, { purpose: 'invitation', userId, origin: ctx.origin });
      return { invitationPath: linkPath(key), expiresAt, mailed: mail.isOn };
    },

    /** Forgets the authenticator app and the recovery codes of somebody who lost them. Their sessions end. */
    async forgetTwoStep(ctx: Writing, userId: string): Promise<void> {
      await twoStep.deleteTwoStep(ctx.db, userId);
      await twoStep.deleteRecoveryCodes(ctx.db, userId);
      await sessions.end(ctx, userId, 'account changed');
    },
  };
}

export type EntryService = ReturnType<typeof createEntryService>;
