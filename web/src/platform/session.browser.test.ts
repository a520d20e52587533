import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refusalOf, stubServer } from './api.fixture.ts';
import { call } from './api.ts';
import { person } from './person.fixture.ts';
import { queryClient } from './query-client.ts';
import { changePassword, currentSession, followOtherTabs, refreshUser, signIn, signOut } from './session.ts';
import { storageKeys } from './storage-keys.ts';

const KIM = person();
const BOB = person({ _id: '01900000-0000-7000-8000-000000000002', name: 'Bob' });
const given = { email: 'kim@example.com', password: 'a password' };

let login: () => Response | { token: string; user: typeof KIM };
let me: () => Response | { data: { user: typeof KIM } };
let options: () => Response;
let server: ReturnType<typeof stubServer>;
let tokens = 0;

followOtherTabs();
beforeEach(async () => {
  login = () => ({ token: `token-${(tokens += 1)}`, user: KIM });
  me = () => ({ data: { user: KIM } });
  options = () => refusalOf('NOT_SIGNED_IN', { details: 'You signed in elsewhere.' });
  server = stubServer({
    'POST /auth/login': () => login(),
    'POST /auth/logout': () => undefined,
    'POST /auth/change-password': () => login(),
    'GET /auth/me': () => me(),
    'GET /deals/options': () => options(),
  });
  await signIn(given);
});
afterEach(() => {
  signOut();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const cached = () => queryClient.getQueryData(['a']);

describe('a session', () => {
  test.each(['SIGN_IN_FAILED', 'TWO_STEP_REQUIRED', 'TWO_STEP_FAILED'] as const)(
    'a session is not ended by a sign-in that fails with %s',
    async (code) => {
      const { token } = currentSession();
      login = () => refusalOf(code);
      await expect(signIn(given)).rejects.toMatchObject({ code, status: 401 });
      await expect(changePassword('wrong', 'a new password')).rejects.toMatchObject({ code });
      expect(currentSession()).toMatchObject({ token, user: KIM, authenticated: true, notice: null });
      expect(localStorage.getItem(storageKeys.token)).toBe(token);
    },
  );

  test('a session is ended by any other 401, with the message of the server', async () => {
    queryClient.setQueryData(['a'], 'of Kim');
    await expect(call('GET /deals/options')).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' });
    expect(currentSession()).toMatchObject({ token: null, user: null, authenticated: false });
    expect(currentSession().notice).toMatch(/./);
    expect(currentSession().reason).toBe('You signed in elsewhere.');
    expect(localStorage.getItem(storageKeys.token)).toBeNull();
    expect(cached()).toBeUndefined();
  });

  test('a session is not ended by a 401 for the former token', async () => {
    const late = Promise.withResolvers<Response>();
    options = () => late.promise as never;
    const asked = call('GET /deals/options');
    await changePassword('old', 'a new password');
    late.resolve(refusalOf('NOT_SIGNED_IN'));
    await expect(asked).rejects.toMatchObject({ status: 401 });
    expect(currentSession().authenticated).toBe(true);
  });

  test('a session keeps the cache when the same user signs in again, and clears it for another', async () => {
    queryClient.setQueryData(['a'], 'of Kim');
    await changePassword('old', 'a new password');
    expect(cached()).toBe('of Kim');
    login = () => ({ token: 'token-bob', user: BOB });
    await signIn(given);
    expect(cached()).toBeUndefined();
  });

  test('a session is sent with every call, and with none after signing out', async () => {
    options = () => refusalOf('INSUFFICIENT_PERMISSIONS');
    const { token } = currentSession();
    await expect(call('GET /deals/options')).rejects.toMatchObject({ status: 403 });
    expect(server.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${token}`);
    signOut();
    await expect(call('GET /deals/options')).rejects.toMatchObject({ status: 403 });
    expect(server.requests.at(-1)?.headers.has('authorization')).toBe(false);
  });
});

describe('the signed-in user', () => {
  test('an equal response leaves the same object, another one replaces it', async () => {
    const { user } = currentSession();
    await refreshUser();
    expect(currentSession().user).toBe(user);
    me = () => ({ data: { user: { ...KIM, name: 'Kim N.' } } });
    await refreshUser();
    expect(currentSession().user?.name).toBe('Kim N.');
    me = () => refusalOf('UNAVAILABLE');
    await refreshUser();
    expect(currentSession()).toMatchObject({ user: { name: 'Kim N.' }, failure: null });
  });

  test('the signed-in user is not replaced by a late response to an earlier request', async () => {
    const late = Promise.withResolvers<ReturnType<typeof me>>();
    me = () => late.promise as never;
    const earlier = refreshUser();
    me = () => ({ data: { user: { ...KIM, name: 'Kim N.' } } });
    await refreshUser();
    late.resolve({ data: { user: KIM } });
    await earlier;
    expect(currentSession().user?.name).toBe('Kim N.');
  });

  test('the signed-in user is requested again while another tab has signed in and the server does not respond', async () => {
    vi.useFakeTimers();
    me = () => refusalOf('UNAVAILABLE');
    localStorage.setItem(storageKeys.token, 'token-of-other-tab');
    window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.token }));
    await vi.advanceTimersByTimeAsync(0);
    expect(currentSession()).toMatchObject({ token: 'token-of-other-tab', user: null, authenticated: true });
    await vi.waitUntil(() => currentSession().failure?.code === 'UNAVAILABLE');
    me = () => ({ data: { user: BOB } });
    await vi.advanceTimersByTimeAsync(1000);
    await vi.waitUntil(() => currentSession().user !== null);
    expect(currentSession()).toMatchObject({ user: BOB, failure: null });
  });

  test('the signed-in user is that of the storage on a page that Back shows again as it was left', async () => {
    localStorage.setItem(storageKeys.token, 'token-of-meanwhile');
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await vi.waitUntil(() => currentSession().user !== null);
    expect(currentSession()).toMatchObject({ token: 'token-of-meanwhile', authenticated: true });
  });

  test('the signed-in user is null as soon as another tab has signed out', async () => {
    localStorage.removeItem(storageKeys.token);
    window.dispatchEvent(new StorageEvent('storage', { key: storageKeys.token }));
    expect(currentSession()).toMatchObject({ token: null, user: null, authenticated: false });
  });
});
