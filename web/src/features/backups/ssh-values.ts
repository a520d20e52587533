import type { SshSettings, SshSettingsInput, SshStep } from '@forecourt/contract/backups';
import { texts } from '../../texts/backup-ssh.ts';
import { statesOf } from '../../ui/test-steps.ts';
import type { TestOutcome } from '../../ui/TestResult.tsx';
import type { FieldErrors } from '../../ui/use-form.ts';

/** What the form holds. An empty number is the empty text; secrets are never those of the record. */
export type SshValues = Pick<
  SshSettings,
  'enabled' | 'host' | 'username' | 'authMethod' | 'remotePath' | 'keepLocalCopies' | 'serverName'
> & {
  port: number | string;
  connectionTimeout: number | string;
  privateKey: string;
  passphrase: string;
  password: string;
};

export const valuesOf = (settings: SshSettings): SshValues => ({
  enabled: settings.enabled,
  host: settings.host,
  port: settings.port,
  username: settings.username,
  authMethod: settings.authMethod,
  privateKey: '',
  passphrase: '',
  password: '',
  remotePath: settings.remotePath,
  keepLocalCopies: settings.keepLocalCopies,
  connectionTimeout: settings.connectionTimeout,
  serverName: settings.serverName,
});

/** Secrets that were left empty are left out: the stored ones stay. */
export const inputOf = ({ privateKey, passphrase, password, ...values }: SshValues): SshSettingsInput => ({
  ...values,
  host: values.host.trim(),
  port: Number(values.port),
  username: values.username.trim(),
  remotePath: values.remotePath.trim(),
  connectionTimeout: Number(values.connectionTimeout),
  serverName: values.serverName.trim(),
  ...(values.authMethod === 'privateKey' && privateKey.trim() !== '' && { privateKey }),
  ...(values.authMethod === 'privateKey' && passphrase !== '' && { passphrase }),
  ...(values.authMethod === 'password' && password.trim() !== '' && { password }),
});

/** Whether a stored secret would still go where it went: only then it may be left empty. */
export const isSameServer = (values: SshValues, settings: SshSettings): boolean =>
  values.host.trim().toLowerCase() === settings.host.toLowerCase() &&
  Number(values.port) === settings.port &&
  values.username.trim() === settings.username;

/** Whether everything is filled that the connection needs (spec section 5). */
export function isComplete(values: SshValues, settings: SshSettings): boolean {
  const isThere = (text: string): boolean => text.trim() !== '';
  const kept = isSameServer(values, settings);
  const hasSecret =
    values.authMethod === 'privateKey'
      ? isThere(values.privateKey) || (kept && settings.hasPrivateKey)
      : isThere(values.password) || (kept && settings.hasPassword);
  return hasSecret && [values.host, values.username, values.remotePath].every(isThere);
}

const isWithin = (value: number | string, min: number, max: number): boolean =>
  Number.isInteger(Number(value)) && Number(value) >= min && Number(value) <= max && value !== '';

/** What is filled wrongly (spec section 5). */
export const sshErrors = ({ port, connectionTimeout, serverName }: SshValues): FieldErrors => ({
  ...(!isWithin(port, 1, 65_535) && { port: texts.portRange }),
  ...(!isWithin(connectionTimeout, 5, 300) && { connectionTimeout: texts.timeoutRange }),
  ...(!/^([A-Za-z0-9][A-Za-z0-9._-]*)?$/.test(serverName.trim()) && { serverName: texts.serverNameInvalid }),
});

const steps: readonly SshStep[] = ['name', 'connection', 'hostKey', 'signIn', 'folder', 'write'];

/** How a connection test ended; `failedAt` null: all of its steps passed. */
export const outcomeOf = (failedAt: string | null, words: string): TestOutcome => ({
  passed: failedAt === null,
  title: failedAt === null ? texts.verified : texts.testFailed,
  words,
  steps: statesOf(steps, failedAt).map(({ step, state }) => ({ label: texts.steps[step], state })),
});
