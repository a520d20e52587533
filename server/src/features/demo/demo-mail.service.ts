import type { ResponseBody } from '@forecourt/contract/api';
import type { Db } from '../../platform/db/database.ts';
import type { Context } from '../../platform/http/context.ts';
import { AppError, requireFound } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { AT_START } from '../auth/setup.service.ts';
import type { EmailSettingsService } from '../email-settings/email-settings.service.ts';
import * as queries from './demo.queries.ts';
import type { DemoMail } from './mail-server.ts';

/**
 * Configures the demo's mail server for every user without a server of their own. Its port and password change at each
 * start, so users of the demo's server are configured again.
 */
export async function connectPeople(
  db: Db,
  settings: EmailSettingsService,
  { account }: DemoMail,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { id, email } of await queries.withoutOwnServer(tx, account.host, account.user)) {
      await settings.provide(tx, { viewer: null, origin: AT_START }, id, {
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

/** The mailbox of a demo, which all its users may read; undefined outside a demo. */
export function createDemoMailService(mail: DemoMail | undefined) {
  const messages = () => {
    if (!mail) throw new AppError('NOT_FOUND');
    return mail.messages();
  };
  return {
    async about(ctx: Context): Promise<ResponseBody<'GET /demo'>> {
      if (!mail) return { isDemo: false, hasTypedRow: false, hasSentEmail: false };
      return { isDemo: true, ...(await queries.actionsOf(ctx.db, ctx.viewer.userId)) };
    },

    list(): ResponseBody<'GET /demo/mailbox'> {
      return wholeList(messages().map(({ html: _html, text: _text, ...head }) => head));
    },

    get(id: string): ResponseBody<'GET /demo/mailbox/:id'> {
      const message = requireFound(messages().find(({ _id }) => _id === id));
      return message;
    },
  };
}

export type DemoMailService = ReturnType<typeof createDemoMailService>;
