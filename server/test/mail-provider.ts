import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from '../src/features/email-settings/mail-providers.ts';

type Grant = { redirectUri: string; challenge: string; scope: string };

export type TestProvider = {
  provider: Provider;
  /** Opens an authorisation URL, consents, and returns code and state. */
  consent(url: string): Promise<{ code: string; state: string }>;
  /** Whether an access token was issued here, is still valid, and is for this scope. */
  holds(token: string, scope?: string): boolean;
  /** The errors of the next requests for tokens, in order: `error` and `error_description`. */
  refuse(...errors: { error: string; description: string }[]): void;
  /** Number of access tokens issued. */
  tokensGiven(): number;
  /** Revokes the consent. */
  withdraw(): void;
  /** While true, returns invalid responses. */
  breakDown(isBroken: boolean): void;
  close(): Promise<void>;
};

/** The ways in which the provider takes mail: an SMTP server on this port, or Graph at this address. */
type Ways = { smtpPort?: number; graph?: string };

/**
 * Starts a provider on 127.0.0.1 that verifies client, redirect URL, proof key, single use of codes, and rotating
 * refresh tokens, as a real one does.
 */
export async function openMailProvider({ smtpPort, graph }: Ways): Promise<TestProvider> {
  const grants = new Map<string, Grant>();
  /** Scopes by token. */
  const refreshTokens = new Map<string, string>();
  const accessTokens = new Map<string, string>();
  const refusals: { error: string; description: string }[] = [];
  let isBroken = false;

  async function respond(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const sendJson = (status: number, body: object) => {
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (isBroken) return void reply.writeHead(500).end('out of order');
    if (url.pathname === '/authorize') {
      const query = Object.fromEntries(url.searchParams);
      if (query.client_id !== 'test-client' || query.code_challenge_method !== 'S256')
        return sendJson(400, {});
      const code = randomUUID();
      grants.set(code, {
        redirectUri: query.redirect_uri!,
        challenge: query.code_challenge!,
        scope: query.scope!,
      });
      const back = new URL(query.redirect_uri!);
      back.search = new URLSearchParams({ code, state: query.state! }).toString();
      return void reply.writeHead(302, { location: back.href }).end();
    }
    const form = new URLSearchParams(await bodyOf(request));
    if (form.get('client_secret') !== 'test-secret') return sendJson(401, { error: 'invalid_client' });
    const refusal = refusals.shift();
    if (refusal) return sendJson(400, { error: refusal.error, error_description: refusal.description });
    const scope = grantedScope(form);
    if (scope === undefined) return sendJson(400, { error: 'invalid_grant' });
    const [access_token, refresh_token] = [randomUUID(), randomUUID()];
    accessTokens.set(access_token, scope);
    refreshTokens.set(refresh_token, scope);
    return sendJson(200, { access_token, refresh_token, scope, token_type: 'Bearer', expires_in: 3600 });
  }
  const server = createServer((request, reply) => void respond(request, reply));

  /** Uses up a code or refresh token, and returns its scope. */
  function grantedScope(form: URLSearchParams): string | undefined {
    if (form.get('grant_type') === 'refresh_token') {
      const token = form.get('refresh_token') ?? '';
      const scope = refreshTokens.get(token);
      refreshTokens.delete(token);
      return scope;
    }
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return grant?.redirectUri === form.get('redirect_uri') && grant.challenge === proof
      ? grant.scope
      : undefined;
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    provider: {
      name: 'Microsoft 365',
      authorizationUrl: `${base}/authorize`,
      tokenUrl: `${base}/token`,
      scope: graph === undefined ? 'smtp' : 'Mail.Send User.Read',
      extra: {},
      server: { host: '127.0.0.1', port: smtpPort ?? Number(new URL(graph!).port), secure: false },
      ...(graph !== undefined && { graph }),
      clientId: 'test-client',
      clientSecret: 'test-secret',
    },
    async consent(url) {
      const response = await fetch(url, { redirect: 'manual' });
      const back = new URL(response.headers.get('location')!);
      return { code: back.searchParams.get('code')!, state: back.searchParams.get('state')! };
    },
    holds: (token, scope = 'smtp') => accessTokens.get(token)?.split(' ').includes(scope) ?? false,
    refuse: (...errors) => void refusals.push(...errors),
    tokensGiven: () => accessTokens.size,
    withdraw() {
      refreshTokens.clear();
      accessTokens.clear();
    },
    breakDown: (broken) => void (isBroken = broken),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
