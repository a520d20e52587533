import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import { kindOf } from '../outbound/addresses.ts';
import type { Destination } from '../outbound/outbound.ts';
import type { SmtpAccount } from './smtp-account.ts';

/** The longest that each stage may take, in milliseconds (security.md L6). */
export type SmtpLimits = {
  connectMs: number;
  greetingMs: number;
  silenceMs: number;
  letterMs: number;
  /** An unused connection is given back after this long. */
  idleMs: number;
};

export const SMTP_LIMITS: SmtpLimits = {
  connectMs: 10_000,
  greetingMs: 30_000,
  silenceMs: 60_000,
  // One that keeps answering a little forever is given up as well.
  letterMs: 240_000,
  idleMs: 30_000,
};

const signInOf = (account: SmtpAccount) =>
  'password' in account
    ? { user: account.user, pass: account.password }
    : { type: 'OAuth2' as const, user: account.user, accessToken: account.accessToken };

/** nodemailer's options for a destination that was judged: it is given an address and resolves nothing. */
export const connectionOptions = (account: SmtpAccount, destination: Destination, limits: SmtpLimits) =>
  ({
    host: destination.address,
    port: destination.port,
    secure: account.secure,
    requireTLS: kindOf(destination.address) !== 'loopback',
    // An address literal, as programs without a public name use it: the machine's own name is nobody's business.
    name: '[127.0.0.1]',
    auth: signInOf(account),
    tls: { minVersion: 'TLSv1.2', ...(destination.servername && { servername: destination.servername }) },
    connectionTimeout: limits.connectMs + limits.greetingMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.silenceMs,
    socketCloseTimeout: 1000,
    maxResponseSize: 64 * 1024,
    logger: false,
  }) satisfies SMTPPoolOptions;
