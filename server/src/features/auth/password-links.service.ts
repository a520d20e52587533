import { audit } from '../../platform/audit.ts';
import { countCall, type CallLimit } from '../../platform/counted-calls.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { tokenHash } from '../../platform/ids.ts';
import { hashPassword } from '../../platform/passwords.ts';
import type { Sessions } from '../../platform/sessions.ts';
import { passwordProblem } from './auth.policy.ts';
import * as auth from './auth.queries.ts';
import type { LinkMail } from './link-mail.ts';
import * as queries from './password-links.queries.ts';

const HOUR = 3600;
const REQUESTS_PER_EMAIL = 5;
/** One office shares an address of the network. */
const REQUESTS_PER_IP = 30;

const ON_ITS_WAY = {
  message:
    'If there is an account with this email, a link to choose a new password is on its way. It works for 30 minutes.',
};
const NO_MAIL = 'This server sends no mail of its own. Ask an administrator for a new password.';

type AnyContext = Context<Viewer | null>;

/** Links to choose a password with, for who forgot it and who is invited (product.md section 7, security.md A8). */
export function createPasswordLinksService({ sessions, mail }: { sessions: Sessions; mail: LinkMail }) {
  return {
    /** Whether reset links can be mailed at all. */
    areMailed: mail.isOn,

    /**
     * Answers the same, in the same time, whether there is such an account or not: a worker looks that up. An
     * address that was asked for too often gets no further mail, and that is not told either.
     */
    async request(ctx: AnyContext, input: { email: string }): Promise<{ message: string }> {
      if (!mail.isOn) throw new AppError('INVALID_REQUEST', { message: NO_MAIL });
      const email = input.email.trim();
      const { origin } = ctx;
      await inTransaction(ctx, async (inner) => {
        const { db } = inner;
        await countCall(inner, { subject: `reset-from:${origin.ip}`, times: REQUESTS_PER_IP, seconds: HOUR });
        const subject = `reset:${await auth.lowerCase(db, email)}`;
        if (!(await hasRoom(inner, { subject, times: REQUESTS_PER_EMAIL, seconds: HOUR }))) return;
        await mail.enqueue(db, { purpose: 'reset', email, origin });
        await audit(
          db,
          { viewer: null, origin },
          { action: 'password-link.requested', entity: 'session', recordId: null, after: { email } },
        );
      });
      return ON_ITS_WAY;
    },

    /**
     * Sets the password of who holds the key of a link. It signs nobody in: two-step sign-in stays in force.
     * Throws LINK_INVALID when the key is unknown, used or too old.
     */
    async choosePassword(ctx: AnyContext, input: { key: string; newPassword: string }): Promise<undefined> {
      const keyHash = tokenHash(input.key);
      const person = await queries.findPersonOfLink(ctx.db, keyHash);
      if (!person) throw new AppError('LINK_INVALID');
      const problem = passwordProblem(input.newPassword, person);
      if (problem) throw invalidField('newPassword', problem);
      const hash = await hashPassword(input.newPassword);
      await inTransaction(ctx, async (inner) => {
        const { db, origin } = inner;
        // The person is locked first, as everywhere: of two with the same key one waits here and finds it gone.
        const isActive = await auth.lockActiveUser(db, person.id);
        if (!isActive || !(await queries.findPersonOfLink(db, keyHash))) throw new AppError('LINK_INVALID');
        await queries.deleteLinks(db, person.id);
        await auth.savePassword(db, person.id, hash);
        await sessions.end(inner, person.id, 'password changed');
        await audit(
          db,
          { viewer: { userId: person.id, name: person.name }, origin },
          {
            action: 'user.updated',
            entity: 'user',
            recordId: person.id,
            after: { password: 'chosen by link' },
          },
        );
      });
    },
  };
}

export type PasswordLinksService = ReturnType<typeof createPasswordLinksService>;

/** Counts a call; false where there were enough of them already. */
async function hasRoom(ctx: AnyContext, limit: CallLimit): Promise<boolean> {
  try {
    await countCall(ctx, limit);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'TOO_MANY_REQUESTS') return false;
    throw error;
  }
}
