import type { SshSettingsInput } from '@forecourt/contract/backups';

/** The secrets of a sign-in; undefined where there is none. */
export type SshSecrets = Record<'privateKey' | 'passphrase' | 'password', string | undefined>;

type Server = Pick<SshSettingsInput, 'host' | 'port' | 'username'>;
type Issue = { path: [keyof SshSettingsInput]; message: string };

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === '';

export const isSameServer = (one: Server, other: Server): boolean =>
  one.host.toLowerCase() === other.host.toLowerCase() &&
  one.port === other.port &&
  one.username === other.username;

/**
 * Returns the secrets required by the chosen method: as entered, or the stored ones while they are for the same server
 * (docs/product/security.md, Stored passwords stay with their server). A key that is entered has its own passphrase or
 * none.
 */
export function secretsFor(input: SshSettingsInput, stored: SshSecrets, isSame: boolean): SshSecrets {
  const kept = isSame ? stored : {};
  const choose = (name: keyof SshSecrets) => (isBlank(input[name]) ? kept[name as never] : input[name]);
  if (input.authMethod === 'password') {
    return { privateKey: undefined, passphrase: undefined, password: choose('password') };
  }
  const passphrase = isBlank(input.privateKey) ? choose('passphrase') : input.passphrase || undefined;
  return { privateKey: choose('privateKey'), passphrase, password: undefined };
}

/**
 * Returns what is missing before the settings can be used (docs/product/backups.md, SSH settings). `hadSecret`: one is
 * stored, for another server.
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
