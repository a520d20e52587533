import { useBlocker } from '@tanstack/react-router';
import { currentSession } from '../platform/session.ts';

type Place = { pathname: string; search: unknown };
const addressOf = ({ pathname, search }: Place): string => JSON.stringify([pathname, search]);

/**
 * Holds back whoever leaves a screen with something unsaved: inside the product until `proceed` or `reset` is
 * called, outside of it by the browser's own question. Nothing while there is nothing to lose, and nothing once
 * the session has ended: then nothing could be saved any more.
 */
export function useLeaveWarning(isDirty: boolean): { proceed: () => void; reset: () => void } | null {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && currentSession().authenticated && addressOf(current) !== addressOf(next),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return blocker.status === 'blocked' ? { proceed: blocker.proceed, reset: blocker.reset } : null;
}
