import { isDeepStrictEqual } from 'node:util';
import type { SshSettings, SshSettingsInput, SshSettingsTest } from '@forecourt/contract/backups';
import { SYSTEM, type Actor } from '../../platform/audit.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, invalid, invalidField } from '../../platform/http/errors.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import { enforceRateLimit } from '../../platform/rate-limit.ts';
import type { Rotation } from '../../platform/reseal.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { auditSettings } from './backup-audit.ts';
import type { CopyServer, Destination } from './copy-destination.ts';
import { SSH_MESSAGES, SshFailure, type HostKey } from './ssh-failure.ts';
import { checkWritable, createRemoteFolder, createSshCopySession } from './ssh-files.ts';
import { isReadableKey, openSshSession, type SshAccount, type SshSession } from './ssh-session.ts';
import { isSameServer, missingIn, secretsFor, type SshSecrets } from './ssh-settings.policy.ts';
import * as queries from './ssh-settings.queries.ts';

/** The timeout of a whole test, so that the request responds within 12 s (docs/product/api.md, Long work). */
const TEST_MS = 10_000;

/** The prefix of copies if the installation has no name. */
const DEFAULT_SERVER_NAME = 'forecourt';

type ConnectOptions = {
  /** The fingerprint of a host key to accept instead of the pinned one. */
  accepted?: string | undefined;
  pin: (key: HostKey) => Promise<void>;
  signal: AbortSignal;
};

const place = <C extends string>(column: C) =>
  ({ table: 'backup_settings', column, recordId: 'ssh' }) as const;

type SecretColumn = 'ssh_private_key' | 'ssh_passphrase' | 'ssh_password';

/**
 * The settings of remote copies (docs/product/backups.md, SSH settings). Secrets are write-only: they are encrypted in
 * the database and appear in no response, log or audit entry. The host key of the first connection is pinned.
 */
