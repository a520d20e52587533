import type { Deal } from '@forecourt/contract/deals';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { paths } from '../../../platform/paths.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { useAddress } from '../views/use-deal-view.ts';

/**
 * Returns functions that close the page of a row and show that of another one. A page that was opened from the table,
 * or from another page, closes by going back, any other one by opening the table in the month of the row.
 */
export function usePageNavigation(key: string, deal: Deal | undefined) {
  const { rows } = useDataEntry().deals;
  const navigate = useNavigate();
  const { history } = useRouter();
  const { canGoBack = false } = useLocation().state;
  const { search, replace } = useAddress();
  const order = useSyncExternalStore(rows.subscribeOrder, rows.getOrder);

  const month = deal?.month;
  const showMonth = useEffectEvent((shown: string) => {
    const isChosen = search['month'] !== undefined || search['search'] !== undefined;
    if (!canGoBack && !isChosen && !rows.get(key)) replace({ ...search, month: shown });
  });
  // A link names no month: the table below shows that of the row, which can then be edited.
  useEffect(() => {
    if (month !== undefined) showMonth(month);
  }, [month]);

  return {
    close: (): void => {
      if (canGoBack) history.back();
      else
        void navigate({ to: paths.dataEntry, search: { ...search, ...(month !== undefined && { month }) } });
    },

    /** Returns the id of the row before or after it in the table. */
    neighbour: (step: -1 | 1): string | undefined => {
      const at = order.indexOf(key);
      return at < 0 ? undefined : rows.get(order[at + step] ?? '')?.deal?._id;
    },

    /** Shows another row in place of this one: going back leads to the table. */
    show: (id: string | undefined): void => {
      if (id !== undefined) void navigate({ to: paths.deal(id), search: true, replace: true, state: true });
    },
  };
}
