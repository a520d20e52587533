import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../../platform/paths.ts';
import { currentPermissions, usePermissions, usePermissionFailure } from '../../platform/permissions.ts';
import { currentSession } from '../../platform/session.ts';
import { texts } from '../../texts/dealerships.ts';
import { toastWarning } from '../../ui/toasts.ts';
import { dealershipsQuery } from './dealerships.queries.ts';

/** In milliseconds (docs/product/limits.md, Start of the page). */
const AUTHENTICATION_WAIT = { limitMs: 3000, everyMs: 100 };

/** `waiting` for permissions, `late` if they are not loaded in time; then the user `canView` or is `redirected`. */
export type DealershipAccess = 'waiting' | 'late' | 'canView' | 'redirected';

/** The inputs of the decision. `seen`: number of visible dealerships; undefined until the list is loaded. */
type AccessFacts = { isLoaded: boolean; isLate: boolean; canViewAll: boolean; seen: number | undefined };

/** Until the list is loaded nothing is decided: the screen shows that it is loading, or why it failed. */
export function accessOf({ isLoaded, isLate, canViewAll, seen }: AccessFacts): DealershipAccess {
  if (!isLoaded) return isLate ? 'late' : 'waiting';
  return canViewAll || seen !== 0 ? 'canView' : 'redirected';
}

const isKnown = (): boolean => currentSession().authenticated && currentPermissions().isLoaded;

/** Polls a condition (times in ms). Resolves with whether it became true; rejects with the signal's reason. */
export async function waitUntil(
  isSo: () => boolean,
  { limitMs, everyMs, signal }: { limitMs: number; everyMs: number; signal: AbortSignal },
): Promise<boolean> {
  for (let waited = 0; !isSo(); waited += everyMs) {
    if (waited >= limitMs) return false;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    signal.throwIfAborted();
  }
  return true;
}

/**
 * Access to the screen (docs/product/dealerships.md, Dealership Settings screen): waits for authentication and
 * permissions, then redirects users without the view permission to Data Entry with a message. Users who own or share a
 * dealership may view it (docs/product/sharing.md, What a share gives), and therefore the screen.
 */
export function useDealershipAccess(): DealershipAccess {
  const permissions = usePermissions();
  const failure = usePermissionFailure();
  const navigate = useNavigate();
  const isNotified = useRef(false);
  const [isLate, setIsLate] = useState(false);
  const canViewAll = permissions.can('dealershipConfiguration', 'viewDealerships');
  const { isLoaded } = permissions;
  const seen = useQuery({ ...dealershipsQuery, enabled: isLoaded }).data?.total;
  const access = accessOf({ isLoaded, isLate: isLate || failure !== null, canViewAll, seen });

  useEffect(() => {
    const leaving = new AbortController();
    waitUntil(isKnown, { ...AUTHENTICATION_WAIT, signal: leaving.signal }).then(
      (isInTime) => setIsLate(!isInTime),
      () => undefined,
    );
    return () => leaving.abort();
  }, []);

  useEffect(() => {
    if (access !== 'redirected' || isNotified.current) return;
    isNotified.current = true;
    toastWarning(texts.noView);
    void navigate({ to: paths.dataEntry, replace: true });
  }, [access, navigate]);

  return access;
}
