import type { VerifyStep } from '@forecourt/contract/email-settings';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Outbound } from '../outbound/outbound.ts';
import { askForSender } from './sender-question.ts';
import type { PasswordAccount } from './smtp-account.ts';
import { verifyFailure } from './smtp-failure.ts';
import { connectionOptions, SMTP_LIMITS } from './smtp.ts';

/** All steps together (security.md F4). */
const TOTAL_MS = 10_000;

/**
 * Goes through the steps of a delivery without sending anything: name, connection, TLS, sign-in, and whether
 * the server takes mail from the address. Throws SmtpFailure with the step that failed, in our own words.
 */
export async function verifyAccount(
  outbound: Outbound,
  account: PasswordAccount,
  fromAddress: string,
  totalMs = TOTAL_MS,
): Promise<void> {
  let step: VerifyStep = 'name';
  let connection: SMTPConnection | undefined;
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('too late')), totalMs);

  async function steps(): Promise<void> {
    const destination = await outbound.destination(account.host, account.port);
    step = 'connection';
    const { auth: _auth, ...options } = connectionOptions(account, destination, SMTP_LIMITS);
    const credentials = { user: account.user, pass: account.password };
    connection = new SMTPConnection({ ...options, customAuth: { 'MAIL FROM': askForSender(fromAddress) } });
    const open = connection;
    const broken = new Promise<never>((_resolve, reject) => {
      open.on('error', reject);
      open.on('end', () => reject(new Error('connection ended')));
    });
    // Whatever breaks after the last step concerns nobody.
    broken.catch(() => {});
    const through = (start: (done: (error?: Error | null) => void) => void) =>
      Promise.race([
        broken,
        new Promise<void>((resolve, reject) => start((error) => (error ? reject(error) : resolve()))),
      ]);
    await through((done) => open.connect(done));
    step = 'signIn';
    // A relay that offers no sign-in takes mail from whoever reaches it.
    if (open.allowsAuth) await through((done) => open.login(credentials, done));
    step = 'sender';
    await through((done) => open.login({ method: 'MAIL FROM', ...credentials }, done));
  }

  try {
    await Promise.race([steps(), late.promise]);
  } catch (error) {
    throw verifyFailure(step, error);
  } finally {
    clearTimeout(timer);
    connection?.close();
  }
}
