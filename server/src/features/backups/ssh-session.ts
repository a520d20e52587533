import { connect, type Socket } from 'node:net';
import type { SshStep } from '@forecourt/contract/backups';
import SftpClient from 'ssh2-sftp-client';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { hostKeyOf, type HostKey } from './host-key.ts';
import { connectFailure, SSH_WORDS, SshFailure } from './ssh-failure.ts';

/** Where copies go and who signs in. Secrets as they are, so it is never logged. */
export type SshAccount = {
  host: string;
  port: number;
  username: string;
  proof: { privateKey: string; passphrase: string | undefined } | { password: string };
  /** For the way to a session. */
  timeoutSeconds: number;
};

type Sftp = Awaited<ReturnType<SftpClient['connect']>>;
type Done<T> = (error: Error | null | undefined, value: T) => void;

/** An SFTP session on a server whose key is the expected one. */
export type SshSession = {
  hostKey: HostKey;
  /** Makes one request. Rejects with SshFailure when nothing is answered in time or the connection is lost, else with the server's own error. */
  ask<T = unknown>(request: (sftp: Sftp, done: Done<T>) => void): Promise<T>;
  close(): void;
};

type OpenOptions = {
  outbound: Outbound;
  account: SshAccount;
  /** Whether this is the server that is expected. Asked once, before anything secret is sent. */
  isExpected: (key: HostKey) => boolean;
  signal?: AbortSignal | undefined;
  /** How long each request of the session may take. */
  answerMs?: number;
};

const ANSWER_MS = 60_000;

/**
 * Connects to the address that `outbound` allows, checks the host key, signs in and opens SFTP; no command is
 * ever run on the server (security.md J12). Throws SshFailure with the step that failed.
 */
export async function openSshSession({
  outbound,
  account,
  isExpected,
  signal,
  answerMs = ANSWER_MS,
}: OpenOptions): Promise<SshSession> {
  let step: SshStep = 'name';
  let socket: Socket | undefined;
  let hostKey: HostKey | undefined;
  const client = new SftpClient('', {});
  const timeoutMs = account.timeoutSeconds * 1000;

  try {
    const { address, port } = await outbound.destination(account.host, account.port);
    step = 'connection';
    // Requests are small and each waits for its answer: Nagle's algorithm would hold back every one for 40 ms.
    socket = connect({ host: address, port, noDelay: true });
    const lost = whenLost(socket, signal);
    const verifyHost = (key: Buffer) => {
      hostKey = hostKeyOf(key);
      step = isExpected(hostKey) ? 'signIn' : 'hostKey';
      return step === 'signIn';
    };
    client.on('ready', () => {
      step = 'folder';
    });
    answerPrompts(client, account);
    const opening = client.connect({
      sock: socket,
      username: account.username,
      ...proofOf(account),
      hostVerifier: verifyHost,
      readyTimeout: timeoutMs,
    });
    const sftp = await within(timeoutMs, opening);
    return sessionOn(sftp, { client, socket, lost, answerMs, hostKey: hostKey! });
  } catch (error) {
    socket?.destroy();
    // Written as a call: the compiler does not see that the callbacks above change the step.
    const reached = ((): SshStep => step)();
    if (reached === 'hostKey') throw new SshFailure('hostKey', SSH_WORDS.hostKeyChanged, hostKey);
    throw connectFailure(reached, error);
  }
}

function sessionOn(
  sftp: Sftp,
  open: {
    client: SftpClient;
    socket: Socket;
    lost: Promise<never>;
    answerMs: number;
    hostKey: HostKey;
  },
): SshSession {
  const { client, socket, lost, answerMs, hostKey } = open;
  // The server's part that serves files may end while the connection stays: no request would be answered.
  sftp.on('end', () => socket.destroy());
  return {
    hostKey,
    ask: (request) =>
      within(
        answerMs,
        Promise.race([
          lost,
          new Promise<never>((resolve, reject) =>
            request(sftp, (error, value) =>
              error ? reject(isAnswer(error) ? error : isLost()) : resolve(value as never),
            ),
          ),
        ]),
      ),
    close() {
      client.end().catch(() => {});
      socket.destroySoon();
    },
  };
}

const proofOf = ({ proof }: SshAccount) =>
  'password' in proof
    ? { password: proof.password, tryKeyboard: true }
    : {
        privateKey: proof.privateKey,
        ...(proof.passphrase !== undefined && { passphrase: proof.passphrase }),
      };

/** Many servers ask for the password as a question of their own. */
function answerPrompts(client: SftpClient, { proof }: SshAccount): void {
  if (!('password' in proof)) return;
  type Finish = (answers: string[]) => void;
  client.on(
    'keyboard-interactive',
    (_name: string, _words: string, _lang: string, prompts: unknown[], finish: Finish) =>
      finish(prompts.length === 1 ? [proof.password] : []),
  );
}

/** Rejects once the connection is gone, for whatever reason, or the work is to stop. */
function whenLost(socket: Socket, signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // Whatever is lost after the last request concerns nobody.
  promise.catch(() => {});
  socket.on('error', () => {}).on('close', () => reject(isLost()));
  const stop = () => socket.destroy();
  signal?.addEventListener('abort', stop, { once: true });
  socket.on('close', () => signal?.removeEventListener('abort', stop));
  if (signal?.aborted) stop();
  return promise;
}

const isLost = () => new SshFailure('connection', SSH_WORDS.lost);

/** What the server said has a number (RFC of SFTP, section 7); everything else happened on the way. */
const isAnswer = (error: Error & { code?: unknown }) => typeof error.code === 'number';

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new SshFailure('connection', SSH_WORDS.silent)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
