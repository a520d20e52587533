import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../../platform/paths.ts';
import { may } from '../../platform/permissions.ts';
import { currentSession, useSession } from '../../platform/session.ts';
import { texts } from '../../texts/dealerships.ts';
import { toastWarning } from '../../ui/toasts.ts';
import { waitUntil } from './wait-until.ts';

/** Spec section 9. */
const AUTHENTICATION_WAIT = { limitMs: 3000, everyMs: 100 };

/** `waiting` for a signed-in person, who then `mayView` or is sent away; `late` when nobody came. */
export type DealershipAccess = 'waiting' | 'late' | 'mayView';

const isKnown = (): boolean => currentSession().authenticated && currentSession().user !== null;

/**
 * Who may be on the screen (spec section 2): waits for the authentication, then sends a person without the view
 * permission to Data Entry, saying why.
 */
export function useDealershipAccess(): DealershipAccess {
  const { user } = useSession();
  const navigate = useNavigate();
  const told = useRef(false);
  const [isLate, setIsLate] = useState(false);
  const mayView = may(user).do('dealershipConfiguration', 'viewDealerships');

  useEffect(() => {
    const leaving = new AbortController();
    waitUntil(isKnown, { ...AUTHENTICATION_WAIT, signal: leaving.signal }).then(
      (known) => setIsLate(!known),
      () => undefined,
    );
    return () => leaving.abort();
  }, []);

  useEffect(() => {
    if (user === null || mayView || told.current) return;
    told.current = true;
    toastWarning(texts.noView);
    void navigate({ to: paths.dataEntry, replace: true });
  }, [user, mayView, navigate]);

  if (user === null) return isLate ? 'late' : 'waiting';
  return mayView ? 'mayView' : 'waiting';
}
