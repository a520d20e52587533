import type { Deal } from '@forecourt/contract/deals';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createRowStore, type Command } from '../../grid/grid.ts';
import { createStore } from '../../platform/external-store.ts';
import { newKey } from '../../platform/ids.ts';
import { onLiveEvent, onLiveGap } from '../../platform/live-events.ts';
import { queryClient } from '../../platform/query-client.ts';
import { emailLogEntry } from '../email-sending/email-sending.queries.ts';
import type { FieldChange } from './deal-draft.ts';
import { loadRows, type RowsState } from './deal-loading.ts';
import { createDealNews } from './deal-news.ts';
import { isDealField, type DealRow } from './deal-row.ts';
import { createDealTable } from './deal-table.ts';
import { firstRowsQuery, freshDeal, nextRows, summaryKey, type DealView } from './deals.queries.ts';
import { later, outboxOf } from './outboxes.ts';

type DealsOptions = {
  readonly userId: string;
  readonly view: DealView;
  readonly currentMonth: string;
  readonly mayAdd: boolean;
  /** Called when rows came that the present order does not know yet. */
  readonly onRows: () => void;
};

/** Rows of a search; who finds more than that searches more closely. */
const SEARCH_LIMIT = 1000;

/** The sums are asked for at most this often while rows change. */
const SUMMARY_MS = 400;

/** The rows of the screen, kept up to date from all sides: loading, typing, answers and other people. */
export function useDeals({ userId, view, currentMonth, mayAdd, onRows }: DealsOptions) {
  const outbox = outboxOf(userId);
  const [parts] = useState(() => {
    const inView = createStore(view);
    const rows = createRowStore<DealRow>();
    const state = createStore<RowsState>({ state: 'loading', error: null });
    const belongs = ({ _id, month }: Deal): boolean => {
      const { month: shown, search } = inView.get();
      return search === '' ? month === shown : rows.get(table.keyOf(_id)) !== undefined;
    };
    const table = createDealTable({ rows, outbox, newKey, belongs });
    return { inView, rows, state, table };
  });
  const { inView, rows, state, table } = parts;
  const [loads, setLoads] = useState(0);
  /** The view whose rows are on the screen. */
  const shown = useRef<string | null>(null);
  const reload = (): void => setLoads((count) => count + 1);

  const rowsCame = useEffectEvent(onRows);
  const reloadRows = useEffectEvent(reload);

  useEffect(() => {
    const summarise = createSummariser();
    const stop = outbox.listen({
      onDraft: (key, draft) => table.onDraft(key, draft),
      onDeal(key, deal) {
        table.onDeal(key, deal);
        summarise();
      },
    });
    for (const draft of outbox.pending.get()) table.onDraft(draft.key, draft);
    // What was left when a session ended goes on with the next one.
    outbox.wake();
    const news = createDealNews({
      deal: freshDeal,
      dealOfEmail: async (id) => (await emailLogEntry(id)).dealId,
      onDeals: (found) => table.refresh(found),
      onGone: (ids) => table.remove(ids),
      reload: () => reloadRows(),
      later,
    });
    const stops = [
      stop,
      () => news.stop(),
      onLiveEvent('deal', (event) => {
        news.onDeal(event);
        summarise();
      }),
      onLiveEvent('email', (event) => news.onEmail(event)),
      onLiveGap(() => {
        // The server is back, which is not always a change of the line that the browser would tell.
        outbox.wake();
        reloadRows();
      }),
    ];
    return () => stops.forEach((each) => each());
  }, [outbox, table]);

  useEffect(() => table.offerBlank(mayAdd), [table, mayAdd]);

  const { month, search } = view;
  useEffect(() => {
    const loaded: DealView = { month, search };
    inView.set(loaded);
    const viewKey = JSON.stringify(loaded);
    const again = shown.current === viewKey ? table.beginAgain() : null;
    return loadRows(
      {
        // The first load of all takes over what was asked for before this script came.
        first: () =>
          queryClient.fetchQuery({ ...firstRowsQuery(loaded), ...(loads === 0 ? {} : { staleTime: 0 }) }),
        async next(cursor, signal) {
          await painted();
          return nextRows(loaded, cursor, signal);
        },
        onFirst(deals) {
          shown.current = viewKey;
          if (again) return again.page(deals);
          table.replace(deals);
          rowsCame();
        },
        onMore(deals) {
          if (again) return again.page(deals);
          table.append(deals);
          rowsCame();
        },
        onAll: () => again?.end(),
        onState: state.set,
      },
      search === '' ? Infinity : SEARCH_LIMIT,
    );
  }, [month, search, loads, inView, state, table]);

  /** Takes in what was typed in cells, row by row. */
  const onCommand = ({ changes }: Pick<Command, 'changes'>): void => {
    for (const [key, ofRow] of Map.groupBy(changes, (change) => change.key)) {
      const deal = rows.get(key)?.deal ?? null;
      const typed = ofRow.flatMap(({ columnId, before, after }): FieldChange[] =>
        isDealField(columnId) ? [{ field: columnId, before, after }] : [],
      );
      outbox.type({ key, deal }, search === '' ? month : currentMonth, typed);
    }
  };

  return { rows, state, table, outbox, onCommand, reload };
}

export type Deals = ReturnType<typeof useDeals>;

/** When what was put on the page has been drawn: the rows in sight come before those below them. */
const painted = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Asks for the sums again, at most once in a while. */
function createSummariser(): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    later(() => {
      waiting = false;
      void queryClient.invalidateQueries({ queryKey: summaryKey });
    }, SUMMARY_MS);
  };
}