export function createSshSettingsService({ secrets, config }: { secrets: Secrets; config: Config }) {
  const outbound = createOutbound(config);

  const seal = (column: SecretColumn, plain: string | undefined) =>
    plain === undefined ? null : secrets.seal(plain, place(column));
  const storedSecrets = (row: queries.SettingsRow) => openSecrets(secrets, row);
  const fingerprint = (input: SshSettingsInput, own: SshSecrets) => fingerprintOf(secrets, input, own);

  async function present(db: Db | Tx, row: queries.SettingsRow): Promise<SshSettings> {
    const own = storedSecrets(row);
    const settings = fieldsOf(row);
    return {
      ...settings,
      hasPrivateKey: own.privateKey !== undefined,
      hasPassphrase: own.passphrase !== undefined,
      hasPassword: own.password !== undefined,
      hostKey: await queries.findHostKey(db, settings.host, settings.port),
      lastVerified: row.ssh_verified === fingerprint(settings, own) ? row.ssh_verified_at : null,
      version: row.ssh_version,
    };
  }

  /** Returns the secrets for these settings. If `isUsed`, throws INVALID_REQUEST if one is missing or unreadable. */
  function resolve(row: queries.SettingsRow, input: SshSettingsInput, isUsed: boolean): SshSecrets {
    const stored = storedSecrets(row);
    const isSame = isSameServer(fieldsOf(row), input);
    const own = secretsFor(input, stored, isSame);
    const hadSecret = !isSame && stored[input.authMethod] !== undefined;
    const missing = isUsed ? missingIn(input, own, hadSecret) : [];
    if (missing.length > 0) throw invalid(missing);
    if (isUsed && own.privateKey !== undefined && !isReadableKey(own.privateKey, own.passphrase))
      throw invalidField('privateKey', SSH_MESSAGES.keyUnreadable);
    return own;
  }

  /** Opens a session if the host key is pinned, new, or accepted. A new key is pinned after a successful sign-in. */
  async function connect(
    db: Db | Tx,
    account: SshAccount,
    { accepted, pin, signal }: ConnectOptions,
  ): Promise<SshSession> {
    const pinned = await queries.findHostKey(db, account.host, account.port);
    const isExpected = ({ fingerprint: presented }: HostKey) =>
      pinned === null || presented === pinned || presented === accepted;
    const session = await openSshSession({ outbound, account, isExpected, signal });
    try {
      if (session.hostKey.fingerprint !== pinned) await pin(session.hostKey);
      return session;
    } catch (error) {
      session[Symbol.dispose]();
      throw error;
    }
  }

  /** Returns the server of the settings, even if copying is off, and whether they are complete. */
  function serverOf(db: Db, row: queries.SettingsRow): CopyServer & { isComplete: boolean } {
    const own = storedSecrets(row);
    const settings = fieldsOf(row);
    const isComplete = missingIn(settings, own, false).length === 0;
    const account = accountOf(settings, own);
    const pin = (key: HostKey) => db.transaction().execute((tx) => pinHostKey(tx, SYSTEM, account, key));
    return {
      isComplete,
      async open(signal) {
        if (!isComplete) throw new SshFailure('signIn', SSH_MESSAGES.noSecret);
        return createSshCopySession(await connect(db, account, { pin, signal }));
      },
      remotePath: settings.remotePath,
      remoteName: (name) => `${settings.serverName || DEFAULT_SERVER_NAME}_${name}`,
    };
  }

  const destination: Destination = {
    name: 'ssh',
    async copyPlan(db) {
      const row = await queries.findSettings(db);
      if (row.ssh_enabled_at === null) return undefined;
      return { ...serverOf(db, row), keepLocalCopies: row.ssh_keep_local_copies, since: row.ssh_enabled_at };
    },
    async copyServer(db) {
      const server = serverOf(db, await queries.findSettings(db));
      return server.isComplete ? server : undefined;
    },
  };

  return {
    get: async (ctx: Context): Promise<SshSettings> => present(ctx.db, await queries.findSettings(ctx.db)),

    /** Does not save unchanged settings. Throws CONFLICT with the current settings if `version` is outdated. */
    save: (ctx: Context, { version, ...input }: SshSettingsInput): Promise<SshSettings> =>
      inTransaction(ctx, async (inner) => {
        const row = await queries.lockSettings(inner.db);
        const before = await present(inner.db, row);
        if (version !== undefined && version !== before.version) {
          throw new AppError('CONFLICT', { current: before });
        }
        const own = resolve(row, input, input.enabled);
        const { privateKey, passphrase, password, ...fields } = input;
        const typedAnew = Object.entries({ privateKey, passphrase, password }).flatMap(([name, text]) =>
          text ? [name] : [],
        );
        if (typedAnew.length === 0 && isDeepStrictEqual(fields, fieldsOf(row))) return before;
        await queries.saveSettings(
          inner.db,
          {
            ssh_host: input.host,
            ssh_port: input.port,
            ssh_username: input.username,
            ssh_auth_method: input.authMethod,
            ssh_private_key: seal('ssh_private_key', own.privateKey),
            ssh_passphrase: seal('ssh_passphrase', own.passphrase),
            ssh_password: seal('ssh_password', own.password),
            ssh_remote_path: input.remotePath,
            ssh_keep_local_copies: input.keepLocalCopies,
            ssh_connection_timeout: input.connectionTimeout,
            ssh_server_name: input.serverName,
          },
          input.enabled,
        );
        const after = await present(inner.db, await queries.findSettings(inner.db));
        await auditSettings(inner.db, ctx, 'backup-settings.updated', {
          before: auditedFields(before),
          after: { ...auditedFields(after), typedAnew },
        });
        return after;
      }),

    /**
     * Tests settings, saved or not, for at most 10 s: connects, creates the folder if necessary, writes a small file
     * and deletes it. Throws SSH_SERVER_REFUSED with the failed step in `errors.step`, and with the presented key in
     * `errors.hostKey` if it is not the pinned one.
     */
    async test(ctx: Context, input: SshSettingsTest) {
      const row = await queries.findSettings(ctx.db);
      const own = resolve(row, input, true);
      await enforceRateLimit(ctx, { subject: `ssh-test:${ctx.viewer.userId}`, times: 10, seconds: 60 });
      const signal = AbortSignal.timeout(TEST_MS);
      const account = accountOf(input, own);
      const pin = (key: HostKey) => inTransaction(ctx, (inner) => pinHostKey(inner.db, ctx, account, key));
      const accepted = input.acceptHostKey;
      using session = await connect(ctx.db, account, { accepted, pin, signal }).catch(refuse);
      try {
        const isNew = await createRemoteFolder(session, input.remotePath);
        await checkWritable(session, input.remotePath);
        await inTransaction(ctx, async (inner) => {
          await queries.recordVerified(inner.db, fingerprint(input, own));
          await auditSettings(inner.db, ctx, 'backup-settings.verified', {
            after: { host: input.host, port: input.port, hostKey: session.hostKey.fingerprint },
          });
        });
        const made = isNew ? ` The folder ${input.remotePath} was made.` : '';
        return {
          message: 'SSH connection verified successfully',
          details: `${input.host} takes copies of backups into ${input.remotePath}.${made}`,
          hostKey: session.hostKey.fingerprint,
        };
      } catch (failure) {
        return refuse(failure);
      }
    },

    destination,
  };
}

