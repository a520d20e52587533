import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { afterPaint } from '../../../platform/after-paint.ts';
import { type DealView, filterText, monthOfClock, viewOf } from '../deals.queries.ts';

type Search = Readonly<Record<string, string | undefined>>;

/** Returns the search parameters of the address, and a function that replaces them; the page of a deal stays open. */
export function useAddress() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const replace = (next: Search): void => {
    const present = Object.entries(next).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const search = Object.fromEntries(present);
    // It leaves nothing: a form that is open stays.
    void navigate({ to: '.', search, replace: true, state: true, ignoreBlocker: true });
  };
  return { search, replace };
}

/**
 * The current view. Month, search and filter are in the address: a link or a reload restores them.
 * @param searchesAll whether a search includes all months
 */
export function useDealView(
  currentMonth: string,
  canChooseMonth: boolean,
  searchesAll: boolean,
  filter: ColumnFilter | null,
) {
  const { search, replace } = useAddress();
  const requested = viewOf(search, currentMonth, filter);
  const view: DealView = {
    ...requested,
    ...(!canChooseMonth && { month: currentMonth }),
    ...(!searchesAll && { inMonth: true }),
  };

  const show = (change: Partial<DealView>): void => {
    const next = { ...view, ...change };
    replace({
      month: next.month === currentMonth ? undefined : next.month,
      search: next.search === '' ? undefined : next.search,
      filter: filterText(next.filter),
    });
  };
  return { view, show };
}

/**
 * Returns the month that is shown by default. A new month would remove the rows while a user works in them: it is
 * shown when the page becomes visible again or is reloaded.
 * @param currentMonth the server's month; undefined until it is loaded
 * @param mayStay whether the user may see another month; if not, the new one is shown as soon as nothing is typed
 */
export function useShownMonth(currentMonth: string | undefined, mayStay: boolean): string {
  const [shown, setShown] = useState(currentMonth);
  if (shown === undefined && currentMonth !== undefined) setShown(currentMonth);
  useEffect(() => {
    let isOver = false;
    const update = (): void => {
      const isTyping = document.querySelector('[role="dialog"], .grid-editor') !== null;
      if (!isOver && (document.hidden || !mayStay) && !isTyping) setShown(currentMonth);
    };
    // The table has the focus before the editor that was closed is removed.
    const onFocus = (): void => void afterPaint().then(update);
    update();
    document.addEventListener('visibilitychange', update);
    document.addEventListener('focusin', onFocus);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', update);
      document.removeEventListener('focusin', onFocus);
    };
  }, [currentMonth, mayStay]);
  return shown ?? currentMonth ?? monthOfClock();
}
