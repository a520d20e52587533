import type { VerifyStep } from '@forecourt/contract/email-settings';
import { createTransport } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SMTPConnectionCustomAuthHandler } from 'nodemailer/lib/smtp-connection';
import type { Outbound } from '../outbound/outbound.ts';
import { withTimeout } from '../with-timeout.ts';
import { createGraphAgent, tryGraph } from './graph.ts';
import type { MailAccount, PasswordAccount } from './smtp-account.ts';
import { verifyFailure } from './smtp-failure.ts';
import { connectionOptions, SMTP_LIMITS } from './smtp.ts';

/**
 * Tests whether a server would accept mail from an address, then resets the transaction. It is an authentication
 * method, because nodemailer permits custom commands only there.
 */
const createSenderProbe =
  (address: string): SMTPConnectionCustomAuthHandler =>
  async (ctx) => {
    const response = await ctx.sendCommand(`MAIL FROM:<${address}>`);
    if (response.status >= 400) throw new Error('sender refused');
    await ctx.sendCommand('RSET');
  };

/** The timeout of all steps together (docs/product/security.md, Own texts for mail servers). */
const TOTAL_MS = 10_000;

/**
 * Runs the steps of a delivery without sending: name, connection, TLS, sign-in, and whether the server accepts mail
 * from the address. Throws SmtpFailure with the failed step and a message of this program.
 */
export async function verifyAccount(
  outbound: Outbound,
  account: PasswordAccount,
  fromAddress: string,
  totalMs = TOTAL_MS,
): Promise<void> {
  let step: VerifyStep = 'name';
  let connection: SMTPConnection | undefined;

  async function runSteps(): Promise<void> {
    const destination = await outbound.destination(account.host, account.port);
    step = 'connection';
    const { auth: _auth, ...options } = connectionOptions(account, destination, SMTP_LIMITS);
    const credentials = { user: account.user, pass: account.password };
    connection = new SMTPConnection({
      ...options,
      customAuth: { 'MAIL FROM': createSenderProbe(fromAddress) },
    });
    const open = connection;
    const broken = new Promise<never>((_resolve, reject) => {
      open.on('error', reject);
      open.on('end', () => reject(new Error('connection ended')));
    });
    // Avoids an unhandled rejection after the last step.
    broken.catch(() => {});
    const runStep = (start: (done: (error?: Error | null) => void) => void) =>
      Promise.race([
        broken,
        new Promise<void>((resolve, reject) => start((error) => (error ? reject(error) : resolve()))),
      ]);
    await runStep((done) => open.connect(done));
    step = 'signIn';
    // A relay without authentication accepts mail from every client that can reach it.
    if (open.allowsAuth) await runStep((done) => open.login(credentials, done));
    step = 'sender';
    await runStep((done) => open.login({ method: 'MAIL FROM', ...credentials }, done));
  }

  try {
    await withTimeout(totalMs, runSteps(), () => {
      throw new Error('too late');
    });
  } catch (error) {
    throw verifyFailure(step, error);
  } finally {
    connection?.close();
  }
}

/** Signs in to the server of a connected mailbox without sending a message. Throws its error. */
export async function tryMailbox(outbound: Outbound, account: MailAccount): Promise<void> {
  if ('graph' in account) {
    const agent = createGraphAgent(account);
    const signal = AbortSignal.timeout(TOTAL_MS);
    return tryGraph({ outbound, agent, limits: SMTP_LIMITS, signal }, account);
  }
  const destination = await outbound.destination(account.host, account.port);
  const transport = createTransport(connectionOptions(account, destination, SMTP_LIMITS));
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}
