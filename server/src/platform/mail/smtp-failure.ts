import { firstCharacters } from '@forecourt/contract/characters';
import type { VerifyStep } from '@forecourt/contract/email-settings';
import { OutboundError } from '../outbound/outbound.ts';
import { smtpRefusal } from './microsoft-refusals.ts';

/** The step that failed: one of the connection test, or the message itself. */
type SmtpStep = VerifyStep | 'message';

/** The properties of nodemailer's errors that are used here. */
type Raw = Error & {
  code?: string;
  originalCode?: string;
  responseCode?: number;
  response?: string;
  timeoutType?: string;
  command?: string;
};

/** The reason why a mail server rejected a message or could not be reached. */
export class SmtpFailure extends Error {
  readonly step: SmtpStep;
  /** A permanent rejection: a retry would fail in the same way. */
  readonly isPermanent: boolean;
  /** Addresses that received the message although the server refused others. */
  readonly delivered: readonly string[];
  /** The whole message was handed over and no response came: the server may have delivered it. */
  readonly isUnknown: boolean;
  /** The delay that the server asks for. */
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

/** The result of an attempt whose response is lost. */
export const UNKNOWN_FATE = 'The connection ended before the answer. The mail server may have delivered it.';

/** Returns a server's response as one line of plain text, at most 300 characters. */
export const oneLine = (text: string): string =>
  firstCharacters(text.replace(/[\p{C}\s]+/gu, ' ').trim(), 300);

const isTlsProblem = ({ code, originalCode = '', timeoutType, message, responseCode }: Raw) =>
  code === 'ETLS' ||
  timeoutType === 'UPGRADE_TIMEOUT' ||
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_)/.test(originalCode) ||
  // With a response the message is the server's text, which may mention anything.
  (responseCode === undefined && /certificate|wrong version number|TLS|SSL/.test(message));

function stepOf(error: Raw): SmtpStep {
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH') return 'signIn';
  if (isTlsProblem(error)) return 'tls';
  if (error.command === 'MAIL FROM') return 'sender';
  return error.code === 'EENVELOPE' || error.code === 'EMESSAGE' ? 'message' : 'connection';
}

/** The program's own message for each step, without any text of the server (docs/product/security.md, Own texts for mail servers). */
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

/** Returns the failures common to a connection test and a delivery, which occur before the first command. */
function commonFailure(error: unknown): SmtpFailure | undefined {
  if (error instanceof OutboundError) {
    return error.reason === 'name' ? failureOf('name') : new SmtpFailure('connection', true, REFUSED);
  }
  const { command, responseCode = 0 } = error as Raw;
  return command === 'STARTTLS' && responseCode >= 500
    ? new SmtpFailure('tls', true, NO_STARTTLS)
    : undefined;
}

/** Returns the failure of a connection test, with the program's own messages only. */
export function verifyFailure(step: VerifyStep, error: unknown): SmtpFailure {
  const common = commonFailure(error);
  if (common) return common;
  const raw = error as Raw;
  if (step === 'connection') return failureOf(isTlsProblem(raw) ? 'tls' : step);
  const known = raw.response === undefined ? undefined : smtpRefusal(raw.response);
  if (known) return new SmtpFailure(step, false, known);
  // Without a response nothing was rejected: the connection broke or timed out.
  return failureOf(step === 'name' || raw.responseCode !== undefined ? step : 'connection');
}

/**
 * Returns the failure of a delivery. The server's response to a message is shown (docs/product/email.md, Sending); its
 * greeting and its response to a sign-in are not.
 * @param isHandedOver the whole message was
 */
export function deliveryFailure(error: unknown, isHandedOver = false): SmtpFailure {
  if (error instanceof SmtpFailure) return error;
  const common = commonFailure(error);
  if (common) return common;
  const raw = error as Raw;
  if (isHandedOver && raw.responseCode === undefined)
    return new SmtpFailure('connection', false, UNKNOWN_FATE, { isUnknown: true });
  const step = stepOf(raw);
  const known = raw.response && smtpRefusal(raw.response);
  if (known) return new SmtpFailure(step, isPermanent(raw), known);
  const isShown = raw.response && (step === 'message' || step === 'sender');
  return new SmtpFailure(step, isPermanent(raw), isShown ? oneLine(raw.response!) : MESSAGES[step]);
}

type Refusal = { response?: string | undefined; responseCode?: number | undefined };

/** 503 and 421 concern the conversation, not the message. */
const isPermanent = ({ responseCode: code = 0 }: Refusal): boolean =>
  code >= 500 && code < 600 && code !== 503;

/**
 * Returns the failure of a message that the server accepted for some recipients only. A temporary refusal comes first:
 * the next attempt asks for all of the others again.
 */
export function partialFailure(refusals: readonly Refusal[], delivered: readonly string[]): SmtpFailure {
  const refusal = refusals.find((each) => !isPermanent(each)) ?? refusals[0];
  const answer = refusal?.response ? oneLine(refusal.response) : MESSAGES.message;
  return new SmtpFailure('message', refusal !== undefined && isPermanent(refusal), answer, { delivered });
}
