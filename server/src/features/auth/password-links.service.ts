import { audit } from '../../platform/audit.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { tokenHash } from '../../platform/ids.ts';
import { hashPassword } from '../../platform/passwords.ts';
import { countCall, enforceRateLimit } from '../../platform/rate-limit.ts';
import type { Sessions } from '../../platform/sessions.ts';
import { passwordProblem } from './auth.policy.ts';
import * as auth from './auth.queries.ts';
import { RESET_MINUTES, type LinkMail } from './link-mail.ts';
import * as queries from './password-links.queries.ts';

const HOUR = 3600;
const REQUESTS_PER_EMAIL = 5;
/** Requests per IP address, which an office shares. */
const REQUESTS_PER_IP = 30;

const ON_ITS_WAY = {
  message: `If there is an account with this email, a link to choose a new password is on its way. It works for ${RESET_MINUTES} minutes.`,
};
const NO_MAIL = 'This server does not send email. Ask an administrator for a new password.';

type AnyContext = Context<Viewer | null>;

/**
 * Links to choose a password, after forgetting it or by invitation (docs/product/people-and-permissions.md, Reset
 * links; docs/product/security.md, Links use the configured address).
 */
export function createPasswordLinksService({ sessions, mail }: { sessions: Sessions; mail: LinkMail }) {
  return {
    /** Whether reset links can be mailed. */
    areMailed: mail.isOn,

    /**
     * Returns the same response at the same speed whether or not the account exists: a worker looks it up. An address
     * that was requested too often gets no further mail, and the response does not reveal that either.
     */
    async request(ctx: AnyContext, input: { email: string }): Promise<{ message: string }> {
      if (!mail.isOn) throw new AppError('INVALID_REQUEST', { message: NO_MAIL });
      const email = input.email.trim();
      const { origin } = ctx;
      await inTransaction(ctx, async (inner) => {
        const { db } = inner;
        await enforceRateLimit(inner, {
          subject: `reset-from:${origin.ip}`,
          times: REQUESTS_PER_IP,
          seconds: HOUR,
        });
        const subject = `reset:${await auth.lowerCase(db, email)}`;
        const limit = { subject, times: REQUESTS_PER_EMAIL, seconds: HOUR };
        if ((await countCall(inner, limit)) !== null) return;
        await mail.enqueue(db, { purpose: 'reset', email, origin });
        const entry = { entity: 'session', after: { email } } as const;
        await audit({ db, origin, viewer: null }, 'password-link.requested', null, entry);
      });
      return ON_ITS_WAY;
    },

    /**
     * Sets the password of the user to whom the key of a link belongs. Does not sign in, so two-step sign-in stays in
     * force. Throws LINK_INVALID if the key is unknown, used or expired.
     */
    async choosePassword(ctx: AnyContext, input: { key: string; newPassword: string }): Promise<undefined> {
      const keyHash = tokenHash(input.key);
      const person = await queries.findUserOfLink(ctx.db, keyHash);
      if (!person) throw new AppError('LINK_INVALID');
      const problem = passwordProblem(input.newPassword, person);
      if (problem) throw invalidField('newPassword', problem);
      const hash = await hashPassword(input.newPassword);
      await inTransaction(ctx, async (inner) => {
        const { db, origin } = inner;
        // Locks the user first, as everywhere: of two requests with one key the second then finds the key used.
        const isActive = await auth.lockActiveUser(db, person.id);
        if (!isActive || !(await queries.findUserOfLink(db, keyHash))) throw new AppError('LINK_INVALID');
        await queries.deleteLinks(db, person.id);
        await auth.savePassword(db, person.id, hash);
        await sessions.end(inner, person.id, 'password changed');
        const actor = { db, origin, viewer: { userId: person.id, name: person.name } };
        await audit(actor, 'user.updated', person.id, { after: { password: 'chosen by link' } });
      });
    },
  };
}

export type PasswordLinksService = ReturnType<typeof createPasswordLinksService>;
