import { useEffect, useState } from 'react';
import { monthOfClock } from './deals.queries.ts';

/**
 * The month that the screen shows by itself. One that begins while somebody works would take the rows from under
 * their hands: it is shown when the page comes back from being hidden, or when it is loaded anew.
 * @param currentMonth as the server has it; undefined while it has not said so
 */
export function useShownMonth(currentMonth: string | undefined): string {
  const [shown, setShown] = useState(currentMonth);
  if (shown === undefined && currentMonth !== undefined) setShown(currentMonth);
  useEffect(() => {
    const take = (): void => {
      const isTyping = document.querySelector('[role="dialog"], .grid-editor') !== null;
      if (document.hidden && !isTyping) setShown(currentMonth);
    };
    document.addEventListener('visibilitychange', take);
    return () => document.removeEventListener('visibilitychange', take);
  }, [currentMonth]);
  return shown ?? currentMonth ?? monthOfClock();
}
