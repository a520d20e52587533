import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../../platform/paths.ts';
import { currentMay, useMay, usePermissionFailure } from '../../platform/permissions.ts';
import { currentSession } from '../../platform/session.ts';
import { texts } from '../../texts/dealerships.ts';
import { toastWarning } from '../../ui/toasts.ts';
import { dealershipsQuery } from './dealerships.queries.ts';
import { waitUntil } from './wait-until.ts';

/** Spec section 9. */
const AUTHENTICATION_WAIT = { limitMs: 3000, everyMs: 100 };

/** `waiting` for a signed-in person, who then `mayView` or is sent away; `late` when it cannot be known. */
export type DealershipAccess = 'waiting' | 'late' | 'mayView';

const isKnown = (): boolean => currentSession().authenticated && currentMay().known;

/**
 * Who may be on the screen (spec section 2): waits for the authentication and the permissions, then sends a
 * person without the view permission to Data Entry, saying why. A share or ownership lets see that dealership
 * (product section 7), so whoever has one may be here.
 */
export function useDealershipAccess(): DealershipAccess {
  const may = useMay();
  const failure = usePermissionFailure();
  const navigate = useNavigate();
  const told = useRef(false);
  const [isLate, setIsLate] = useState(false);
  const mayViewAll = may.do('dealershipConfiguration', 'viewDealerships');
  const own = useQuery({ ...dealershipsQuery, enabled: may.known && !mayViewAll });
  const mayView = mayViewAll || (own.data?.total ?? 0) > 0;
  const mayNot = may.known && !mayView && !own.isPending;

  useEffect(() => {
    const leaving = new AbortController();
    waitUntil(isKnown, { ...AUTHENTICATION_WAIT, signal: leaving.signal }).then(
      (known) => setIsLate(!known),
      () => undefined,
    );
    return () => leaving.abort();
  }, []);

  useEffect(() => {
    if (!mayNot || told.current) return;
    told.current = true;
    toastWarning(texts.noView);
    void navigate({ to: paths.dataEntry, replace: true });
  }, [mayNot, navigate]);

  if (!may.known) return isLate || failure ? 'late' : 'waiting';
  return mayView ? 'mayView' : 'waiting';
}
