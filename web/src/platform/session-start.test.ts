import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The start of a page, with its own modules: a session is restored once. */
async function openPage(token: string | null) {
  vi.resetModules();
  const [session, { storageKeys, writeStored }] = await Promise.all([
    import('./session.ts'),
    import('./storage-keys.ts'),
  ]);
  writeStored(storageKeys.token, token);
  return session;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {});
  const silent = (_: string, { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  vi.stubGlobal('fetch', silent);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a silent server delays the start by 3 s, and the token is kept', async () => {
  const { initialise, currentSession } = await openPage('token');
  void initialise();
  await pass(2999);
  expect(currentSession()).toMatchObject({ initialising: true, initialised: false });
  await pass(1);
  const started = { initialising: false, initialised: true, authenticated: true, token: 'token', user: null };
  expect(currentSession()).toMatchObject(started);
});

test('a start without a token is over at once, signed out', async () => {
  const { initialise, currentSession } = await openPage(null);
  await initialise();
  expect(currentSession()).toMatchObject({ initialised: true, authenticated: false, token: null });
});
