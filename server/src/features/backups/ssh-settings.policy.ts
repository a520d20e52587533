import type { SshSettingsInput } from '@forecourt/contract/backups';

/** The secrets of a sign-in; undefined if not set. */
export type SshSecrets = Record<'privateKey' | 'passphrase' | 'password', string | undefined>;

type Server = Pick<SshSettingsInput, 'host' | 'port' | 'username'>;
type Issue = { path: [keyof SshSettingsInput]; message: string };

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

export const isSameServer = (one: Server, other: Server): boolean =>
  one.host.toLowerCase() === other.host.toLowerCase() &&
  one.port === other.port &&
  one.username === other.username;

/**
 * Returns the secrets required by the chosen method: the entered ones, or the stored ones if the server is the same
 * (docs/product/security.md, Stored passwords stay with their server). An entered key does not use the stored
 * passphrase.
 */
export function secretsFor(input: SshSettingsInput, stored: SshSecrets, isSame: boolean): SshSecrets {
  const reusable = isSame ? stored : {};
  const choose = (name: keyof SshSecrets) => (isBlank(input[name]) ? reusable[name as never] : input[name]);
  if (input.authMethod === 'password') {
    return { privateKey: undefined, passphrase: undefined, password: choose('password') };
  }
  const passphrase = isBlank(input.privateKey) ? choose('passphrase') : input.passphrase || undefined;
  return { privateKey: choose('privateKey'), passphrase, password: undefined };
}

/**
 * Returns the values missing for the settings to be used (docs/product/backups.md, SSH settings). `hadSecret`: a secret
 * is stored, but for another server.
 */
export function missingIn(input: SshSettingsInput, secrets: SshSecrets, hadSecret: boolean): Issue[] {
  const issues: Issue[] = [];
  const require = (field: Issue['path'][0], isThere: boolean, message: string) => {
    if (!isThere) issues.push({ path: [field], message });
  };
  const again = (label: string) =>
    hadSecret
      ? `Enter the ${label.toLowerCase()} again: host, port or username has changed`
      : `${label} is required`;
  require('host', input.host !== '', 'Host is required');
  require('username', input.username !== '', 'Username is required');
  require('remotePath', input.remotePath !== '', 'Remote path is required');
  if (input.authMethod === 'privateKey')
    require('privateKey', secrets.privateKey !== undefined, again('Private key'));
  else require('password', secrets.password !== undefined, again('Password'));
  return issues;
}
