import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import { kindOf } from '../outbound/addresses.ts';
import type { Destination } from '../outbound/outbound.ts';
import type { SmtpAccount } from './smtp-account.ts';

/** The timeout of each stage, in milliseconds (docs/product/security.md, Slow mail servers delay nobody else). */
export const SMTP_LIMITS = {
  connectMs: 10_000,
  greetingMs: 30_000,
  silenceMs: 60_000,
  // Also ends a server that sends a few bytes at a time for ever.
  messageMs: 240_000,
  /** An unused connection is closed after this long. */
  idleMs: 30_000,
};

export type SmtpLimits = typeof SMTP_LIMITS;

const signInOf = (account: SmtpAccount) =>
  'password' in account
    ? { user: account.user, pass: account.password }
    : { type: 'OAuth2' as const, user: account.user, accessToken: account.accessToken };

/** Returns nodemailer's options for a permitted destination. The host is an address, so nothing is resolved again. */
export const connectionOptions = (account: SmtpAccount, destination: Destination, limits: SmtpLimits) =>
  ({
    host: destination.address,
    port: destination.port,
    secure: account.secure,
    requireTLS: kindOf(destination.address) !== 'loopback',
    // An address literal, as usual for clients without a public name: discloses no host name.
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
