import type { SshSettings, SshSettingsInput, SshSettingsTest } from '@forecourt/contract/backups';
import { audit } from '../../platform/audit.ts';
import type { Config } from '../../platform/config.ts';
import { countCall } from '../../platform/counted-calls.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, invalid } from '../../platform/http/errors.ts';
import { createOutbound } from '../../platform/outbound/outbound.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { SshFailure } from './ssh-failure.ts';
import { makeFolder, tryWriting } from './ssh-files.ts';
import { openSshSession, type SshAccount, type SshSession } from './ssh-session.ts';
import { isSameServer, missingIn, secretsFor, type SshSecrets } from './ssh-settings.policy.ts';
import * as queries from './ssh-settings.queries.ts';

/** All steps of a test together: a call answers within 12 s (product.md section 3). */
const TEST_MS = 10_000;

/** Where copies go when nobody has named this installation. */
const DEFAULT_SERVER_NAME = 'forecourt';

/** What copying needs: sessions on the server, and what to do there. */
export type CopyPlan = {
  open(signal: AbortSignal): Promise<SshSession>;
  remotePath: string;
  keepLocalCopies: boolean;
  /** The name of a backup's copy. */
  remoteName(name: string): string;
  /** Backups that were finished before are not copied. */
  since: string;
};

const place = (column: string) => ({ table: 'backup_settings', column, recordId: 'ssh' });

/**
 * Where copies of backups go (spec.md sections 3 and 5, product.md section 10). Secrets are written only: sealed in
 * the database, never in an answer, the log or the audit. A server is recognised by the key that it showed at the
 * first connection.
 */
export function createSshSettingsService({ secrets, config }: { secrets: Secrets; config: Config }) {
  const outbound = createOutbound(config);

  const open = (column: string, sealed: string | null) =>
    (sealed === null ? null : secrets.open(sealed, place(column))) ?? undefined;
  const seal = (column: string, plain: string | undefined) =>
    plain === undefined ? null : secrets.seal(plain, place(column));
  const storedSecrets = (row: queries.SettingsRow): SshSecrets => ({
    privateKey: open('ssh_private_key', row.ssh_private_key),
    passphrase: open('ssh_passphrase', row.ssh_passphrase),
    password: open('ssh_password', row.ssh_password),
  });

  /** Recognises settings that passed a test, saved since or not. */
  const fingerprint = (input: SshSettingsInput, own: SshSecrets) =>
    secrets.fingerprint(JSON.stringify([accountOf(input, own), input.remotePath]), place('ssh_verified'));

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
    };
  }

  /** The secrets that these settings would be used with. Throws what is missing, where they are to be used. */
  function resolve(row: queries.SettingsRow, input: SshSettingsInput, isUsed: boolean): SshSecrets {
    const stored = storedSecrets(row);
    const isSame = isSameServer(fieldsOf(row), input);
    const own = secretsFor(input, stored, isSame);
    const hadSecret = !isSame && stored[input.authMethod] !== undefined;
    const missing = isUsed ? missingIn(input, own, hadSecret) : [];
    if (missing.length > 0) throw invalid(missing);
    return own;
  }

  /** A session with a server whose key is known, new, or accepted. The key is pinned once the sign-in has worked. */
  async function connect(
    ctx: Pick<Context, 'db'>,
    account: SshAccount,
    { accepted, signal }: { accepted?: string | undefined; signal: AbortSignal },
  ): Promise<SshSession> {
    const { host, port } = account;
    const pinned = await queries.findHostKey(ctx.db, host, port);
    const isExpected = ({ fingerprint: shown }: { fingerprint: string }) =>
      pinned === null || shown === pinned || shown === accepted;
    const session = await openSshSession({ outbound, account, isExpected, signal });
    if (session.hostKey.fingerprint !== pinned) await queries.pinHostKey(ctx.db, host, port, session.hostKey);
    return session;
  }

  return {
    get: async (ctx: Context): Promise<SshSettings> => present(ctx.db, await queries.findSettings(ctx.db)),

    save: (ctx: Context, input: SshSettingsInput): Promise<SshSettings> =>
      inTransaction(ctx, async (inner) => {
        const row = await queries.lockSettings(inner.db);
        const before = await present(inner.db, row);
        const own = resolve(row, input, input.enabled);
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
        const typed = (['privateKey', 'passphrase', 'password'] as const).filter((name) => input[name]);
        if (typed.length > 0 || JSON.stringify(before) !== JSON.stringify(after)) {
          await audit(inner.db, ctx, {
            action: 'backup-settings.updated',
            entity: 'backup',
            recordId: null,
            before,
            after: { ...after, typedAnew: typed },
          });
        }
        return after;
      }),

    /**
     * Tries the given settings, saved or not, for at most 10 s: connects, makes the folder where it is missing, writes
     * a small file and takes it away again. Throws SSH_SERVER_REFUSED with the step that failed in `errors.step`, and
     * with the key that the server shows in `errors.hostKey` where it is another one than before.
     */
    async test(ctx: Context, input: SshSettingsTest) {
      const row = await queries.findSettings(ctx.db);
      const own = resolve(row, input, true);
      await countCall(ctx, { subject: `ssh-test:${ctx.viewer.userId}`, times: 10, seconds: 60 });
      const signal = AbortSignal.timeout(TEST_MS);
      const account = accountOf(input, own);
      try {
        const session = await connect(ctx, account, { accepted: input.acceptHostKey, signal });
        try {
          const isNew = await makeFolder(session, input.remotePath);
          await tryWriting(session, input.remotePath);
          await queries.noteVerified(ctx.db, fingerprint(input, own));
          await audit(ctx.db, ctx, {
            action: 'backup-settings.verified',
            entity: 'backup',
            recordId: null,
            after: { host: input.host, port: input.port, hostKey: session.hostKey.fingerprint },
          });
          const made = isNew ? ` The folder ${input.remotePath} was made.` : '';
          return {
            message: 'SSH connection verified successfully',
            details: `${input.host} takes copies of backups into ${input.remotePath}.${made}`,
            hostKey: session.hostKey.fingerprint,
          };
        } finally {
          session.close();
        }
      } catch (failure) {
        return refuse(failure);
      }
    },

    /** How finished backups are copied; undefined: they are not, or a secret cannot be opened. */
    async copyPlan(db: Db): Promise<CopyPlan | undefined> {
      const row = await queries.findSettings(db);
      const own = storedSecrets(row);
      const settings = fieldsOf(row);
      if (row.ssh_enabled_at === null || missingIn(settings, own, false).length > 0) return undefined;
      return {
        open: (signal) => connect({ db }, accountOf(settings, own), { signal }),
        remotePath: settings.remotePath,
        keepLocalCopies: settings.keepLocalCopies,
        remoteName: (name) => `${settings.serverName || DEFAULT_SERVER_NAME}_${name}`,
        since: row.ssh_enabled_at,
      };
    },
  };
}

export type SshSettingsService = ReturnType<typeof createSshSettingsService>;

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

/** Settings that `missingIn` found complete, as they are connected with. */
const accountOf = (input: SshSettingsInput, own: SshSecrets): SshAccount => ({
  host: input.host,
  port: input.port,
  username: input.username,
  proof:
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