export type SshSettingsService = ReturnType<typeof createSshSettingsService>;

function openSecrets(secrets: Secrets, row: queries.SettingsRow): SshSecrets {
  const open = (column: SecretColumn) =>
    (row[column] === null ? null : secrets.open(row[column], place(column))) ?? undefined;
  return {
    privateKey: open('ssh_private_key'),
    passphrase: open('ssh_passphrase'),
    password: open('ssh_password'),
  };
}

/** Returns a fingerprint by which settings that passed a test are recognised when they are saved later. */
const fingerprintOf = (secrets: Secrets, input: SshSettingsInput, own: SshSecrets): string =>
  secrets.fingerprint(JSON.stringify([accountOf(input, own), input.remotePath]), place('ssh_verified'));

/**
 * Renews the fingerprint before the secrets are re-encrypted. Settings that passed a test but are not saved must be
 * tested again, because their secrets are not stored.
 */
export async function renewSshFingerprint({ tx, from, to }: Rotation): Promise<void> {
  const row = await queries.lockSettings(tx);
  const fingerprintBy = (secrets: Secrets) => fingerprintOf(secrets, fieldsOf(row), openSecrets(from, row));
  const isVerified = row.ssh_verified === fingerprintBy(from);
  await queries.replaceFingerprint(tx, isVerified ? fingerprintBy(to) : null);
}

const fieldsOf = (row: queries.SettingsRow) => ({
  enabled: row.ssh_enabled_at !== null,
  host: row.ssh_host,
  port: row.ssh_port,
  username: row.ssh_username,
  authMethod: row.ssh_auth_method as SshSettings['authMethod'],
  remotePath: row.ssh_remote_path,
  keepLocalCopies: row.ssh_keep_local_copies,
  connectionTimeout: row.ssh_connection_timeout,
  serverName: row.ssh_server_name,
});

async function pinHostKey(tx: Tx, actor: Actor, { host, port }: SshAccount, key: HostKey): Promise<void> {
  await queries.pinHostKey(tx, host, port, key);
  const after = { host, port, hostKey: key.fingerprint };
  await auditSettings(tx, actor, 'backup-settings.host-key-pinned', { after });
}

const auditedFields = ({ version: _version, ...settings }: SshSettings) => settings;

/** The settings must be complete by `missingIn`. */
const accountOf = (input: SshSettingsInput, own: SshSecrets): SshAccount => ({
  host: input.host,
  port: input.port,
  username: input.username,
  credentials:
    input.authMethod === 'password'
      ? { password: own.password ?? '' }
      : { privateKey: own.privateKey ?? '', passphrase: own.passphrase },
  timeoutSeconds: input.connectionTimeout,
});

function refuse(failure: unknown): never {
  if (!(failure instanceof SshFailure)) throw failure;
  throw new AppError('SSH_SERVER_REFUSED', {
    details: failure.message,
    errors: {
      step: failure.step,
      ...(failure.hostKey && { hostKey: failure.hostKey.fingerprint }),
    },
  });
}
