import { useBlocker } from '@tanstack/react-router';
import { currentSession } from '../platform/session.ts';

type Place = { pathname: string; search: unknown };
const addressOf = ({ pathname, search }: Place): string => JSON.stringify([pathname, search]);

/**
 * Blocks navigation away from unsaved changes: inside the product until `proceed` or `reset` is called, outside of it by
 * the browser's dialog. Inactive without changes, and after the end of the session, when nothing can be saved.
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
