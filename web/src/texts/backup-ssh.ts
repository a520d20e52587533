import type { SshStep } from '@forecourt/contract/backups';
import { errorCatalogue } from '../platform/error-catalogue.ts';

const failures = errorCatalogue.backups;

/** Texts of the SSH Remote Backup Settings (docs/product/backups.md, SSH settings). */
export const texts = {
  title: 'SSH Remote Backup Settings',
  note: 'Every backup that is made is copied to this server by SFTP, read back and compared.',
  enabled: 'Copy backups to an SSH server',
  host: 'Host',
  port: 'Port',
  username: 'Username',
  authMethod: 'Sign in with',
  methods: { privateKey: 'Private key', password: 'Password' },
  privateKey: 'Private Key',
  privateKeyPlaceholder: '-----BEGIN OPENSSH PRIVATE KEY-----',
  passphrase: 'Passphrase',
  passphraseNote: 'Only if the key has one.',
  password: 'Password',
  storedElsewhere: 'Enter it again: host, port or username has changed.',
  remotePath: 'Remote Path',
  remotePathNote: 'The connection test creates the folder if it does not exist.',
  serverName: 'Server Name',
  serverNameNote: 'Copies are named after it. Empty: forecourt.',
  connectionTimeout: 'Connection Timeout (seconds)',
  hostKey: 'Host key',
  hostKeyUnknown: 'Pinned at the first connection',
  saved: 'SSH settings saved successfully',
  loadFailed: 'Failed to load SSH settings',
  saveFailed: failures.saveSsh,
  testFailedBecause: failures.testSshBecause,
  steps: {
    name: 'Name found',
    connection: 'Connection',
    hostKey: 'Host key',
    signIn: 'Sign-in',
    folder: 'Folder',
    write: 'Writing',
  } satisfies Record<SshStep, string>,
} as const;
