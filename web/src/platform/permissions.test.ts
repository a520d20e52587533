import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refusalOf, stubServer } from './api.fixture.ts';
import { currentPermissions, currentPermissionState, refreshPermissions } from './permissions.ts';
import { permissions, person } from './person.fixture.ts';
import { signIn, signOut } from './session.ts';

const READ = 'GET /permissions/user/:id';
/** Requests are counted by user, in all files of a worker. */
const ID = '01900000-0000-7000-8000-00000000000f';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {});
});
afterEach(() => {
  signOut();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a server that is down is asked five times a minute, and the permissions are there when it is back', async () => {
  let isDown = true;
  const server = stubServer({
    'POST /auth/login': () => ({ token: 'token', user: person({ _id: ID, userId: ID }) }),
    [READ]: () => (isDown ? refusalOf('UNAVAILABLE') : permissions({}, ID)),
  });
  await signIn({ email: person().email, password: 'correct horse battery' });
  void refreshPermissions();
  await vi.advanceTimersByTimeAsync(59_999);
  expect(server.count(READ)).toBe(5);
  expect(currentPermissions().isLoaded).toBe(false);
  isDown = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(currentPermissions().isLoaded).toBe(true);
});

test('a failure of less than three seconds is not shown', async () => {
  let isDown = true;
  const id = '01900000-0000-7000-8000-0000000000ff';
  const server = stubServer({
    'POST /auth/login': () => ({ token: 'token', user: person({ _id: id, userId: id }) }),
    [READ]: () => (isDown ? refusalOf('UNAVAILABLE') : permissions({}, id)),
  });
  await signIn({ email: person().email, password: 'correct horse battery' });
  void refreshPermissions();
  await vi.advanceTimersByTimeAsync(0);
  expect(server.count(READ)).toBe(1);
  await vi.advanceTimersByTimeAsync(2999);
  expect(currentPermissionState().failure).toBeNull();
  isDown = false;
  await vi.advanceTimersByTimeAsync(1);
  expect(currentPermissions().isLoaded).toBe(true);
});
