import type { SessionUser } from '@forecourt/contract/auth';
import { useMemo } from 'react';
import { ApiError, canPass } from './api-error.ts';
import { call } from './api.ts';
import { createStore, useStore } from './external-store.ts';
import { createPermissionFetches, type OwnRecord } from './permission-fetches.ts';
import { createPermissionSet, type PermissionSet } from './permission-set.ts';
import { createRetry, later } from './retry-later.ts';
import { currentSession, subscribeSession, useSession } from './session.ts';

/** The signed-in user's record, or why it could not be loaded. Never stored. */
export type OwnPermissions = {
  readonly record: OwnRecord | null;
  readonly failure: ApiError | null;
};

/** How long the live connection may take to deliver the record if the rate limit is exceeded, in milliseconds. */
const LIVE_WAIT_MS = 3000;

/** Delays before a request without a response is repeated, in milliseconds: most failures are short. */
const REPEAT_WAITS_MS = [1000, 2000];
/** First delay before a failed request is retried, in ms; doubled each time: at most five requests a minute. */
const RETRY_MS = 12_000;

const empty: OwnPermissions = { record: null, failure: null };
const store = createStore(empty);
const fetches = createPermissionFetches({
  request: (id) => call('GET /permissions/user/:id', { params: { id }, background: true, once: true }),
  now: () => performance.now(),
});

const ownId = (): string | undefined => currentSession().user?._id;

/** Returns null if the record belongs to a former user of this page. */
function ownRecord(): OwnRecord | null {
  const { record } = store.get();
  return record?.userId === ownId() ? record : null;
}

subscribeSession(() => {
  if (currentSession().authenticated || store.get() === empty) return;
  fetches.clear();
  retry.stop();
  store.set(empty);
});

export const currentPermissionState = store.get;
export const subscribePermissionState = store.subscribe;

/** Returns the signed-in user's permissions, for code outside components. */
export const currentPermissions = (): PermissionSet =>
  createPermissionSet(currentSession().user?.role, ownRecord());

export function usePermissions(): PermissionSet {
  const { user } = useSession();
  const { record } = useStore(store);
  const role = user?.role;
  const own = record?.userId === user?._id ? record : null;
  return useMemo(() => createPermissionSet(role, own), [role, own]);
}

/** Returns why the permissions could not be loaded; null if they are loaded or loading. */
export const usePermissionFailure = (): ApiError | null => useStore(store).failure;

/** Stores a record from the live connection. Returns whether the permissions of this page's user changed. */
export function receivePermissions(record: OwnRecord): boolean {
  if (record.userId !== ownId()) return false;
  const before = ownRecord();
  fetches.put(record);
  publish(record);
  return before !== null && ownRecord() !== before;
}

/** An equal record remains the same object, so that nothing is rerendered or evaluated again. */
function publish(record: OwnRecord): void {
  const { record: before, failure } = store.get();
  const same = JSON.stringify(before) === JSON.stringify(record);
  retry.stop();
  if (!same || failure !== null) store.set({ record: same ? before : record, failure: null });
}

/**
 * Loads the signed-in user's permissions unless they were loaded within the last 60 s. After a failure the current ones
 * stay, since an error must never widen rights. An administrator's record is not used, so it is not loaded.
 */
export function refreshPermissions(): Promise<void> {
  const { user } = currentSession();
  if (user === null || user.role === 'admin') return Promise.resolve();
  if (inFlight?.userId !== user._id) {
    const promise = load(user).finally(() => {
      if (inFlight?.promise === promise) inFlight = null;
    });
    inFlight = { userId: user._id, promise };
  }
  return inFlight.promise;
}

/** The running load, which concurrent callers share. */
let inFlight: { userId: string; promise: Promise<void> } | null = null;

async function load(user: SessionUser): Promise<void> {
  try {
    const record = await fetchRecord(user._id);
    if (ownId() === record.userId) publish(record);
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (ownId() !== user._id || ownRecord() !== null) return;
    if (thrown.code === 'TOO_MANY_REQUESTS' && (await awaitLiveRecord())) return;
    store.set({ record: null, failure: thrown });
    retry.afterFailure();
  }
}

async function fetchRecord(id: string): Promise<OwnRecord> {
  const waits = store.get().failure === null ? [...REPEAT_WAITS_MS] : [];
  for (;;) {
    try {
      return await fetches.get(id);
    } catch (thrown) {
      const wait = waits.shift();
      if (wait === undefined || !canPass(thrown)) throw thrown;
      await new Promise<void>((resolve) => void later(resolve, wait));
    }
  }
}

const retry = createRetry(later, () => void ensurePermissions(), RETRY_MS);

export async function ensurePermissions(): Promise<void> {
  if (!currentPermissions().isLoaded) await refreshPermissions();
}

function awaitLiveRecord(): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve(ownRecord() !== null);
    };
    const timer = setTimeout(end, LIVE_WAIT_MS);
    const stop = store.subscribe(end);
  });
}
