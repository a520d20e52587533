import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import MailComposer from 'nodemailer/lib/mail-composer';
import { z } from 'zod';
import { kindOf } from '../outbound/addresses.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { graphRefusal } from './microsoft-refusals.ts';
import { toNodemailer, type MimeMessage } from './mime-message.ts';
import type { GraphAccount } from './smtp-account.ts';
import { deliveryFailure, oneLine, SmtpFailure, UNKNOWN_FATE } from './smtp-failure.ts';
import type { SmtpLimits } from './smtp.ts';

/** Microsoft serves four concurrent requests of a mailbox, and two instances may send for it. */
const CONNECTIONS = 2;

/** Maximum size of a request to Microsoft Graph. */
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;

/** Maximum bytes of files in such a request, which encodes a file in base64, and then the message again. */
export const MAX_GRAPH_FILES_BYTES = 2 * 1024 * 1024;

const MAX_ANSWER_BYTES = 64 * 1024;

export type GraphAgent = HttpAgent;

/** Opens a connection per request: a reused one may close at that moment, which leaves the delivery unknown. */
export const createGraphAgent = ({ graph }: GraphAccount): GraphAgent =>
  graph.startsWith('https:')
    ? new HttpsAgent({ maxSockets: CONNECTIONS, minVersion: 'TLSv1.2' })
    : new HttpAgent({ maxSockets: CONNECTIONS });

type Call = { method: 'GET' | 'POST'; path: string; body?: string };
type Answer = { status: number; headers: IncomingMessage['headers']; body: string };
type Parts = { outbound: Outbound; agent: GraphAgent; limits: SmtpLimits; signal: AbortSignal };

/** Sends one request. Throws SmtpFailure; the delivery is unknown if the whole request was already sent. */
async function request({ outbound, agent, limits, signal }: Parts, account: GraphAccount, call: Call) {
  const url = new URL(account.graph + call.path);
  const port = Number(url.port || 443);
  const { address, servername } = await outbound.destination(url.hostname, port).catch((error: unknown) => {
    throw connectionFailure(error);
  });
  // Plain http only for this machine, on which the tests run a server.
  if (url.protocol !== 'https:' && kindOf(address) !== 'loopback')
    throw new SmtpFailure('tls', true, 'Microsoft Graph needs an address with https.');
  let isHandedOver = false;
  return new Promise<Answer>((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(
        isHandedOver && call.method === 'POST'
          ? new SmtpFailure('connection', false, UNKNOWN_FATE, { isUnknown: true })
          : connectionFailure(error),
      );
    const outgoing = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      {
        agent,
        host: address,
        port,
        ...(servername && { servername }),
        method: call.method,
        path: url.pathname + url.search,
        headers: {
          host: url.host,
          authorization: `Bearer ${account.accessToken}`,
          accept: 'application/json',
          ...(call.body !== undefined && {
            'content-type': 'text/plain',
            'content-length': Buffer.byteLength(call.body),
          }),
        },
        signal,
      },
      (incoming) => {
        let body = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          if (body.length < MAX_ANSWER_BYTES) body += chunk;
        });
        // Only the status decides. A truncated body is reported as far as it was received.
        incoming.on('close', () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body }),
        );
        incoming.on('error', () => {});
      },
    );
    outgoing.setTimeout(limits.silenceMs, () => outgoing.destroy(new Error('no answer')));
    outgoing.on('finish', () => (isHandedOver = true));
    outgoing.on('error', fail);
    outgoing.end(call.body);
  });
}

function connectionFailure(error: unknown): SmtpFailure {
  const failure = deliveryFailure(error);
  if (failure.isPermanent) return failure;
  const text =
    failure.step === 'tls'
      ? 'No trusted encrypted connection to Microsoft Graph could be made.'
      : 'Microsoft Graph cannot be reached.';
  return new SmtpFailure(failure.step, false, text);
}

/** The used properties of Microsoft Graph's responses; a response of another shape has none. */
const GraphAnswer = z.object({
  error: z.object({ code: z.string().catch(''), message: z.string().catch('') }).optional(),
  mail: z.string().nullish(),
  userPrincipalName: z.string().nullish(),
});

function parse(body: string): z.infer<typeof GraphAnswer> {
  try {
    return GraphAnswer.catch({}).parse(JSON.parse(body));
  } catch {
    return {};
  }
}

