import { MAX_ATTACHMENTS_BYTES } from '@forecourt/contract/attachment-limits';
import type { MailProvider } from '@forecourt/contract/email-settings';
import type { Db, Tx } from '../../platform/db/database.ts';
import { MAX_GRAPH_FILES_BYTES } from '../../platform/mail/graph.ts';
import type { MailAccount } from '../../platform/mail/smtp-account.ts';
import { SmtpFailure } from '../../platform/mail/smtp-failure.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { refreshTokens, type Tokens } from './consent.ts';
import { findPerson, type PersonRow } from './email-settings.queries.ts';
import { accountOf, type Provider, type Providers } from './mail-providers.ts';
import { replaceRefreshToken } from './mailbox.queries.ts';

/** A token is refreshed this long before its expiry, in milliseconds: it must not expire while a message is sent. */
const SPARE_MS = 5 * 60_000;

const place = (userId: string) =>
  ({ table: 'email_settings', column: 'refresh_token', recordId: userId }) as const;

/**
 * Access tokens of connected mailboxes. A token is fetched when a message is first sent and cached until it expires;
 * each instance has its own. Some providers rotate the refresh token with every use.
 */
export function createAccessTokens({ secrets, providers }: { secrets: Secrets; providers: Providers }) {
  const cache = new Map<string, { savedAt: string | null; token: string; until: number }>();
  /** Tokens being fetched, by user and by the time when the settings were saved. */
  const fetching = new Map<string, Promise<string>>();

  /** Returns null if the token was encrypted with another key: the user must connect the mailbox again. */
  const open = (row: PersonRow): string | null =>
    row.refresh_token === null ? null : secrets.open(row.refresh_token, place(row.id));

  function store(row: PersonRow, { accessToken: token, lifetime }: Tokens): string {
    cache.set(row.id, { savedAt: row.saved_at, token, until: Date.now() + lifetime * 1000 - SPARE_MS });
    return token;
  }

  /** Returns why the mailbox has no permission for the provider's current mail server; null if it has. */
  function outdated(row: PersonRow): string | null {
    const provider = providers[row.provider as MailProvider];
    if (!provider || (row.smtp_host === provider.server.host && row.smtp_port === provider.server.port))
      return null;
    return `${provider.name} takes mail another way now (${provider.graph ? 'Microsoft Graph' : 'SMTP'}), for which this mailbox has no permission. Connect it again in General Settings.`;
  }

  const seal = (userId: string, refreshToken: string) => secrets.seal(refreshToken, place(userId));

  async function fetchToken(
    db: Db | Tx,
    row: PersonRow,
    provider: Provider,
    refreshToken: string,
  ): Promise<string> {
    try {
      const tokens = await refreshTokens(provider, refreshToken);
      if (tokens.refreshToken !== undefined && tokens.refreshToken !== refreshToken) {
        await replaceRefreshToken(db, row, seal(row.id, tokens.refreshToken));
      }
      return store(row, tokens);
    } catch (error) {
      // Another instance may have used the refresh token and stored the next one.
      const current = await findPerson(db, row.id);
      const next = current && current.saved_at === row.saved_at ? open(current) : null;
      if (next === null || next === refreshToken) throw error;
      return fetchToken(db, row, provider, next);
    }
  }

  return {
    seal,
    open,
    outdated,

    /** Maximum total bytes of the files of a message from this sender. */
    maxFileBytes: (row: PersonRow): number =>
      providers[row.provider as MailProvider]?.graph === undefined
        ? MAX_ATTACHMENTS_BYTES
        : MAX_GRAPH_FILES_BYTES,

    /** Returns the account without `refusedToken`. Throws SmtpFailure, permanent if consent was withdrawn. */
    async accountOf(db: Db | Tx, row: PersonRow, refusedToken?: string): Promise<MailAccount> {
      const provider = providers[row.provider as MailProvider];
      const refreshToken = open(row);
      if (!provider || refreshToken === null) {
        throw new SmtpFailure('signIn', true, 'The mailbox is not connected any more. Connect it again.');
      }
      const problem = outdated(row);
      if (problem !== null) throw new SmtpFailure('signIn', true, problem);
      const cached = cache.get(row.id);
      const account = accountOf(provider, row.smtp_user!);
      if (
        cached &&
        cached.savedAt === row.saved_at &&
        cached.until > Date.now() &&
        cached.token !== refusedToken
      ) {
        return account(cached.token);
      }
      const key = `${row.id} ${row.saved_at}`;
      const fetched = fetching.getOrInsertComputed(key, () =>
        fetchToken(db, row, provider, refreshToken).finally(() => fetching.delete(key)),
      );
      return account(await fetched);
    },
  };
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;
