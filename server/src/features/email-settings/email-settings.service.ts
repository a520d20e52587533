import type { Role } from '@forecourt/contract/auth';
import {
  DEFAULT_SMTP_PORT,
  type EmailSettings,
  type EmailSettingsInput,
  type MailProvider,
} from '@forecourt/contract/email-settings';
import { audit, type Actor } from '../../platform/audit.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, invalidField, requireFound } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import type { MailAccount, PasswordAccount } from '../../platform/mail/smtp-account.ts';
import { tryMailbox, verifyAccount } from '../../platform/mail/verify.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { enforceRateLimit } from '../../platform/rate-limit.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { createAccessTokens } from './access-tokens.ts';
import * as queries from './email-settings.queries.ts';
import { registeredProviders, type Providers } from './mail-providers.ts';
import { createMailboxService, throwRefused } from './mailbox.service.ts';

/** Maximum connection tests of a user per minute. */
const TESTS = 10;

/** A user's mail account, as the delivery uses it. */
export type SenderAccount = {
  /**
   * Returns the account with decrypted credentials and a token other than `refusedToken`. Throws SmtpFailure if a
   * connected mailbox denies access.
   */
  open(refusedToken?: string): Promise<MailAccount>;
  fromAddress: string;
  /** Maximum total bytes of the files of a message. */
  maxFileBytes: number;
  /** The mail of deactivated users is not sent. */
  isActive: boolean;
  savedAt: string;
  /** Why the queue is paused; null if it is not. */
  pausedBecause: string | null;
};

type Parts = { secrets: Secrets; config: Config; providers?: Providers };

type WithPassword = EmailSettingsInput & { smtpPassword: string };
type Written = { input: EmailSettingsInput; password: string; lastVerified: string | null };

const place = (userId: string) =>
  ({ table: 'email_settings', column: 'smtp_password', recordId: userId }) as const;

/**
 * Called when the key is rotated. Unsaved settings that passed a test must be tested again: their fingerprint depends
 * on a password that is not stored.
 */
export const { forgetPassedTests } = queries;

/**
 * Mail servers of users (docs/product/email.md, Mail servers of people). Passwords are write-only: they are encrypted
 * in the database and appear in no response, log or audit entry.
 */
