import { createHash } from 'node:crypto';
import type { Mailbox, MailProvider } from '@forecourt/contract/email-settings';
import { audit } from '../../platform/audit.ts';
import { linkBase, type Config } from '../../platform/config.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, requireFound } from '../../platform/http/errors.ts';
import { deliveryFailure, SmtpFailure } from '../../platform/mail/smtp-failure.ts';
import { tryMailbox } from '../../platform/mail/verify.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { enforceRateLimit } from '../../platform/rate-limit.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { AccessTokens } from './access-tokens.ts';
import { beginConsent, consentFailure, finishConsent } from './consent.ts';
import * as settings from './email-settings.queries.ts';
import { accountOf, type Providers } from './mail-providers.ts';
import * as queries from './mailbox.queries.ts';

type Parts = {
  secrets: Secrets;
  config: Config;
  outbound: Outbound;
  providers: Providers;
  tokens: AccessTokens;
};

/** Maximum connections that a user may start in ten minutes. */
const CONNECTIONS = 10;

const hashOf = (state: string) => createHash('sha256').update(state).digest();
/**
 * The encryption context of the verifier. It contains the hash of the state, which is stored, so that a rotation of the
 * key can re-encrypt it.
 */
const place = (state: string) =>
  ({
    table: 'mailbox_connections',
    column: 'verifier',
    recordId: hashOf(state).toString('hex'),
  }) as const;

/**
 * Connects the user's own mailbox by OAuth 2.0 (docs/product/email.md, Connected mailboxes). The browser carries the
 * request for consent and the callback.
 */
export function createMailboxService({ secrets, config, outbound, providers, tokens }: Parts) {
  /** The screen that the provider redirects to. It forwards the callback, signed in as the user. */
  const redirectUri = `${linkBase(config)}/settings/general`;

  function providerOf(name: MailProvider) {
    const provider = requireFound(providers[name]);
    return provider;
  }

  async function present(ctx: Context): Promise<Mailbox> {
    const row = await settings.findPerson(ctx.db, ctx.viewer.userId);
    const provider = row?.provider as MailProvider | null;
    return {
      providers: Object.keys(providers) as MailProvider[],
      connected: row && provider ? { provider, address: row.smtp_user! } : null,
      problem: row ? (row.pause_reason ?? tokens.outdated(row)) : null,
    };
  }

  return {
    get: present,

    /** Returns the provider's URL for consent, valid for ten minutes. */
    async connect(ctx: Context, { provider, address }: { provider: MailProvider; address: string }) {
      const subject = `mailbox:${ctx.viewer.userId}`;
      await enforceRateLimit(ctx, { subject, times: CONNECTIONS, seconds: 600 });
      const authorisation = await beginConsent(providerOf(provider), redirectUri, address);
      await queries.insertConnection(ctx.db, {
        state_hash: hashOf(authorisation.state),
        user_id: ctx.viewer.userId,
        provider,
        address,
        verifier: secrets.seal(authorisation.verifier, place(authorisation.state)),
      });
      return { url: authorisation.url };
    },

    /**
     * Replaces the user's mail settings by the mailbox, after a successful sign-in to its server. Throws LINK_INVALID
     * if the authorisation belongs to another user, was already used or is older than ten minutes; MAIL_SERVER_REFUSED
     * if the sign-in fails or the provider returned an error.
     */
    async finish(
      ctx: Context,
      { code, state, error = '' }: { code?: string | undefined; state: string; error?: string | undefined },
    ): Promise<Mailbox> {
      const { userId } = ctx.viewer;
      const connection = await queries.takeConnection(ctx.db, hashOf(state), userId);
      const verifier = connection && secrets.open(connection.verifier, place(state));
      if (!connection || !verifier) throw new AppError('LINK_INVALID');
      const { address } = connection;
      if (code === undefined) return throwRefused(consentFailure(error));
      const provider = providerOf(connection.provider as MailProvider);
      const got = await finishConsent(provider, redirectUri, { code, state, verifier }).catch(throwRefused);
      if (got.refreshToken === undefined)
        throw new AppError('MAIL_SERVER_REFUSED', { details: NO_LASTING_ACCESS });
      const { refreshToken, accessToken } = got;
      await tryMailbox(outbound, accountOf(provider, address)(accessToken)).catch(throwRefused);
      return inTransaction(ctx, async (inner) => {
        const row = (await settings.lockPerson(inner.db, userId))!;
        await settings.saveSettings(inner.db, userId, {
          smtp_host: provider.server.host,
          smtp_port: provider.server.port,
          smtp_secure: provider.server.secure,
          smtp_user: address,
          smtp_password: null,
          smtp_from_email: address,
          provider: connection.provider as MailProvider,
          refresh_token: tokens.seal(userId, refreshToken),
          last_verified: await settings.databaseTime(inner.db),
        });
        const action = row.version === null ? 'email-settings.created' : 'email-settings.updated';
        await audit(inner, action, userId, {
          version: (row.version ?? 0) + 1,
          after: { provider: connection.provider, smtpUser: address },
        });
        return present(inner);
      });
    },

    async disconnect(ctx: Context): Promise<undefined> {
      const { userId } = ctx.viewer;
      await inTransaction(ctx, async (inner) => {
        const row = await settings.lockPerson(inner.db, userId);
        if (!row?.provider) throw new AppError('NOT_FOUND');
        await settings.deleteSettings(inner.db, userId);
        await audit(inner, 'email-settings.deleted', userId, {
          before: { provider: row.provider, smtpUser: row.smtp_user },
        });
      });
    },
  };
}

const NO_LASTING_ACCESS =
  'The provider gave access for now only. Connect again and consent to lasting access.';

export function throwRefused(error: unknown): never {
  const failure = error instanceof SmtpFailure ? error : deliveryFailure(error);
  throw new AppError('MAIL_SERVER_REFUSED', { details: failure.message, errors: { step: failure.step } });
}
