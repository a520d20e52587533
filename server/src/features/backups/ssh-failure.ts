import type { SshStep } from '@forecourt/contract/backups';
import { OutboundError } from '../../platform/outbound/outbound.ts';
import type { HostKey } from './host-key.ts';

/** Why a copy could not be made or a test did not pass: the step and a sentence of our own, never the server's. */
export class SshFailure extends Error {
  readonly step: SshStep;
  /** With step `hostKey`: the key that the server shows now. */
  readonly hostKey: HostKey | undefined;

  constructor(step: SshStep, words: string, hostKey?: HostKey) {
    super(words);
    this.step = step;
    this.hostKey = hostKey;
  }
}

const WORDS: Record<Exclude<SshStep, 'hostKey'>, string> = {
  name: 'The name of the server cannot be found. Check Host.',
  connection: 'The server did not answer as an SSH server does. Check Host and Port.',
  signIn: 'The server did not accept the sign-in. Check Username and what proves it.',
  folder: 'The server opens no files for this user: SFTP is off, or not allowed.',
  write: 'The server did not take the file. Check that its disk has room.',
};

export const SSH_WORDS = {
  refused: 'Connections to this server are not allowed.',
  silent: 'The server stopped answering.',
  lost: 'The connection to the server was lost.',
  keyUnreadable: 'The private key cannot be read. Check the key and its passphrase.',
  hostKeyChanged:
    'The server shows another host key than before. Somebody may be in between. Accept the new key only if you know why it changed.',
  noFolder: 'The folder is not on the server. Check Remote Path, or make the folder there.',
  noRight: 'The user may not write into the folder. Check its rights on the server.',
  noFolderRight: 'The user may not enter or make the folder. Check its rights on the server.',
  taken: 'Another file has this name in the folder already. Choose another Server Name.',
  altered: 'What the server keeps is not what was sent. Check its disk.',
  noRename: 'The server did not give the finished file its name.',
} as const;

export const failedAt = (step: Exclude<SshStep, 'hostKey'>): SshFailure => new SshFailure(step, WORDS[step]);

/** The failure that an error on the way to a session means; `step` is how far it had come. */
export function connectFailure(step: SshStep, error: unknown): SshFailure {
  if (error instanceof SshFailure) return error;
  if (error instanceof OutboundError) {
    return error.reason === 'name' ? failedAt('name') : new SshFailure('connection', SSH_WORDS.refused);
  }
  const { message } = error as Error;
  // Of everything that ssh2 says only these two are read: the first about our key, the second about the sign-in.
  if (message.includes('Cannot parse privateKey')) return new SshFailure('signIn', SSH_WORDS.keyUnreadable);
  if (step === 'signIn' && !message.includes('authentication methods failed')) return failedAt('connection');
  return step === 'hostKey' ? failedAt('connection') : failedAt(step);
}
