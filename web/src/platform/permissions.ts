import type { SessionUser } from '@forecourt/contract/auth';
import type { UserPermissions } from '@forecourt/contract/permissions';
import { useMemo } from 'react';
import { ApiError } from './api-error.ts';
import { call } from './api.ts';
import { createStore, useStore } from './external-store.ts';
import { may, type May } from './may.ts';
import { createPermissionFetches } from './permission-fetches.ts';
import { currentSession, subscribeSession, useSession } from './session.ts';

/** The signed-in person's own record, and why it could not be had. Kept in this page only, never stored. */
export type OwnPermissions = {
  readonly record: UserPermissions | null;
  readonly failure: ApiError | null;
};

/** Over the limit nothing is asked, but the live connection brings the record by itself. In milliseconds. */
const LIVE_WAIT_MS = 3000;

const nothing: OwnPermissions = { record: null, failure: null };
const store = createStore(nothing);
const fetches = createPermissionFetches({
  ask: (id) => call('GET /permissions/user/:id', { params: { id }, background: true }),
  now: () => performance.now(),
});

const ownId = (): string | undefined => currentSession().user?._id;

/** What was learned about somebody else who was here before says nothing about who is here now. */
function ownRecord(): UserPermissions | null {
  const { record } = store.get();
  return record?.userId === ownId() ? record : null;
}

subscribeSession(() => {
  if (currentSession().authenticated || store.get() === nothing) return;
  fetches.clear();
  store.set(nothing);
});

export const currentPermissions = store.get;
export const subscribePermissions = store.subscribe;

/** What the signed-in person may do, for code that is not a component. */
export const currentMay = (): May => may(currentSession().user?.role, ownRecord());

/** The same in a component, which is drawn again when it changes. */
export function useMay(): May {
  const { user } = useSession();
  const { record } = useStore(store);
  const role = user?.role;
  const own = record?.userId === user?._id ? record : null;
  return useMemo(() => may(role, own), [role, own]);
}

/** Why it is not known what the signed-in person may do; null: it is, or is being asked. */
export const usePermissionFailure = (): ApiError | null => useStore(store).failure;

/** Takes in what the server says by itself about the person of this page. True: their rights are others now. */
export function takePermissions(record: UserPermissions): boolean {
  if (record.userId !== ownId()) return false;
  const before = ownRecord();
  fetches.put(record);
  show(record);
  return before !== null && ownRecord() !== before;
}

/** The same record stays the same object, so that nothing is drawn or judged again for it. */
function show(record: UserPermissions): void {
  const { record: before, failure } = store.get();
  const same = JSON.stringify(before) === JSON.stringify(record);
  if (!same || failure !== null) store.set({ record: same ? before : record, failure: null });
}

/**
 * Asks what the signed-in person may do, unless it was asked within the last 60 s. A failure leaves what is known
 * (an error never widens what is shown); an administrator's record is not consulted and not asked for.
 */
export function refreshPermissions(): Promise<void> {
  const { user } = currentSession();
  if (user === null || user.role === 'admin') return Promise.resolve();
  if (underWay?.userId !== user._id) {
    const end = ask(user).finally(() => {
      if (underWay?.end === end) underWay = null;
    });
    underWay = { userId: user._id, end };
  }
  return underWay.end;
}

/** Who asks while it is being asked, or waited for, shares that. */
let underWay: { userId: string; end: Promise<void> } | null = null;

async function ask(user: SessionUser): Promise<void> {
  try {
    const record = await fetches.get(user._id);
    if (ownId() === record.userId) show(record);
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (ownId() !== user._id || ownRecord() !== null) return;
    if (thrown.code === 'TOO_MANY_REQUESTS' && (await liveRecordComes())) return;
    store.set({ record: null, failure: thrown });
  }
}

/** The same, but only where nothing is known yet. */
export async function ensurePermissions(): Promise<void> {
  if (!currentMay().known) await refreshPermissions();
}

function liveRecordComes(): Promise<boolean> {
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
