import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';

/** How Graph treats one message. */
type GraphReply =
  | 'accept'
  /** Takes the whole request and ends the connection without an answer. */
  | 'drop'
  | { status: number; code?: string; headers?: Record<string, string> };

export type Graph = {
  /** The address of the API. */
  url: string;
  /** The accepted messages, as their recipients get them. */
  accepted: Email[];
  /** Number of whole messages received, accepted or not. */
  arrived(): number;
  /** The replies of the next messages in order; later ones are accepted. */
  next(...replies: GraphReply[]): void;
  close(): Promise<void>;
};

/** Whose mailbox a token opens, and whether it is for this scope. */
type Options = { address: string; holds: (token: string, scope: string) => boolean };

/**
 * Starts a Microsoft Graph on 127.0.0.1, with `GET /me` and `POST /me/sendMail` for MIME messages. Like the real one it
 * checks token, scope, Content-Type, base64, sender and size.
 */
export async function openGraph({ address, holds }: Options): Promise<Graph> {
  const replies: GraphReply[] = [];
  const accepted: Email[] = [];
  let arrived = 0;

  async function respond(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const refuse = (status: number, code = '', headers = {}) =>
      void reply
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ error: { code, message: `About ${code}.` } }));
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const route = `${request.method} ${url.pathname}`;
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!holds(token, 'User.Read') && !holds(token, 'Mail.Send'))
      return refuse(401, 'InvalidAuthenticationToken');
    if (route === 'GET /v1.0/me') {
      if (!holds(token, 'User.Read')) return refuse(403, 'Authorization_RequestDenied');
      return void reply
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ mail: address, userPrincipalName: address }));
    }
    if (route !== 'POST /v1.0/me/sendMail') return refuse(404, 'BadRequest');
    if (!holds(token, 'Mail.Send')) return refuse(403, 'ErrorAccessDenied');
    const body = await bodyOf(request);
    if (request.headers['content-type'] !== 'text/plain') return refuse(415, 'RequestBodyRead');
    if (body.length > 4 * 1024 * 1024) return refuse(413, 'ErrorMessageSizeExceeded');
    const mime = Buffer.from(body, 'base64');
    if (mime.toString('base64') !== body) return refuse(400, 'ErrorMimeContentInvalidBase64String');
    const mail = await PostalMime.parse(mime);
    if (mail.from?.address !== address) return refuse(403, 'ErrorSendAsDenied');
    arrived += 1;
    const answer = replies.shift() ?? 'accept';
    if (answer === 'drop') return void request.socket.destroy();
    if (answer !== 'accept') return refuse(answer.status, answer.code, answer.headers);
    accepted.push(mail);
    reply.writeHead(202, { 'request-id': 'r-1' }).end();
  }

  const server = createServer((request, reply) => void respond(request, reply));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1.0`,
    accepted,
    arrived: () => arrived,
    next: (...given) => void replies.push(...given),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
