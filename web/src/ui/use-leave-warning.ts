import { useBlocker } from '@tanstack/react-router';
import { currentSession } from '../platform/session.ts';

type Place = { pathname: string; search: unknown };
const addressOf = ({ pathname, search }: Place): string => JSON.stringify([pathname, search]);

/**
 * Blocks leaving with unsaved changes: inside the product until `proceed` or `reset` is called, otherwise by the
 * browser's dialog. Inactive after the end of the session, because nothing can be saved then.
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
