import type { SessionUser } from '@forecourt/contract/auth';
import { ApiError } from './api-error.ts';
import { call, setRefusalHandlers } from './api.ts';
import { note, thrownText } from './client-log.ts';
import { createStore, useStore } from './external-store.ts';
import { paths } from './paths.ts';
import { queryClient } from './query-client.ts';
import { createRetry, later } from './retry-later.ts';
import { readStored, storageKeys, writeStored } from './storage-keys.ts';
import { endViewing, viewing } from './view-as.ts';

/** The authentication state (docs/product/screens.md, Session at start). `user` is null until it is loaded. */
export type Session = {
  readonly token: string | null;
  readonly user: SessionUser | null;
  readonly initialising: boolean;
  readonly initialised: boolean;
  readonly authenticated: boolean;
  /** Why the last session ended, for the sign-in screen. */
  readonly notice: string | null;
  /** Why the user could not be loaded. The request is repeated until there is a response. */
  readonly failure: ApiError | null;
  /** A second sentence, if the server knows who or what ended the session. */
  readonly reason: string | null;
};

/** In milliseconds (docs/product/limits.md, Start of the page). */
const START_LIMIT_MS = 5000;
const ME_LIMIT_MS = 3000;

/** Timeout of a retry in the background, in milliseconds. */
const BACKGROUND_LIMIT_MS = 15_000;

const signedOut = { token: null, user: null, authenticated: false, reason: null, failure: null } as const;

const store = createStore<Session>({ ...signedOut, initialising: false, initialised: false, notice: null });

const change = (part: Partial<Session>): void => store.set({ ...store.get(), ...part });

/** Returns the current session, for code outside components. */
export const currentSession = store.get;
export const subscribeSession = store.subscribe;
export const useSession = (): Session => useStore(store);

/** Starts a session with a new token and user. Clears data that was loaded for another user. */
function begin(token: string, user: SessionUser): void {
  if (store.get().user?._id !== user._id) queryClient.clear();
  writeStored(storageKeys.token, token);
  change({ token, user, authenticated: true, notice: null, reason: null, failure: null });
}

/** Ends the session in this browser, and viewing as another user. Unsaved text is stored elsewhere and remains. */
function end(notice: string | null, reason: string | null = null): void {
  writeStored(storageKeys.token, null);
  if (viewing !== null) return endViewing(paths.login, notice);
  queryClient.clear();
  change({ ...signedOut, notice, reason });
}

/** Number of requests for the user, and number of the newest one with a response. */
let [requests, newest] = [0, 0];

/**
 * Loads the signed-in user. After a failure the session continues with the user that it has; without one the request is
 * retried in the background. A 401 has already ended the session.
 */
export async function refreshUser(timeoutMs = ME_LIMIT_MS): Promise<void> {
  const { token } = store.get();
  if (token === null) return;
  const request = (requests += 1);
  try {
    const { data } = await call('GET /auth/me', { background: true, once: true, timeoutMs });
    const now = store.get();
    // Ignores a response that arrives after that of a later request.
    if (now.token !== token || request < newest) return;
    newest = request;
    retry.stop();
    // An equal user is not replaced, so that nothing renders again.
    if (!isEqual(now.user, data.user) || now.failure !== null) change({ user: data.user, failure: null });
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const now = store.get();
    if (now.token !== token || now.user !== null) return;
    if (now.failure?.code !== thrown.code) change({ failure: thrown });
    retry.afterFailure();
  }
}

/** Retries with a longer timeout than 3 s, for a slow server. */
const retry = createRetry(later, () => {
  if (store.get().user !== null) return;
  refreshUser(BACKGROUND_LIMIT_MS).catch((thrown: unknown) => {
    note('error', thrownText(thrown));
    retry.afterFailure();
  });
});

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

let start: Promise<void> | undefined;

/**
 * Restores the session once, at start-up (docs/product/screens.md, Session at start). Settles within 5 s. If the
 * response is slower the token stays; any other failure clears the session.
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

/** Rejects with the server's refusal; with TWO_STEP_REQUIRED if a code is needed. */
export async function signIn(credentials: { email: string; password: string; code?: string }): Promise<void> {
  const { token, user } = await call('POST /auth/login', { body: credentials });
  begin(token, user);
}

export async function registerFirst(registration: {
  key: string;
  name: string;
  email: string;
  password: string;
}): Promise<void> {
  const { token, user } = await call('POST /auth/register', { body: registration });
  begin(token, user);
}

/** Changes the user's password. The token in the response replaces the current one. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  const { token, user } = await call('POST /auth/change-password', {
    body: { currentPassword, newPassword },
  });
  begin(token, user);
}

/** Signs out here at once, and on the server; a failure there is ignored. */
export function signOut(): void {
  call('POST /auth/logout').catch(() => undefined);
  end(null);
}

function adoptStoredToken(): void {
  const token = readStored(storageKeys.token);
  if (token === store.get().token) return;
  if (token === null) {
    end(null);
    return;
  }
  queryClient.clear();
  change({ token, user: null, authenticated: true, notice: null, failure: null });
  void refreshUser();
}

/** Adopts sign-in and sign-out in other tabs, which share the token. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === storageKeys.token || key === null) adoptStoredToken();
  });
  // A page restored by the Back button has missed storage events.
  window.addEventListener('pageshow', ({ persisted }) => persisted && adoptStoredToken());
}

setRefusalHandlers({
  unauthorised: (error, token) => {
    // A 401 for a token that has been replaced does not concern the current session.
    if (token !== null && token === store.get().token) end(error.message, error.details ?? null);
  },
  viewEnded: ({ message }) => {
    if (viewing !== null) endViewing(paths.permissionsOf(viewing.userId), message);
  },
});
