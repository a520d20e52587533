import type { ErrorCode } from '@forecourt/contract/errors';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refusalOf, stubServer } from './api.fixture.ts';
import { addressOf, call, setRefusalHandlers } from './api.ts';
import { clientLog } from './client-log.ts';
import { person } from './person.fixture.ts';
import { storageKeys, writeStored } from './storage-keys.ts';

test('an address contains its parameters and query, encoded', () => {
  expect(addressOf('/dealerships/:id', { id: 'a/b ?' })).toBe('/api/dealerships/a%2Fb%20%3F');
  expect(addressOf('/deals', {}, { search: 'a&b', status: undefined })).toBe('/api/deals?search=a%26b');
  expect(addressOf('/deals', {}, { status: undefined })).toBe('/api/deals');
});

describe('the time limit of a call', () => {
  /** Behaviour of the server per attempt; the last one repeats. */
  let behaviour: ((signal: AbortSignal) => Promise<Response>)[];
  let attempts: number;
  const silent = (signal: AbortSignal) =>
    new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const lineDown = () => Promise.reject(new TypeError('Failed to fetch'));
  const status = (code: number) => () => Promise.resolve(new Response('{}', { status: code }));

  beforeEach(() => {
    vi.useFakeTimers();
    attempts = 0;
    vi.stubGlobal('window', {});
    vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
      attempts += 1;
      return (behaviour[attempts - 1] ?? behaviour.at(-1)!)(signal);
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Time at which the call ended, in milliseconds, and its result. */
  async function outcome(started: Promise<unknown>): Promise<{ after: number; code: string }> {
    const begun = Date.now();
    const ended = started.then(
      () => 'OK',
      (error: { code: string }) => error.code,
    );
    const code = ended.then((value) => ({ after: Date.now() - begun, code: value }));
    await vi.runAllTimersAsync();
    return code;
  }

  test('the time limit of a call ends a read of a silent server after 15 s, in one attempt', async () => {
    behaviour = [silent];
    expect(await outcome(call('GET /deals/options'))).toEqual({ after: 15_000, code: 'TIMEOUT' });
    expect(attempts).toBe(1);
  });

  test('the time limit of a call includes the retries: a connection that recovers to a silent server', async () => {
    behaviour = [lineDown, silent];
    expect(await outcome(call('GET /deals/options'))).toEqual({ after: 15_000, code: 'TIMEOUT' });
    expect(attempts).toBe(2);
  });

  test.each([
    ['a broken line', lineDown, 'NETWORK'],
    ['a database that is away', status(503), 'UNREADABLE'],
  ])(
    'the time limit of a call tries %s three times and rejects with the last failure',
    async (_, behaves, code) => {
      behaviour = [behaves];
      expect(await outcome(call('GET /deals/options'))).toEqual({ after: 3000, code });
      expect(attempts).toBe(3);
    },
  );

  test.each([
    [2500, 1000],
    [1000, 0],
  ])(
    'the time limit of a call of %i ms starts no wait that would reach it: the call ends after %i ms',
    async (timeoutMs, after) => {
      behaviour = [lineDown];
      expect(await outcome(call('GET /deals/options', { timeoutMs }))).toEqual({ after, code: 'NETWORK' });
      expect(attempts).toBe(after / 1000 + 1);
    },
  );

  test('the time limit of a call returns the response of a later attempt, and leaves no timer', async () => {
    behaviour = [lineDown, status(200)];
    const response = call('GET /deals/options');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await response).toEqual({});
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['a change', () => call('POST /auth/logout')],
    ['a read that its caller repeats', () => call('GET /auth/me', { once: true })],
  ])('the time limit of a call sends %s once', async (_, start) => {
    behaviour = [lineDown];
    expect(await outcome(start())).toEqual({ after: 0, code: 'NETWORK' });
    expect(attempts).toBe(1);
  });

  test('the time limit of a call sends a refused read once', async () => {
    behaviour = [status(404)];
    expect(await outcome(call('GET /deals/options'))).toEqual({ after: 0, code: 'UNREADABLE' });
    expect(attempts).toBe(1);
  });

  test('the time limit of a call ends a wait when the caller aborts', async () => {
    behaviour = [lineDown];
    const leaving = new AbortController();
    const started = call('GET /deals/options', { signal: leaving.signal });
    setTimeout(() => leaving.abort({ code: 'LEFT' }), 500);
    expect(await outcome(started)).toEqual({ after: 500, code: 'LEFT' });
  });
});

describe('a request', () => {
  beforeEach(() => vi.stubGlobal('window', {}));
  afterEach(() => {
    writeStored(storageKeys.token, null);
    vi.unstubAllGlobals();
  });

  test('a request has method, body, key and session of its call, and returns the body of the response', async () => {
    const signedIn = { token: 'token-2', user: person() };
    const server = stubServer({ 'POST /auth/change-password': () => signedIn });
    writeStored(storageKeys.token, 'token');
    const body = { currentPassword: 'old', newPassword: 'a new password' };
    const options = { body, idempotencyKey: 'k1', background: true, changeSet: 'edit' } as const;
    expect(await call('POST /auth/change-password', options)).toEqual(signedIn);
    const [request] = server.requests;
    expect(request?.body).toEqual(body);
    expect(Object.fromEntries(request!.headers)).toEqual({
      authorization: 'Bearer token',
      'content-type': 'application/json',
      'idempotency-key': 'k1',
      'x-background': '1',
      'x-change-set': 'edit',
    });
  });

  test('a request without any of them names a change set of its own, if it is a write; and 204 returns nothing', async () => {
    const server = stubServer({ 'POST /auth/logout': () => undefined });
    expect(await call('POST /auth/logout')).toBeUndefined();
    expect(server.requests).toMatchObject([{ body: undefined }]);
    expect([...server.requests[0]!.headers]).toEqual([
      ['x-change-set', expect.stringMatching(/^bulk [0-9a-f]{32}$/)],
    ]);
  });

  test('a request that outlives its page is sent with keepalive', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(new Response(null, { status: 204 })));
    vi.stubGlobal('fetch', fetch);
    await call('POST /auth/logout', { keepalive: true });
    await call('POST /auth/logout');
    expect(fetch.mock.calls.map(([, init]) => init?.keepalive)).toEqual([true, undefined]);
  });

  test('a request is logged with its status, as a warning after a refusal and as an error after any other failure', async () => {
    const responses = [200, 400, 499, 500, 404].map((status) => new Response('{}', { status }));
    vi.stubGlobal('fetch', () => Promise.resolve(responses.shift() ?? Promise.reject(new TypeError('away'))));
    clientLog.set([]);
    for (let count = 0; count < 6; count += 1)
      await call('GET /auth/me', { once: true }).catch(() => undefined);
    const failures = clientLog.get().filter(({ level }) => level !== 'debug');
    expect(failures.map(({ level, text }) => `${level}: ${text}`)).toEqual([
      'warn: GET /auth/me 400 UNREADABLE: Invalid request',
      'warn: GET /auth/me 499 UNREADABLE: Error: 499',
      'error: GET /auth/me 500 UNREADABLE: Server error. Please try again later.',
      'warn: GET /auth/me 404 UNREADABLE: Resource not found',
      'error: GET /auth/me 0 NETWORK: Network error. Please check your connection.',
    ]);
  });

  test('a request uses the prefetched response, for reads only', async () => {
    const prefetched = () => ({
      response: Promise.resolve(Response.json({ early: true })),
      token: null,
      abort: () => undefined,
    });
    vi.stubGlobal('window', {
      prefetchedResponses: new Map([
        ['/api/deals/options', prefetched()],
        ['/api/auth/logout', prefetched()],
      ]),
    });
    stubServer({ 'POST /auth/logout': () => undefined });
    expect(await call('GET /deals/options')).toEqual({ early: true });
    expect(await call('POST /auth/logout')).toBeUndefined();
  });

  test.each([
    ['a page of a proxy', new Response('<html>Bad gateway', { status: 400 }), 'UNREADABLE'],
    ['a success that is no JSON', new Response('<html>', { status: 200 }), 'UNREADABLE'],
    ['a refusal', refusalOf('NOT_FOUND'), 'NOT_FOUND'],
  ])('a request rejects with an ApiError after %s', async (_, response, code) => {
    vi.stubGlobal('fetch', () => Promise.resolve(response));
    await expect(call('GET /deals/options')).rejects.toMatchObject({ name: 'ApiError', code });
  });

  test('a request that the caller aborts rejects with the reason of the caller', async () => {
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: { signal: AbortSignal }) =>
        new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const leaving = new AbortController();
    const asked = call('GET /deals/options', { signal: leaving.signal });
    leaving.abort(new Error('left'));
    await expect(asked).rejects.toThrow('left');
  });
});

