import type { SshStep } from '@forecourt/contract/backups';
import { OutboundError } from '../../platform/outbound/outbound.ts';
import { CopyFailure } from './copy-destination.ts';

/** The host key of a server: its fingerprint as printed by `ssh-keygen -l`, `SHA256:…`. */
export type HostKey = { algorithm: string; fingerprint: string };

/** A step of a connection test, or `read` for the download of a copy. */
export type CopyStep = SshStep | 'read';

export class SshFailure extends CopyFailure {
  readonly code = 'SSH_SERVER_REFUSED';
  readonly step: CopyStep;
  /** With step `hostKey`: the key that the server presented. */
  readonly hostKey: HostKey | undefined;

  constructor(step: CopyStep, message: string, hostKey?: HostKey) {
    super(message);
    this.step = step;
    this.hostKey = hostKey;
  }
}

const MESSAGES: Record<Exclude<CopyStep, 'hostKey'>, string> = {
  name: 'The name of the server cannot be found. Check Host.',
  connection: 'The server did not answer as an SSH server does. Check Host and Port.',
  signIn: 'The server did not accept the sign-in. Check Username and what proves it.',
  folder: 'The server opens no files for this user: SFTP is off, or not allowed.',
  write: 'The server did not take the file. Check that its disk has room.',
  read: 'The server did not send the file. Check its disk.',
};

export const SSH_MESSAGES = {
  refused: 'Connections to this server are not allowed.',
  silent: 'The server stopped answering.',
  lost: 'The connection to the server was lost.',
  keyUnreadable: 'The private key cannot be read. Check the key and its passphrase.',
  noSecret: 'The stored key or password cannot be decrypted. Enter it again.',
  hostKeyChanged:
    'The server shows another host key than before. Somebody may be in between. Accept the new key only if you know why it changed.',
  noFolder: 'The folder is not on the server. Check Remote Path, or make the folder there.',
  noRight: 'The user may not write into the folder. Check its rights on the server.',
  noFolderRight: 'The user may not enter or make the folder. Check its rights on the server.',
  taken: 'Another file has this name in the folder already. Choose another Server Name.',
  changed: 'The file here is not the one that was listed: its content has changed since.',
  altered: 'The stored file differs from the one that was sent. Check the disk of the server.',
  noRename: 'The server did not give the finished file its name.',
  noReadRight: 'The user may not read the copy. Check its rights on the server.',
  missing: (paths: readonly string[]) => `The copy is not on the server. Looked for: ${paths.join(', ')}.`,
  notTheCopy: (path: string) => `The file on the server is not the copy that was made: ${path}.`,
} as const;

export const failedAt = (step: Exclude<CopyStep, 'hostKey'>): SshFailure =>
  new SshFailure(step, MESSAGES[step]);

/** Converts an error during the connection to a failure; `step` is the step reached. */
export function connectFailure(step: SshStep, error: unknown): SshFailure {
  if (error instanceof SshFailure) return error;
  if (error instanceof OutboundError) {
    return error.reason === 'name' ? failedAt('name') : new SshFailure('connection', SSH_MESSAGES.refused);
  }
  const { message } = error as Error;
  // Only these two messages of ssh2 are interpreted: a private key that cannot be parsed, and a rejected sign-in.
  if (message.includes('Cannot parse privateKey'))
    return new SshFailure('signIn', SSH_MESSAGES.keyUnreadable);
  if (step === 'signIn' && !message.includes('authentication methods failed')) return failedAt('connection');
  return step === 'hostKey' ? failedAt('connection') : failedAt(step);
}
