import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { callbackify } from 'node:util';
import type { ResponseBody } from '@forecourt/contract/api';
import { MAX_MAILBOX_MESSAGES } from '@forecourt/contract/demo-limits';
import PostalMime, { type Address } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import type { Clock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';

/** Maximum bytes of a message; with MAX_MAILBOX_MESSAGES this limits the memory of the mailbox. */
const MAX_BYTES = 1024 * 1024;

type Message = ResponseBody<'GET /demo/mailbox/:id'>;

export type DemoMail = Awaited<ReturnType<typeof openDemoMail>>;

const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

/**
 * A mail server on 127.0.0.1 that stores messages and forwards none (docs/product/screens.md, Demo). Each process has
 * one with a free port and its own password; messages are only in memory.
 */
export async function openDemoMail(clock: Clock) {
  const account = { user: 'demo', password: randomBytes(24).toString('base64url') };
  const storedMessages: Message[] = [];
  const server = new SMTPServer({
    size: MAX_BYTES,
    // TLS is off: connections are local, and there is no certificate.
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth({ username, password }, _session, callback) {
      const isKnown = username === account.user && password === account.password;
      if (isKnown) callback(null, { user: account.user });
      else callback(refusal(535, 'Only the demo itself leaves mail here'));
    },
    onData: (stream, _session, callback) => callbackify(store)(stream, callback),
  });
  // Ignored, because the sender retries after a broken connection.
  server.on('error', () => {});

  async function store(stream: SMTPServerDataStream): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer);
    if (stream.sizeExceeded) throw refusal(552, 'Larger than 1 MB');
    const { from, to, cc, subject, html, text } = await PostalMime.parse(Buffer.concat(chunks));
    storedMessages.unshift({
      _id: newId(),
      from: from ? addressText(from) : '',
      to: (to ?? []).map(addressText),
      cc: (cc ?? []).map(addressText),
      subject: subject ?? '',
      receivedAt: clock.now().toISOString(),
      html: html ?? '',
      text: text ?? '',
    });
    storedMessages.splice(MAX_MAILBOX_MESSAGES);
  }

  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { address, port } = server.server.address() as AddressInfo;
  return {
    /** Credentials, without which a client is rejected. */
    account: { host: address, port, ...account },
    messages: (): readonly Message[] => storedMessages,
    close: (): Promise<void> => new Promise((resolve) => server.close(resolve)),
  };
}

const addressText = ({ name, address = '' }: Address): string => (name ? `${name} <${address}>` : address);
