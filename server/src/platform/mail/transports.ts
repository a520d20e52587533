import { PassThrough } from 'node:stream';
import { domainToASCII } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { createTransport } from 'nodemailer';
import type { Outbound } from '../outbound/outbound.ts';
import { createGraphAgent, sendByGraph, type GraphAgent } from './graph.ts';
import { toNodemailer, type MimeMessage } from './mime-message.ts';
import type { MailAccount, SmtpAccount } from './smtp-account.ts';
import { deliveryFailure, oneLine, partialFailure } from './smtp-failure.ts';
import { connectionOptions, SMTP_LIMITS, type SmtpLimits } from './smtp.ts';

/** Maximum concurrent connections of one sender. */
export const CONNECTIONS = 5;

/** Signals of sends whose complete message was read, so that only a response shows whether it was delivered. */
const handedOver = new WeakSet<AbortSignal>();

type Transport = ReturnType<typeof openTransport>;

function openTransport(
  account: SmtpAccount,
  destination: Awaited<ReturnType<Outbound['destination']>>,
  limits: SmtpLimits,
) {
  const transport = createTransport({
    ...withoutEmptySignIn(connectionOptions(account, destination, limits)),
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: 1000,
    // nodemailer retries if a connection ended before a byte of the message was sent; the queue does the rest.
    maxRequeues: 1,
    idleTimeout: limits.idleMs,
  });
  transport.use('stream', (mail, done) => {
    mail.message.transform(() => new PassThrough().on('end', () => handedOver.add(mail.data.signal!)));
    done();
  });
  return transport;
}

/** Omits empty credentials, because a relay may accept system mail without authentication. */
const withoutEmptySignIn = ({ auth, ...options }: ReturnType<typeof connectionOptions>) =>
  auth.user === '' ? options : { ...options, auth };

/** Returns an address as nodemailer sends it, with its domain in lower case and ASCII. */
const mailboxOf = (address: string): string => {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + domainToASCII(address.slice(at));
};

export type Transports = {
  /**
   * Sends a message over the sender's connections; first closes those of a former account. Returns the server's
   * response. Throws SmtpFailure, also if the server refuses some recipients.
   */
  send(sender: string, account: MailAccount, message: MimeMessage, signal: AbortSignal): Promise<string>;
  close(): void;
};

/** Pools connections by sender: five pooled connections deliver 38 times as much as new ones. */
export function createTransports(outbound: Outbound, limits: SmtpLimits = SMTP_LIMITS): Transports {
  const pools = new Map<string, { account: SmtpAccount; transport: Promise<Transport> }>();
  const agents = new Map<string, GraphAgent>();

  function poolOf(sender: string, account: SmtpAccount): Promise<Transport> {
    const existing = pools.get(sender);
    if (existing && isDeepStrictEqual(existing.account, account)) return existing.transport;
    closePool(sender);
    const transport = outbound
      .destination(account.host, account.port)
      .then((destination) => openTransport(account, destination, limits));
    pools.set(sender, { account, transport });
    return transport;
  }

  /** A connection in the middle of a message finishes it before it closes. */
  function closePool(sender: string): void {
    const existing = pools.get(sender);
    pools.delete(sender);
    void existing?.transport.then((transport) => transport.close()).catch(() => {});
  }

  return {
    async send(sender, account, message, signal) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(limits.messageMs)]);
      if ('graph' in account) {
        const agent = agents.getOrInsertComputed(sender, () => createGraphAgent(account));
        return sendByGraph({ outbound, agent, limits, signal: limit }, account, message);
      }
      const options = toNodemailer(message);
      const pool = poolOf(sender, account);
      try {
        const transport = await pool;
        const info = await transport.sendMail({ ...options, signal: limit });
        if (info.rejected.length > 0) {
          const accepted = new Set(info.accepted.map(mailboxOf));
          const delivered = options.envelope.to.filter((address) => accepted.has(mailboxOf(address)));
          throw partialFailure(info.rejectedErrors ?? [], delivered);
        }
        return oneLine(info.response);
      } catch (error) {
        const failure = deliveryFailure(error, handedOver.has(limit));
        // The next attempt opens a new connection, for which the name is resolved again.
        if (failure.step !== 'message' && pools.get(sender)?.transport === pool) closePool(sender);
        throw failure;
      }
    },
    close() {
      for (const sender of pools.keys()) closePool(sender);
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
