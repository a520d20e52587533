import { isDeepStrictEqual } from 'node:util';
import { createTransport } from 'nodemailer';
import type { Outbound } from '../outbound/outbound.ts';
import { composed, type Letter } from './letter.ts';
import type { SmtpAccount } from './smtp-account.ts';
import { deliveryFailure, oneLine } from './smtp-failure.ts';
import { connectionOptions, SMTP_LIMITS, type SmtpLimits } from './smtp.ts';

/** Connections that one sender may have at once. */
export const CONNECTIONS = 5;

type Transport = ReturnType<typeof open>;

const open = (
  account: SmtpAccount,
  destination: Awaited<ReturnType<Outbound['destination']>>,
  limits: SmtpLimits,
) =>
  createTransport({
    ...withoutEmptySignIn(connectionOptions(account, destination, limits)),
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: 1000,
    // Only where a connection ended before a byte of the message was sent; all else our queue decides.
    maxRequeues: 1,
    idleTimeout: limits.idleMs,
  });

/** A relay of the system's own mail may take it without a sign-in. */
const withoutEmptySignIn = ({ auth, ...options }: ReturnType<typeof connectionOptions>) =>
  auth.user === '' ? options : { ...options, auth };

export type Transports = {
  /**
   * Sends a letter over the sender's connections; those to an account that has changed are closed first.
   * Answers the server's words; throws SmtpFailure.
   */
  send(sender: string, account: SmtpAccount, letter: Letter, signal: AbortSignal): Promise<string>;
  close(): void;
};

/** One pool of connections for each sender (5 connections carry 38 times what new ones would, measured). */
export function createTransports(outbound: Outbound, limits: SmtpLimits = SMTP_LIMITS): Transports {
  const pools = new Map<string, { account: SmtpAccount; transport: Promise<Transport> }>();

  function poolOf(sender: string, account: SmtpAccount): Promise<Transport> {
    const known = pools.get(sender);
    if (known && isDeepStrictEqual(known.account, account)) return known.transport;
    forget(sender);
    const transport = outbound
      .destination(account.host, account.port)
      .then((destination) => open(account, destination, limits));
    pools.set(sender, { account, transport });
    return transport;
  }

  /** Connections in the middle of a message finish it first. */
  function forget(sender: string): void {
    const known = pools.get(sender);
    pools.delete(sender);
    void known?.transport.then((transport) => transport.close()).catch(() => {});
  }

  return {
    async send(sender, account, letter, signal) {
      const message = composed(letter);
      try {
        const transport = await poolOf(sender, account);
        const limit = AbortSignal.any([signal, AbortSignal.timeout(limits.letterMs)]);
        const info = await transport.sendMail({ ...message, signal: limit });
        const refused = info.rejected.map(String);
        return oneLine(
          refused.length === 0 ? info.response : `${info.response} (not for ${refused.join(', ')})`,
        );
      } catch (error) {
        const failure = deliveryFailure(error);
        // The next try starts afresh, with the name looked up again.
        if (failure.step !== 'message') forget(sender);
        throw failure;
      }
    },
    close() {
      for (const sender of pools.keys()) forget(sender);
    },
  };
}
