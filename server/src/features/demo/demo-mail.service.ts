import type { Answer } from '@forecourt/contract/api';
import type { KeptMessage } from '@forecourt/contract/demo';
import type { Actor } from '../../platform/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Context } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { EmailSettingsService } from '../email-settings/email-settings.service.ts';
import * as queries from './demo.queries.ts';
import type { DemoMail } from './mail-server.ts';

const START: Actor = { viewer: null, origin: { requestId: 'start', ip: '', userAgent: '' } };

/**
 * Gives everybody without a mail server of their own the demo's. It has another port and password after each start,
 * so those who had it before get it anew; who chose a server keeps that.
 */
export async function connectPeople(
  db: Db,
  settings: EmailSettingsService,
  { account }: DemoMail,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { id, email } of await queries.withoutOwnServer(tx, account.host, account.user)) {
      await settings.provide(tx, START, id, {
        smtpHost: account.host,
        smtpPort: account.port,
        smtpSecure: false,
        smtpUser: account.user,
        smtpPassword: account.password,
        smtpFromEmail: email,
      });
    }
  });
}

/** The mailbox of a demo, for everybody in it; undefined where there is no demo. */
export function createDemoMailService(mail: DemoMail | undefined) {
  const messages = () => {
    if (!mail) throw new AppError('NOT_FOUND');
    return mail.messages();
  };
  return {
    async about(ctx: Context): Promise<Answer<'GET /demo'>> {
      if (!mail) return { isDemo: false, hasTypedRow: false, hasSentEmail: false };
      return { isDemo: true, ...(await queries.triedBy(ctx.db, ctx.viewer.userId)) };
    },

    list(): Answer<'GET /demo/mailbox'> {
      const items = messages().map(headOf);
      return { items, total: items.length };
    },

    get(id: string): Answer<'GET /demo/mailbox/:id'> {
      const message = messages().find(({ _id }) => _id === id);
      if (!message) throw new AppError('NOT_FOUND');
      return message;
    },
  };
}

export type DemoMailService = ReturnType<typeof createDemoMailService>;

const headOf = ({ _id, from, to, cc, subject, receivedAt }: KeptMessage): KeptMessage => ({
  _id,
  from,
  to,
  cc,
  subject,
  receivedAt,
});