describe('the page-wide handlers of a refusal', () => {
  const names = ['unauthorised', 'passwordChange', 'twoStepSetup', 'viewEnded'] as const;
  let happened: string[];
  beforeEach(() => {
    happened = [];
    vi.stubGlobal('window', {});
    writeStored(storageKeys.token, 'token');
    for (const name of names)
      setRefusalHandlers({ [name]: (_: unknown, token: string) => happened.push(`${name} ${token}`) });
  });
  afterEach(() => {
    for (const name of names) setRefusalHandlers({ [name]: () => undefined });
    writeStored(storageKeys.token, null);
    vi.unstubAllGlobals();
  });

  const cases: [ErrorCode, object, string[]][] = [
    ['NOT_SIGNED_IN', {}, ['unauthorised token']],
    ['SIGN_IN_FAILED', {}, []],
    ['TWO_STEP_REQUIRED', {}, []],
    ['TWO_STEP_FAILED', {}, []],
    ['PASSWORD_CHANGE_REQUIRED', { requiresPasswordChange: true }, ['passwordChange token']],
    ['INSUFFICIENT_PERMISSIONS', {}, []],
    ['TWO_STEP_SETUP_REQUIRED', {}, ['twoStepSetup token']],
    ['VIEW_ENDED', {}, ['viewEnded token']],
    ['NOT_FOUND', { requiresPasswordChange: true }, []],
    ['CONFLICT', {}, []],
  ];
  test.each(cases)('a refusal %s calls the page-wide handlers %j: %j', async (code, more, expected) => {
    stubServer({ 'POST /auth/logout': () => refusalOf(code, more) });
    await expect(call('POST /auth/logout')).rejects.toMatchObject({ code });
    expect(happened).toEqual(expected);
  });
});

describe('while viewing as another user', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  test('a request names the view, and a write is refused before it is sent', async () => {
    const viewing = { id: 'view-1', userId: 'u-2', name: 'Bob' };
    vi.stubGlobal('window', {});
    vi.stubGlobal('sessionStorage', { getItem: () => JSON.stringify(viewing) });
    // The mode begins with a page load.
    vi.resetModules();
    const page = await import('./api.ts');
    const server = stubServer({ 'GET /auth/me': () => ({ data: { user: person() } }) });
    await page.call('GET /auth/me');
    expect(server.requests.map(({ headers }) => headers.get('x-view-as'))).toEqual(['view-1']);
    await expect(page.call('POST /auth/logout')).rejects.toMatchObject({ status: 403, code: 'VIEW_ONLY' });
    expect(server.requests).toHaveLength(1);
  });
});
