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

/** A token is not used this long before its expiry, in milliseconds: it must outlive a message in flight. */
const SPARE_MS = 5 * 60_000;

const place = (userId: string) =>
  ({ table: 'email_settings', column: 'refresh_token', recordId: userId }) as const;

/**
 * Access tokens of connected mailboxes. A token is fetched for the first message and cached until it expires; each
 * instance fetches its own. A provider may accept a refresh token only once and return the next one.
 */
export function createAccessTokens({ secrets, providers }: { secrets: Secrets; providers: Providers }) {
  const cache = new Map<string, { savedAt: string | null; token: string; until: number }>();
  /** Tokens that are being fetched, by user and time of saving. */
  const fetching = new Map<string, Promise<string>>();

  /** Returns null when it was sealed with another key: the mailbox must be connected again. */
  const open = (row: PersonRow): string | null =>
    row.refresh_token === null ? null : secrets.open(row.refresh_token, place(row.id));

  function store(row: PersonRow, { accessToken: token, lifetime }: Tokens): string {
    cache.set(row.id, { savedAt: row.saved_at, token, until: Date.now() + lifetime * 1000 - SPARE_MS });
    return token;
  }

  /** Returns why a mailbox has no permission for the server that takes the mail now; null: it has. */
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
      // Another instance may have used it and stored the next one.
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

    /** Returns the most that the files of one message of this sender may have together. */
    maxFileBytes: (row: PersonRow): number =>
      providers[row.provider as MailProvider]?.graph === undefined
        ? MAX_ATTACHMENTS_BYTES
        : MAX_GRAPH_FILES_BYTES,

    /**
     * Returns the mailbox with a valid token, other than one that was refused. Throws SmtpFailure; a permanent one when
     * consent was withdrawn.
     */
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
      const fetched =
        fetching.get(key) ?? fetchToken(db, row, provider, refreshToken).finally(() => fetching.delete(key));
      fetching.set(key, fetched);
      return account(await fetched);
    },
  };
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;
