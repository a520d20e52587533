import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { callbackify } from 'node:util';
import type { Answer } from '@forecourt/contract/api';
import PostalMime, { type Address } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import type { Clock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';

/** Of more, the oldest is forgotten. */
export const KEPT = 200;
/** Bytes of a message; with KEPT this bounds what the mailbox holds in memory. */
const LARGEST = 1024 * 1024;

type Message = Answer<'GET /demo/mailbox/:id'>;

export type DemoMail = {
  /** Who may leave mail here: nobody who has not been told. */
  account: { host: string; port: number; user: string; password: string };
  /** What arrived, newest first. */
  messages(): readonly Message[];
  close(): Promise<void>;
};

const refusal = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode });

/**
 * A mail server on 127.0.0.1 that keeps what it gets and passes nothing on (product.md section 2, DEMO). Each
 * process has its own, with a free port and a password of its own; what it keeps ends with it.
 */
export async function openDemoMail(clock: Clock): Promise<DemoMail> {
  const account = { user: 'demo', password: randomBytes(24).toString('base64url') };
  const kept: Message[] = [];
  const server = new SMTPServer({
    size: LARGEST,
    // Nothing of it leaves this machine, so there is no certificate.
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth({ username, password }, _session, callback) {
      const isKnown = username === account.user && password === account.password;
      if (isKnown) callback(null, { user: account.user });
      else callback(refusal(535, 'Only the demo itself leaves mail here'));
    },
    onData: (stream, _session, callback) => callbackify(keep)(stream, callback),
  });
  // A connection that breaks off is its sender's concern, who tries again.
  server.on('error', () => {});

  async function keep(stream: SMTPServerDataStream): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer);
    if (stream.sizeExceeded) throw refusal(552, 'Larger than 1 MB');
    const { from, to, cc, subject, html, text } = await PostalMime.parse(Buffer.concat(chunks));
    kept.unshift({
      _id: newId(),
      from: from ? addressText(from) : '',
      to: (to ?? []).map(addressText),
      cc: (cc ?? []).map(addressText),
      subject: subject ?? '',
      receivedAt: clock.now().toISOString(),
      html: html ?? '',
      text: text ?? '',
    });
    kept.splice(KEPT);
  }

  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { address, port } = server.server.address() as AddressInfo;
  return {
    account: { host: address, port, ...account },
    messages: () => kept,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const addressText = ({ name, address = '' }: Address): string => (name ? `${name} <${address}>` : address);
