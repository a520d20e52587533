import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from '../src/features/email-settings/mail-providers.ts';

type Grant = { redirectUri: string; challenge: string };

export type TestProvider = {
  provider: Provider;
  /** Follows an address to the provider, consents there, and answers what it gives back. */
  consent(url: string): Promise<{ code: string; state: string }>;
  /** Whether an access token was given out here and still holds. */
  holds(token: string): boolean;
  /** Access tokens given out so far. */
  tokensGiven(): number;
  /** What was consented to holds no longer. */
  withdraw(): void;
  /** Answers nothing sensible until it is called again. */
  breakDown(isBroken: boolean): void;
  close(): Promise<void>;
};

/**
 * A provider on 127.0.0.1 that checks what a real one checks: client, redirect address, proof key, single use of
 * codes, and refresh tokens that change with every use.
 */
export async function openMailProvider(smtpPort: number): Promise<TestProvider> {
  const grants = new Map<string, Grant>();
  const refreshTokens = new Set<string>();
  const accessTokens = new Set<string>();
  let isBroken = false;

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const say = (status: number, body: object) => {
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (isBroken) return void reply.writeHead(500).end('out of order');
    if (url.pathname === '/authorize') {
      const asked = Object.fromEntries(url.searchParams);
      if (asked.client_id !== 'test-client' || asked.code_challenge_method !== 'S256') return say(400, {});
      const code = randomUUID();
      grants.set(code, { redirectUri: asked.redirect_uri!, challenge: asked.code_challenge! });
      const back = new URL(asked.redirect_uri!);
      back.search = new URLSearchParams({ code, state: asked.state! }).toString();
      return void reply.writeHead(302, { location: back.href }).end();
    }
    const form = new URLSearchParams(await bodyOf(request));
    if (form.get('client_secret') !== 'test-secret') return say(401, { error: 'invalid_client' });
    if (!isGranted(form)) return say(400, { error: 'invalid_grant' });
    const [access_token, refresh_token] = [randomUUID(), randomUUID()];
    accessTokens.add(access_token);
    refreshTokens.add(refresh_token);
    return say(200, { access_token, refresh_token, token_type: 'Bearer', expires_in: 3600 });
  }
  const server = createServer((request, reply) => void answer(request, reply));

  function isGranted(form: URLSearchParams): boolean {
    if (form.get('grant_type') === 'refresh_token')
      return refreshTokens.delete(form.get('refresh_token') ?? '');
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return grant?.redirectUri === form.get('redirect_uri') && grant.challenge === proof;
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    provider: {
      name: 'Microsoft 365',
      authorizationUrl: `${base}/authorize`,
      tokenUrl: `${base}/token`,
      scope: 'smtp',
      extra: {},
      smtp: { host: '127.0.0.1', port: smtpPort, secure: false },
      clientId: 'test-client',
      clientSecret: 'test-secret',
    },
    async consent(url) {
      const answer = await fetch(url, { redirect: 'manual' });
      const back = new URL(answer.headers.get('location')!);
      return { code: back.searchParams.get('code')!, state: back.searchParams.get('state')! };
    },
    holds: (token) => accessTokens.has(token),
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