export function createEmailSettingsService({
  secrets,
  config,
  providers = registeredProviders(config),
}: Parts) {
  const outbound = createOutbound(config);
  const tokens = createAccessTokens({ secrets, providers });
  const passwordOf = (row: queries.PersonRow) =>
    row.smtp_password === null ? null : secrets.open(row.smtp_password, place(row.id));

  const present = (row: queries.PersonRow): EmailSettings => ({
    userId: row.id,
    name: row.name,
    email: row.email,
    role: row.role as Role,
    smtpHost: row.smtp_host ?? '',
    smtpPort: row.smtp_port ?? DEFAULT_SMTP_PORT,
    smtpSecure: row.smtp_secure ?? false,
    smtpUser: row.smtp_user ?? '',
    smtpFromEmail: row.smtp_from_email ?? '',
    provider: row.provider as MailProvider | null,
    hasSettings: row.version !== null,
    isConfigured: passwordOf(row) !== null || tokens.open(row) !== null,
    lastVerified: row.last_verified,
    version: row.version,
  });

  /**
   * Returns the entered password, or the stored one if the server is the same (docs/product/security.md, Stored
   * passwords stay with their server).
   */
  function passwordFor(row: queries.PersonRow, input: EmailSettingsInput): string {
    if (input.smtpPassword !== undefined) return input.smtpPassword;
    const stored = passwordOf(row);
    if (stored === null) throw invalidField('smtpPassword', 'SMTP password is required');
    if (!isSameServer(row, input)) {
      throw invalidField('smtpPassword', 'Enter the password again: host, port, username or TLS has changed');
    }
    return stored;
  }

  async function write(
    tx: Tx,
    actor: Actor,
    row: queries.PersonRow,
    { input, password, lastVerified }: Written,
  ) {
    await queries.saveSettings(tx, row.id, {
      smtp_host: input.smtpHost,
      smtp_port: input.smtpPort,
      smtp_secure: input.smtpSecure,
      smtp_user: input.smtpUser,
      smtp_password: secrets.seal(password, place(row.id)),
      smtp_from_email: input.smtpFromEmail,
      provider: null,
      refresh_token: null,
      last_verified: lastVerified,
    });
    const after = await load({ db: tx }, row.id);
    const action = row.version === null ? 'email-settings.created' : 'email-settings.updated';
    await audit({ ...actor, db: tx }, action, row.id, {
      version: after.version,
      before: row.version === null ? null : auditedFields(present(row)),
      after: { ...auditedFields(present(after)), passwordChanged: input.smtpPassword !== undefined },
    });
    return after;
  }

  /** Identifies settings that were tested before they are saved. */
  const fingerprint = (userId: string, input: EmailSettingsInput, password: string) =>
    secrets.fingerprint(JSON.stringify([accountOf(input, password), input.smtpFromEmail]), place(userId));

  return {
    mailbox: createMailboxService({ secrets, config, outbound, providers, tokens }),

    get: async (ctx: Context, userId: string): Promise<EmailSettings> => present(await load(ctx, userId)),

    listUsers: async (ctx: Context): Promise<{ items: EmailSettings[]; total: number }> =>
      wholeList((await queries.listPeople(ctx.db)).map(present)),

    /**
     * Does not save unchanged settings. New settings resume a paused queue. Throws CONFLICT with the current settings
     * if `version` is outdated.
     */
    async save(ctx: Context, userId: string, input: EmailSettingsInput): Promise<EmailSettings> {
      return inTransaction(ctx, async (inner) => {
        const row = requireFound(await queries.lockPerson(inner.db, userId));
        if (input.version !== undefined && input.version !== row.version) {
          throw new AppError('CONFLICT', { current: present(row) });
        }
        const password = passwordFor(row, input);
        if (isUnchanged(row, input)) return present(row);
        const tried = fingerprint(userId, input, password);
        const lastVerified = await queries.passedAt(inner.db, ctx.viewer.userId, tried);
        return present(await write(inner.db, ctx, row, { input, password, lastVerified }));
      });
    },

    /** Configures the mail server of a demo, which this program runs itself. */
    async provide(tx: Tx, actor: Actor, userId: string, input: WithPassword): Promise<void> {
      const row = await queries.lockPerson(tx, userId);
      if (row) await write(tx, actor, row, { input, password: input.smtpPassword, lastVerified: null });
    },

    async remove(ctx: Context, userId: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const row = await queries.lockPerson(inner.db, userId);
        if (!row || !(await queries.deleteSettings(inner.db, userId))) throw new AppError('NOT_FOUND');
        await audit(inner, 'email-settings.deleted', userId, { before: auditedFields(present(row)) });
      });
    },

    /**
     * Tests settings, saved or not, for at most 10 s. Throws MAIL_SERVER_REFUSED with the failed step in `errors.step`
     * and a message of this program. Settings that pass are marked as verified, or will be if they are saved within the
     * hour.
     */
    async verify(ctx: Context, userId: string, input: EmailSettingsInput) {
      const row = await load(ctx, userId);
      await enforceRateLimit(ctx, { subject: `email-test:${ctx.viewer.userId}`, times: TESTS, seconds: 60 });
      const isConnected = row.provider !== null && isUnchanged(row, input);
      const password = isConnected ? null : passwordFor(row, input);
      if (password === null) {
        await tokens
          .accountOf(ctx.db, row)
          .then((account) => tryMailbox(outbound, account))
          .catch(throwRefused);
      } else {
        await verifyAccount(outbound, accountOf(input, password), input.smtpFromEmail).catch(throwRefused);
      }
      const isSaved =
        isConnected ||
        (isSameServer(row, input) &&
          row.smtp_from_email === input.smtpFromEmail &&
          passwordOf(row) === password);
      if (isSaved) {
        await inTransaction(ctx, async (inner) => {
          if (!(await queries.markVerified(inner.db, userId, row.saved_at!))) return;
          await audit(inner, 'email-settings.verified', userId, { version: row.version });
        });
      } else {
        await queries.recordPassedTest(ctx.db, ctx.viewer.userId, fingerprint(userId, input, password!));
      }
      return {
        message: 'SMTP connection verified successfully',
        details: `${input.smtpHost} accepts mail from ${input.smtpFromEmail}.`,
        lastVerified: await queries.databaseTime(ctx.db),
      };
    },

    /** Returns undefined if the user has no usable settings. */
    async senderAccount(db: Db | Tx, userId: string): Promise<SenderAccount | undefined> {
      const row = await queries.findPerson(db, userId);
      if (!row || !present(row).isConfigured) return undefined;
      const password = passwordOf(row);
      return {
        open: async (refusedToken) =>
          password === null ? tokens.accountOf(db, row, refusedToken) : accountOf(present(row), password),
        maxFileBytes: tokens.maxFileBytes(row),
        fromAddress: row.smtp_from_email!,
        isActive: row.is_active,
        savedAt: row.saved_at!,
        pausedBecause: row.pause_reason ?? tokens.outdated(row),
      };
    },

    /** Pauses a user's mail because the server rejected the sign-in, until the settings are saved or verified again. */
    async pause(tx: Tx, actor: Actor, userId: string, savedAt: string, because: string): Promise<void> {
      const version = await queries.pause(tx, userId, savedAt, because);
      if (version === undefined) return;
      const after = { pausedBecause: because };
      await audit({ ...actor, db: tx }, 'email-settings.paused', userId, { version, after });
    },
  };
}

export type EmailSettingsService = ReturnType<typeof createEmailSettingsService>;

const load = async (ctx: { db: Db | Tx }, userId: string): Promise<queries.PersonRow> =>
  requireFound(await queries.findPerson(ctx.db, userId));

type ServerFields = Pick<EmailSettingsInput, 'smtpHost' | 'smtpPort' | 'smtpUser' | 'smtpSecure'>;

const isSameServer = (row: queries.PersonRow, input: ServerFields): boolean =>
  row.smtp_host === input.smtpHost &&
  row.smtp_port === input.smtpPort &&
  row.smtp_user === input.smtpUser &&
  row.smtp_secure === input.smtpSecure;

const isUnchanged = (row: queries.PersonRow, input: EmailSettingsInput): boolean =>
  input.smtpPassword === undefined && isSameServer(row, input) && row.smtp_from_email === input.smtpFromEmail;

const accountOf = (input: ServerFields, password: string): PasswordAccount => ({
  host: input.smtpHost,
  port: input.smtpPort,
  secure: input.smtpSecure,
  user: input.smtpUser,
  password,
});

const auditedFields = ({ smtpHost, smtpPort, smtpSecure, smtpUser, smtpFromEmail }: EmailSettings) => ({
  smtpHost,
  smtpPort,
  smtpSecure,
  smtpUser,
  smtpFromEmail,
});
