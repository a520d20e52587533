import { hash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { SshStep } from '@forecourt/contract/backups';
import ssh2 from 'ssh2';
import SftpClient from 'ssh2-sftp-client';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { connectFailure, SSH_MESSAGES, SshFailure, type HostKey } from './ssh-failure.ts';

/** The server with decrypted credentials. Must never be logged. */
export type SshAccount = {
  host: string;
  port: number;
  username: string;
  credentials: { privateKey: string; passphrase: string | undefined } | { password: string };
  timeoutSeconds: number;
};

type Sftp = Awaited<ReturnType<SftpClient['connect']>>;
type Done<T> = (error: Error | null | undefined, value?: T) => void;

/** An SFTP session on a server whose host key is accepted, until it is disposed of. */
export type SshSession = Disposable & {
  hostKey: HostKey;
  /** Sends one request. Rejects with SshFailure after a timeout or lost connection, else with the server's error. */
  request<T = unknown>(request: (sftp: Sftp, done: Done<T>) => void): Promise<T>;
};

type OpenOptions = {
  outbound: Outbound;
  account: SshAccount;
  /** Whether the host key is accepted. Called once, before any secret is sent. */
  isExpected: (key: HostKey) => boolean;
  signal?: AbortSignal | undefined;
  /** The timeout of each request, in milliseconds. */
  responseTimeoutMs?: number;
};

const RESPONSE_TIMEOUT_MS = 60_000;

/**
 * Connects to the address that `outbound` permits, checks the host key, signs in and opens SFTP; never runs a command
 * on the server (docs/product/security.md, SSH servers are recognised and run nothing). Throws SshFailure with the
 * failed step.
 */
export async function openSshSession({
  outbound,
  account,
  isExpected,
  signal,
  responseTimeoutMs = RESPONSE_TIMEOUT_MS,
}: OpenOptions): Promise<SshSession> {
  let step: SshStep = 'name';
  let socket: Socket | undefined;
  let hostKey: HostKey | undefined;
  const client = new SftpClient('', {});
  const timeoutMs = account.timeoutSeconds * 1000;

  try {
    const { address, port } = await outbound.destination(account.host, account.port);
    step = 'connection';
    // Requests are small and sequential, so Nagle's algorithm would delay each by 40 ms.
    const connected = connect({ host: address, port, noDelay: true });
    socket = connected;
    const lost = whenLost(connected, signal);
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
      sock: connected,
      username: account.username,
      ...credentialsOf(account),
      hostVerifier: verifyHost,
      // Compressed data would be decompressed in this thread without a limit.
      algorithms: { compress: ['none'] },
      readyTimeout: timeoutMs,
    });
    const sftp = await withTimeout(timeoutMs, opening, throwSilent);
    // If only the SFTP subsystem ended, no request would get a response.
    sftp.on('end', () => connected.destroy());
    return {
      hostKey: hostKey!,
      request: (request) =>
        withTimeout(
          responseTimeoutMs,
          Promise.race([
            lost,
            new Promise<never>((resolve, reject) =>
              request(sftp, (error, value) =>
                error ? reject(isServerResponse(error) ? error : lostConnection()) : resolve(value as never),
              ),
            ),
          ]),
          throwSilent,
        ),
      [Symbol.dispose]() {
        client.end().catch(() => {});
        connected.destroySoon();
      },
    };
  } catch (error) {
    socket?.destroy();
    // A function call, because the compiler does not know that the callbacks above assign `step`.
    const reached = ((): SshStep => step)();
    if (reached === 'hostKey') throw new SshFailure('hostKey', SSH_MESSAGES.hostKeyChanged, hostKey);
    throw connectFailure(reached, error);
  }
}

function hostKeyOf(key: Buffer): HostKey {
  // RFC 4253 section 6.6: the key starts with the length and the name of the algorithm.
  const algorithm = key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1');
  const digest = hash('sha256', key, 'base64').replace(/=+$/, '');
  return { algorithm, fingerprint: `SHA256:${digest}` };
}

export const isReadableKey = (privateKey: string, passphrase: string | undefined): boolean => {
  const key = ssh2.utils.parseKey(privateKey, passphrase);
  return !(key instanceof Error) && key.isPrivateKey();
};

const credentialsOf = ({ credentials }: SshAccount) =>
  'password' in credentials
    ? { password: credentials.password, tryKeyboard: true }
    : {
        privateKey: credentials.privateKey,
        ...(credentials.passphrase !== undefined && { passphrase: credentials.passphrase }),
      };

/** Responds to keyboard-interactive prompts, by which many servers request the password. */
function answerPrompts(client: SftpClient, { credentials }: SshAccount): void {
  if (!('password' in credentials)) return;
  type Finish = (answers: string[]) => void;
  client.on(
    'keyboard-interactive',
    (_name: string, _words: string, _lang: string, prompts: unknown[], finish: Finish) =>
      finish(prompts.length === 1 ? [credentials.password] : []),
  );
}

/** Rejects when the connection closes for any reason, or `signal` aborts. */
function whenLost(socket: Socket, signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // Avoids an unhandled rejection when the connection closes after the last request.
  promise.catch(() => {});
  socket.on('error', () => {}).on('close', () => reject(lostConnection()));
  const stop = () => socket.destroy();
  signal?.addEventListener('abort', stop, { once: true });
  socket.on('close', () => signal?.removeEventListener('abort', stop));
  if (signal?.aborted) stop();
  return promise;
}

const lostConnection = () => new SshFailure('connection', SSH_MESSAGES.lost);

/** Responses of the server have a numeric code (RFC of SFTP, section 7); other errors are local. */
const isServerResponse = (error: Error & { code?: unknown }) => typeof error.code === 'number';

function throwSilent(): never {
  throw new SshFailure('connection', SSH_MESSAGES.silent);
}
