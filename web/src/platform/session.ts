import type { SessionUser } from '@forecourt/contract/auth';
import { ApiError } from './api-error.ts';
import { call, setConsequences } from './api.ts';
import { createStore, useStore } from './external-store.ts';
import { paths } from './paths.ts';
import { queryClient } from './query-client.ts';
import { readStored, storageKeys, writeStored } from './storage-keys.ts';
import { endViewing, viewing } from './view-as.ts';

/** The authentication state of spec section 3. `user` is null while nobody or nobody known is signed in. */
export type Session = {
  readonly token: string | null;
  readonly user: SessionUser | null;
  readonly initialising: boolean;
  readonly initialised: boolean;
  readonly authenticated: boolean;
  /** Why the last session ended, in words for the sign-in screen. */
  readonly notice: string | null;
  /** A sentence more on it, where the server knows who or what ended the session. */
  readonly reason: string | null;
};

/** Limits of spec section 9, in milliseconds. */
const START_LIMIT_MS = 5000;
const ME_LIMIT_MS = 3000;

const signedOut = { token: null, user: null, authenticated: false, reason: null } as const;

const store = createStore<Session>({ ...signedOut, initialising: false, initialised: false, notice: null });

const change = (part: Partial<Session>): void => store.set({ ...store.get(), ...part });

/** The session now, for code that is not a component. */
export const currentSession = store.get;
export const subscribeSession = store.subscribe;
export const useSession = (): Session => useStore(store);

/** Takes over a new token and person, and forgets what was loaded for anybody else. */
function begin(token: string, user: SessionUser): void {
  if (store.get().user?._id !== user._id) queryClient.clear();
  writeStored(storageKeys.token, token);
  change({ token, user, authenticated: true, notice: null, reason: null });
}

/**
 * Ends the session in this browser. What was typed and not yet saved is kept elsewhere and stays. Looking at the
 * product as somebody else ends with it.
 */
function end(notice: string | null, reason: string | null = null): void {
  writeStored(storageKeys.token, null);
  if (viewing !== null) return endViewing(paths.login, notice);
  queryClient.clear();
  change({ ...signedOut, notice, reason });
}

/**
 * Asks who is signed in. A failure is tolerated: the session goes on with what it knows.
 * A 401 has ended the session by then.
 */
export async function refreshUser(): Promise<void> {
  const { token } = store.get();
  if (token === null) return;
  try {
    const { data } = await call('GET /auth/me', { background: true, timeoutMs: ME_LIMIT_MS });
    const now = store.get();
    // The same answer stays the same object, so that nothing is drawn or judged again for it.
    if (now.token === token && !isEqual(now.user, data.user)) change({ user: data.user });
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
  }
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

let start: Promise<void> | undefined;

/**
 * Restores the session at start-up, once however often it is called (spec section 4). Settles within 5 s: what
 * takes longer keeps the token; anything else that breaks start-up clears the session.
 */
export function initialise(): Promise<void> {
  start ??= restore();
  return start;
}

async function restore(): Promise<void> {
  change({ initialising: true });
  try {
    const token = readStored(storageKeys.token);
    if (token !== null) {
      change({ token, authenticated: true });
      await Promise.race([refreshUser(), new Promise((resolve) => setTimeout(resolve, START_LIMIT_MS))]);
    }
  } catch {
    end(null);
  } finally {
    change({ initialising: false, initialised: true });
  }
}

/** Signs in. Rejects with the server's words where it refuses, with TWO_STEP_REQUIRED where a code is missing. */
export async function signIn(given: { email: string; password: string; code?: string }): Promise<void> {
  const { token, user } = await call('POST /auth/login', { body: given });
  begin(token, user);
}

/** Creates the first administrator and signs them in. */
export async function registerFirst(given: {
  key: string;
  name: string;
  email: string;
  password: string;
}): Promise<void> {
  const { token, user } = await call('POST /auth/register', { body: given });
  begin(token, user);
}

/** Changes the own password; the answer's new token replaces this session's. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  const { token, user } = await call('POST /auth/change-password', {
    body: { currentPassword, newPassword },
  });
  begin(token, user);
}

/** Signs out here at once and on the server when it hears of it: a failure there changes nothing here. */
export function signOut(): void {
  call('POST /auth/logout').catch(() => undefined);
  end(null);
}

function followStorage(event: StorageEvent): void {
  if (event.key !== storageKeys.token && event.key !== null) return;
  const token = readStored(storageKeys.token);
  if (token === store.get().token) return;
  if (token === null) {
    end(null);
    return;
  }
  queryClient.clear();
  change({ token, user: null, authenticated: true, notice: null });
  void refreshUser();
}

/** Follows what other tabs do from now on: they share the token. */
export function followOtherTabs(): void {
  window.addEventListener('storage', followStorage);
}

setConsequences({
  unauthorised: (error, token) => {
    // An answer to a token that has been replaced meanwhile says nothing about the one in use.
    if (token !== null && token === store.get().token) end(error.message, error.details ?? null);
  },
  viewEnded: ({ message }) => {
    if (viewing !== null) endViewing(paths.permissionsOf(viewing.userId), message);
  },
});
