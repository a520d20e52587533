import type { VerifyStep } from '@forecourt/contract/email-settings';
import { OutboundError } from '../outbound/outbound.ts';
import { cut } from './cut.ts';

/** The step at which talking to a mail server ended: those of a connection test, and the message itself. */
type SmtpStep = VerifyStep | 'message';

/** What nodemailer hangs on its errors, as far as we read it. */
type Raw = Error & {
  code?: string;
  originalCode?: string;
  responseCode?: number;
  response?: string;
  timeoutType?: string;
  command?: string;
};

/** Why a mail server did not take a message, or could not be reached. */
export class SmtpFailure extends Error {
  readonly step: SmtpStep;
  /** The server said no for good: trying again would end the same way. */
  readonly isPermanent: boolean;

  constructor(step: SmtpStep, isPermanent: boolean, words: string) {
    super(words);
    this.step = step;
    this.isPermanent = isPermanent;
  }
}

/** A server's answer as one line of plain text, at most 300 characters. */
export const oneLine = (text: string): string => cut(text.replace(/[\p{C}\s]+/gu, ' ').trim(), 300);

const isTlsProblem = ({ code, originalCode = '', timeoutType, message, responseCode }: Raw) =>
  code === 'ETLS' ||
  timeoutType === 'UPGRADE_TIMEOUT' ||
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_)/.test(originalCode) ||
  // With an answer of the server the message is the server's, and may speak of anything.
  (responseCode === undefined && /certificate|wrong version number|TLS|SSL/.test(message));

function stepOf(error: Raw): SmtpStep {
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH') return 'signIn';
  if (isTlsProblem(error)) return 'tls';
  if (error.command === 'MAIL FROM') return 'sender';
  return error.code === 'EENVELOPE' || error.code === 'EMESSAGE' ? 'message' : 'connection';
}

/** Our own words for a step, without anything that the server said (security.md F4). */
const WORDS: Record<SmtpStep, string> = {
  name: 'The name of the mail server cannot be found. Check SMTP Host.',
  connection: 'The mail server did not answer as a mail server does. Check SMTP Host and SMTP Port.',
  tls: 'No trusted encrypted connection could be made. Check SMTP Port, Use SSL/TLS and the certificate of the server.',
  signIn: 'The mail server did not accept the username and password.',
  sender: 'The mail server does not accept mail from this address. Check From Email.',
  message: 'The mail server did not take the message.',
};

const REFUSED = 'Connections to this mail server are not allowed.';
const NO_STARTTLS = 'The mail server offers no encryption (STARTTLS). Check SMTP Port and Use SSL/TLS.';

const plain = (step: SmtpStep) => new SmtpFailure(step, false, WORDS[step]);

/** What ends a connection test and a delivery alike, before a server is asked for anything. */
function failureBefore(error: unknown): SmtpFailure | undefined {
  if (error instanceof OutboundError) {
    return error.reason === 'name' ? plain('name') : new SmtpFailure('connection', true, REFUSED);
  }
  const { command, responseCode = 0 } = error as Raw;
  return command === 'STARTTLS' && responseCode >= 500
    ? new SmtpFailure('tls', true, NO_STARTTLS)
    : undefined;
}

/** A failed connection test, in our own words only. */
export function verifyFailure(step: VerifyStep, error: unknown): SmtpFailure {
  const before = failureBefore(error);
  if (before) return before;
  const raw = error as Raw;
  if (step === 'connection') return plain(isTlsProblem(raw) ? 'tls' : step);
  // Without an answer nothing was refused: the line broke, or time ran out.
  return plain(step === 'name' || raw.responseCode !== undefined ? step : 'connection');
}

/**
 * A failed delivery. What the server answered to a message is told (product.md section 6); its greeting, and
 * what it said to a sign-in, are not.
 */
export function deliveryFailure(error: unknown): SmtpFailure {
  if (error instanceof SmtpFailure) return error;
  const before = failureBefore(error);
  if (before) return before;
  const raw = error as Raw;
  const step = stepOf(raw);
  const code = raw.responseCode ?? 0;
  // 503 and 421 speak of the conversation, not of the message.
  const isPermanent = code >= 500 && code < 600 && code !== 503;
  const hasWords = raw.response && (step === 'message' || step === 'sender');
  return new SmtpFailure(step, isPermanent, hasWords ? oneLine(raw.response!) : WORDS[step]);
}
