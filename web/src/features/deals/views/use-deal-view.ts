import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { afterPaint } from '../../../platform/after-paint.ts';
import { monthOfClock } from '../../../platform/months.ts';
import { type DealView, filterText, viewOf } from '../deal-view.ts';

type Search = Readonly<Record<string, string | undefined>>;

/** Returns the URL's search parameters, and a function that changes some; the page of a deal stays open. */
export function useAddress() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: Search): void => {
    // Based on the URL at that time, because several parts of the screen change it.
    const next = (old: Search): Search =>
      Object.fromEntries(Object.entries({ ...old, ...changes }).filter(([, text]) => text !== undefined));
    // Nothing blocks it, because the user stays on the screen and an open form stays too.
    void navigate({ to: '.', search: next, replace: true, state: true, ignoreBlocker: true });
  };
  return { search, change };
}

/**
 * The current view. Month, search, filter and groups are in the URL, so that a link or a reload restores them.
 * @param searchesAll whether a search covers all months
 */
export function useDealView(
  currentMonth: string,
  canChooseMonth: boolean,
  searchesAll: boolean,
  filter: ColumnFilter | null,
) {
  const { search, change } = useAddress();
  const requested = viewOf(search, currentMonth, filter);
  const view: DealView = {
    ...requested,
    ...(!canChooseMonth && { month: currentMonth }),
    ...(!searchesAll && { inMonth: true }),
  };

  const show = (changes: Partial<DealView>): void => {
    const next = { ...view, ...changes };
    change({
      month: next.month === currentMonth ? undefined : next.month,
      search: next.search === '' ? undefined : next.search,
      filter: filterText(next.filter),
    });
  };
  return { view, show };
}

/**
 * Returns the default month. When a new month begins it is adopted only when the page becomes visible again or is
 * reloaded, because it would remove rows in which the user works.
 * @param currentMonth the server's month; undefined until it is loaded
 * @param mayStay whether the user may see another month; if not, the new one is adopted as soon as nothing is being
 * typed
 */
export function useShownMonth(currentMonth: string | undefined, mayStay: boolean): string {
  const [month, setShown] = useState(currentMonth);
  if (month === undefined && currentMonth !== undefined) setShown(currentMonth);
  useEffect(() => {
    let isOver = false;
    const update = (): void => {
      const isTyping = document.querySelector('[role="dialog"], .grid-editor') !== null;
      if (!isOver && (document.hidden || !mayStay) && !isTyping) setShown(currentMonth);
    };
    // Deferred, because the table gets the focus before the closed editor is removed.
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
  return month ?? currentMonth ?? monthOfClock();
}
