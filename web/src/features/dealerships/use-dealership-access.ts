import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../../platform/paths.ts';
import { currentPermissions, usePermissions, usePermissionFailure } from '../../platform/permissions.ts';
import { currentSession } from '../../platform/session.ts';
import { texts } from '../../texts/dealerships.ts';
import { toastWarning } from '../../ui/toasts.ts';
import { dealershipsQuery } from './dealerships.queries.ts';
import { waitUntil } from './wait-until.ts';

/** In milliseconds (docs/product/limits.md, Start of the page). */
const AUTHENTICATION_WAIT = { limitMs: 3000, everyMs: 100 };

/** `waiting` until the user `canView` or is redirected; `late` when the permissions could not be loaded. */
export type DealershipAccess = 'waiting' | 'late' | 'canView';

const isKnown = (): boolean => currentSession().authenticated && currentPermissions().isLoaded;

/**
 * Access to the screen (docs/product/dealerships.md, Dealership Settings screen): waits for authentication and
 * permissions, then redirects users without the view permission to Data Entry, with a message. Users with a share or
 * ownership may view that dealership (docs/product/sharing.md, What a share gives) and therefore the screen.
 */
export function useDealershipAccess(): DealershipAccess {
  const permissions = usePermissions();
  const failure = usePermissionFailure();
  const navigate = useNavigate();
  const isNotified = useRef(false);
  const [isLate, setIsLate] = useState(false);
  const canViewAll = permissions.can('dealershipConfiguration', 'viewDealerships');
  const own = useQuery({ ...dealershipsQuery, enabled: permissions.isLoaded && !canViewAll });
  const canView = canViewAll || (own.data?.total ?? 0) > 0;
  const mayNot = permissions.isLoaded && !canView && !own.isPending;

  useEffect(() => {
    const leaving = new AbortController();
    waitUntil(isKnown, { ...AUTHENTICATION_WAIT, signal: leaving.signal }).then(
      (known) => setIsLate(!known),
      () => undefined,
    );
    return () => leaving.abort();
  }, []);

  useEffect(() => {
    if (!mayNot || isNotified.current) return;
    isNotified.current = true;
    toastWarning(texts.noView);
    void navigate({ to: paths.dataEntry, replace: true });
  }, [mayNot, navigate]);

  if (!permissions.isLoaded) return isLate || failure ? 'late' : 'waiting';
  return canView ? 'canView' : 'waiting';
}