/** 500, 502 and 504 come from a proxy, whose server may have accepted the message. */
const isUnknown = (status: number): boolean => [408, 500, 502, 504].includes(status) || status < 400;

const isExhausted = (code: string): boolean =>
  code === 'ErrorExceededMessageLimit' || code === 'ErrorQuotaExceeded';

function refusalOf({ status, headers, body }: Answer): SmtpFailure {
  const { code = '', message = '' } = parse(body).error ?? {};
  const advice = graphRefusal(code);
  const retryAfterSeconds = Number(headers['retry-after']) || undefined;
  if (status === 429 || isExhausted(code)) {
    const text = advice ?? 'Microsoft 365 takes no more messages of this mailbox for a while.';
    return new SmtpFailure('connection', false, text, { retryAfterSeconds });
  }
  if (status === 401) {
    return new SmtpFailure(
      'signIn',
      true,
      'Microsoft 365 does not accept the access to this mailbox any more. Connect it again in General Settings.',
    );
  }
  if (isUnknown(status)) return new SmtpFailure('connection', false, UNKNOWN_FATE, { isUnknown: true });
  if (status >= 500) {
    return new SmtpFailure('connection', false, 'Microsoft 365 is not available at the moment.', {
      retryAfterSeconds,
    });
  }
  if (status === 413 || code === 'ErrorMessageSizeExceeded') return tooLarge();
  if (code === 'ErrorSendAsDenied') return new SmtpFailure('sender', true, advice!);
  if (advice || status === 403)
    return new SmtpFailure('signIn', true, advice ?? graphRefusal('ErrorAccessDenied')!);
  return new SmtpFailure('message', true, oneLine(`${status} ${code} ${message}`));
}

const tooLarge = () =>
  new SmtpFailure(
    'message',
    true,
    'The message is larger than Microsoft Graph accepts: attachments of about 2 MB together. Send fewer files, or let an administrator set OAUTH_MICROSOFT_SEND=smtp.',
  );

/** Microsoft Graph has no envelope, so recipients who already have the message are removed from the headers. */
const withoutDelivered = ({ recipients, ...message }: MimeMessage): MimeMessage => {
  if (!recipients) return message;
  const isMissing = (address: string) => recipients.includes(address);
  return { ...message, to: message.to.filter(isMissing), cc: message.cc.filter(isMissing) };
};

/** Sends a message, which Microsoft also saves in Sent Items. Returns the response. Throws SmtpFailure. */
export async function sendByGraph(
  parts: Parts,
  account: GraphAccount,
  message: MimeMessage,
): Promise<string> {
  const options = toNodemailer(message);
  const { to, cc } = withoutDelivered(message);
  const named = (address: string) => ({ name: '', address });
  const mime = await new MailComposer({ ...options, to: to.map(named), cc: cc.map(named) }).compile().build();
  const body = mime.toString('base64');
  if (body.length > MAX_REQUEST_BYTES) throw tooLarge();
  const answer = await request(parts, account, { method: 'POST', path: '/me/sendMail', body });
  if (answer.status !== 202) throw refusalOf(answer);
  return oneLine(`202 Accepted ${String(answer.headers['request-id'] ?? '')}`);
}

/**
 * Tests whether the account has this mailbox and may send, without sending: Microsoft refuses an invalid body with 400
 * only after it has accepted token, permission and mailbox. Throws SmtpFailure.
 */
export async function tryGraph(parts: Parts, account: GraphAccount): Promise<void> {
  const me = await request(parts, account, {
    method: 'GET',
    path: '/me?$select=mail,userPrincipalName',
  });
  if (me.status !== 200) throw refusalOf(me);
  const { mail, userPrincipalName } = parse(me.body);
  const address = mail ?? userPrincipalName ?? '';
  if (address.toLowerCase() !== account.user.toLowerCase()) {
    throw new SmtpFailure(
      'sender',
      true,
      `The account that gave consent has the mailbox ${oneLine(address)}. Connect that address, or sign in with the account of ${account.user}.`,
    );
  }
  const probe = await request(parts, account, { method: 'POST', path: '/me/sendMail', body: '.' });
  if (probe.status !== 400) throw refusalOf(probe);
}
