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

/** The authentication state (docs/product/screens.md, Session at start). `user` is null until it has been loaded. */
export type Session = {
  readonly token: string | null;
  readonly user: SessionUser | null;
  readonly initialising: boolean;
  readonly initialised: boolean;
  readonly authenticated: boolean;
  /** Why the last session ended, for the sign-in screen. */
  readonly notice: string | null;
  /** Why the user could not be loaded; the request is repeated until there is a response. */
  readonly failure: ApiError | null;
  /** A second sentence, where the server knows who or what ended the session. */
  readonly reason: string | null;
};

/** In milliseconds (docs/product/limits.md, Start of the page). */
const START_LIMIT_MS = 5000;
const ME_LIMIT_MS = 3000;

/** Limit of a retry in the background, in milliseconds. */
const BACKGROUND_LIMIT_MS = 15_000;

const signedOut = { token: null, user: null, authenticated: false, reason: null, failure: null } as const;

const store = createStore<Session>({ ...signedOut, initialising: false, initialised: false, notice: null });

const change = (part: Partial<Session>): void => store.set({ ...store.get(), ...part });

/** Returns the current session, for code outside of components. */
export const currentSession = store.get;
export const subscribeSession = store.subscribe;
export const useSession = (): Session => useStore(store);

/** Starts a session with a new token and user, and clears the data loaded for another user. */
function begin(token: string, user: SessionUser): void {
  if (store.get().user?._id !== user._id) queryClient.clear();
  writeStored(storageKeys.token, token);
  change({ token, user, authenticated: true, notice: null, reason: null, failure: null });
}

/**
 * Ends the session in this browser. Unsaved text is stored elsewhere and remains. Viewing as another user ends with the
 * session.
 */
function end(notice: string | null, reason: string | null = null): void {
  writeStored(storageKeys.token, null);
  if (viewing !== null) return endViewing(paths.login, notice);
  queryClient.clear();
  change({ ...signedOut, notice, reason });
}

/** Number of requests for the user, and of the newest one that has a response. */
let [requests, newest] = [0, 0];

/**
 * Loads the signed-in user. A failure is tolerated: the session continues with the user it has, and without one the
 * request is retried in the background. A 401 has already ended the session.
 */
export async function refreshUser(timeoutMs = ME_LIMIT_MS): Promise<void> {
  const { token } = store.get();
  if (token === null) return;
  const request = (requests += 1);
  try {
    const { data } = await call('GET /auth/me', { background: true, once: true, timeoutMs });
    const now = store.get();
    // A later response to an earlier request is older.
    if (now.token !== token || request < newest) return;
    newest = request;
    retry.stop();
    // An equal user remains the same object, so that nothing is rerendered or evaluated again.
    if (!isEqual(now.user, data.user) || now.failure !== null) change({ user: data.user, failure: null });
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const now = store.get();
    if (now.token !== token || now.user !== null) return;
    if (now.failure?.code !== thrown.code) change({ failure: thrown });
    retry.afterFailure();
  }
}

/** Retries with a longer limit than 3 s, for a slow server. */
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
 * Restores the session at start-up, once (docs/product/screens.md, Session at start). Settles within 5 s: a slower
 * response leaves the token in place; any other failure clears the session.
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

/** Signs in. Rejects with the server's refusal; with TWO_STEP_REQUIRED when a code is needed. */
export async function signIn(given: { email: string; password: string; code?: string }): Promise<void> {
  const { token, user } = await call('POST /auth/login', { body: given });
  begin(token, user);
}

/** Creates the first administrator and signs in as that user. */
export async function registerFirst(given: {
  key: string;
  name: string;
  email: string;
  password: string;
}): Promise<void> {
  const { token, user } = await call('POST /auth/register', { body: given });
  begin(token, user);
}

/** Changes the user's password; the new token of the response replaces this session's. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  const { token, user } = await call('POST /auth/change-password', {
    body: { currentPassword, newPassword },
  });
  begin(token, user);
}

/** Signs out here at once, and on the server if it is reachable: a failure there is ignored. */
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

/** Follows sign-in and sign-out in other tabs, which share the token. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === storageKeys.token || key === null) adoptStoredToken();
  });
  // A page that the browser kept for the Back button gets no events of storage.
  window.addEventListener('pageshow', ({ persisted }) => persisted && adoptStoredToken());
}

setRefusalHandlers({
  unauthorised: (error, token) => {
    // A 401 for a token that has been replaced does not concern the current one.
    if (token !== null && token === store.get().token) end(error.message, error.details ?? null);
  },
  viewEnded: ({ message }) => {
    if (viewing !== null) endViewing(paths.permissionsOf(viewing.userId), message);
  },
});
