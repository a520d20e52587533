import { firstCharacters } from '@forecourt/contract/characters';
import type { VerifyStep } from '@forecourt/contract/email-settings';
import { OutboundError } from '../outbound/outbound.ts';
import { smtpRefusal } from './microsoft-refusals.ts';

/** A step of the connection test, or the message. */
type SmtpStep = VerifyStep | 'message';

/** The used properties of nodemailer's errors. */
type Raw = Error & {
  code?: string;
  originalCode?: string;
  responseCode?: number;
  response?: string;
  timeoutType?: string;
  command?: string;
};

/** Why a mail server rejected a message or could not be reached. */
export class SmtpFailure extends Error {
  readonly step: SmtpStep;
  /** A retry would fail in the same way. */
  readonly isPermanent: boolean;
  /** Addresses that the server accepted although it refused others. */
  readonly delivered: readonly string[];
  /** The server did not respond to the complete message, so it may have delivered it. */
  readonly isUnknown: boolean;
  /** The delay that the server requested. */
  readonly retryAfterSeconds: number;

  constructor(
    step: SmtpStep,
    isPermanent: boolean,
    message: string,
    { delivered = [], isUnknown = false, retryAfterSeconds = 0 }: Details = {},
  ) {
    super(message);
    this.step = step;
    this.isPermanent = isPermanent;
    this.delivered = delivered;
    this.isUnknown = isUnknown;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type Details = {
  delivered?: readonly string[];
  isUnknown?: boolean;
  retryAfterSeconds?: number | undefined;
};

/** The result of an attempt without a response. */
export const UNKNOWN_FATE = 'The connection ended before the answer. The mail server may have delivered it.';

/** Returns a server's response as one line of plain text, at most 300 characters. */
export const oneLine = (text: string): string =>
  firstCharacters(text.replace(/[\p{C}\s]+/gu, ' ').trim(), 300);

const isTlsProblem = ({ code, originalCode = '', timeoutType, message, responseCode }: Raw) =>
  code === 'ETLS' ||
  timeoutType === 'UPGRADE_TIMEOUT' ||
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_)/.test(originalCode) ||
  // With a response the message is the server's text, which could contain these words by chance.
  (responseCode === undefined && /certificate|wrong version number|TLS|SSL/.test(message));

function stepOf(error: Raw): SmtpStep {
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH') return 'signIn';
  if (isTlsProblem(error)) return 'tls';
  if (error.command === 'MAIL FROM') return 'sender';
  return error.code === 'EENVELOPE' || error.code === 'EMESSAGE' ? 'message' : 'connection';
}

/** Own messages for each step (docs/product/security.md, Own texts for mail servers). */
const MESSAGES: Record<SmtpStep, string> = {
  name: 'The name of the mail server cannot be found. Check SMTP Host.',
  connection: 'The mail server did not answer as a mail server does. Check SMTP Host and SMTP Port.',
  tls: 'No trusted encrypted connection could be made. Check SMTP Port, Use SSL/TLS and the certificate of the server.',
  signIn: 'The mail server did not accept the username and password.',
  sender: 'The mail server does not accept mail from this address. Check From Email.',
  message: 'The mail server did not take the message.',
};

const REFUSED = 'Connections to this mail server are not allowed.';
const NO_STARTTLS = 'The mail server offers no encryption (STARTTLS). Check SMTP Port and Use SSL/TLS.';

const failureOf = (step: SmtpStep) => new SmtpFailure(step, false, MESSAGES[step]);

/** Returns failures before the first command, which a connection test and a delivery share. */
function commonFailure(error: unknown): SmtpFailure | undefined {
  if (error instanceof OutboundError) {
    return error.reason === 'name' ? failureOf('name') : new SmtpFailure('connection', true, REFUSED);
  }
  const { command, responseCode = 0 } = error as Raw;
  return command === 'STARTTLS' && responseCode >= 500
    ? new SmtpFailure('tls', true, NO_STARTTLS)
    : undefined;
}

/** Returns the failure of a connection test, with messages of this program only. */
export function verifyFailure(step: VerifyStep, error: unknown): SmtpFailure {
  const common = commonFailure(error);
  if (common) return common;
  const raw = error as Raw;
  if (step === 'connection') return failureOf(isTlsProblem(raw) ? 'tls' : step);
  const advice = raw.response === undefined ? undefined : smtpRefusal(raw.response);
  if (advice) return new SmtpFailure(step, false, advice);
  // Without a response the connection broke or timed out.
  return failureOf(step === 'name' || raw.responseCode !== undefined ? step : 'connection');
}

/**
 * Returns the failure of a delivery. It contains the server's response to a message (docs/product/email.md, Sending),
 * but not its greeting or its response to a sign-in.
 * @param isHandedOver whether the complete message was sent
 */
export function deliveryFailure(error: unknown, isHandedOver = false): SmtpFailure {
  if (error instanceof SmtpFailure) return error;
  const common = commonFailure(error);
  if (common) return common;
  const raw = error as Raw;
  if (isHandedOver && raw.responseCode === undefined)
    return new SmtpFailure('connection', false, UNKNOWN_FATE, { isUnknown: true });
  const step = stepOf(raw);
  const advice = raw.response && smtpRefusal(raw.response);
  if (advice) return new SmtpFailure(step, isPermanent(raw), advice);
  const isShown = raw.response && (step === 'message' || step === 'sender');
  return new SmtpFailure(step, isPermanent(raw), isShown ? oneLine(raw.response!) : MESSAGES[step]);
}

type Refusal = { response?: string | undefined; responseCode?: number | undefined };

/** 503 and 421 concern the conversation, not the message. */
const isPermanent = ({ responseCode: code = 0 }: Refusal): boolean =>
  code >= 500 && code < 600 && code !== 503;

/**
 * Returns the failure of a message that the server accepted for some recipients only. A temporary refusal has
 * precedence, because the next attempt includes all refused recipients.
 */
export function partialFailure(refusals: readonly Refusal[], delivered: readonly string[]): SmtpFailure {
  const refusal = refusals.find((each) => !isPermanent(each)) ?? refusals[0];
  const answer = refusal?.response ? oneLine(refusal.response) : MESSAGES.message;
  return new SmtpFailure('message', refusal !== undefined && isPermanent(refusal), answer, { delivered });
}
