import type { Deal } from '@forecourt/contract/deals';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { TypedText } from '../../grid/grid.ts';
import { afterPaint } from '../../platform/after-paint.ts';
import { dealOptionsKey } from '../../platform/deal-options.ts';
import { markFirstScreenReady } from '../../platform/first-screen.ts';
import { onLiveEvent, onLiveGap, recentLiveEvents } from '../../platform/live-events.ts';
import { queryClient } from '../../platform/query-client.ts';
import { later } from '../../platform/retry-later.ts';
import { isDealField } from './deal-fields.ts';
import type { DealCommand } from './deal-row.ts';
import { type DealView, filterText, isOverMonths, readFilter } from './deal-view.ts';
import type { ServerOrder } from './deals.queries.ts';
import { noteTypedNumber } from './open-parts.ts';
import { createDealStore } from './store/deal-store.ts';
import { createLiveSync } from './store/live-sync.ts';
import type { RowsChange } from './store/loading.ts';
import { getUnsavedWork } from './sync/unsaved-work.ts';

type DealsOptions = {
  readonly userId: string;
  readonly view: DealView;
  /** The order in which the server sorts a large view. */
  readonly order: ServerOrder;
  readonly currentMonth: string;
  readonly canAdd: boolean;
  /** Users without this permission see only the current month, including all their unsaved rows. */
  readonly canChooseMonth: boolean;
  /** Whether loading has to wait until the filter of a link is validated for the user. */
  readonly isPending?: boolean;
  readonly onRows: (change: RowsChange) => void;
};

/** The rows of the screen, updated by loads, edits, responses and other users' changes. */
export function useDeals({
  userId,
  view,
  order,
  currentMonth,
  canAdd,
  canChooseMonth,
  isPending = false,
  onRows,
}: DealsOptions) {
  const { draftSync, editorRecovery } = getUnsavedWork(userId);
  const [store] = useState(() => createDealStore({ draftSync, view, canChooseMonth, isPending }));
  const { shownView, hasAllMonths, rows, table, loading, rowsChange, commands, localVersions, moves } = store;

  const handleRows = useEffectEvent(onRows);
  useEffect(() => rowsChange.subscribe(() => handleRows(rowsChange.get())), [rowsChange]);

  useEffect(() => {
    // A user who sees only the current month gets rows of another one when a new month has begun.
    const noticeMonth = ({ month }: Deal): void => {
      if (!hasAllMonths.get() && month !== shownView.get().month)
        void queryClient.invalidateQueries({ queryKey: dealOptionsKey });
    };
    const stop = draftSync.subscribe({
      onDraft: (key, draft) => table.onDraft(key, draft),
      onDeal(key, deal, origin) {
        localVersions.record(deal, origin);
        noteTypedNumber(draftSync.draftOf(key)?.attempt, deal, origin);
        moves.record(key, deal);
        table.onDeal(key, deal);
        if (origin === 'made') noticeMonth(deal);
      },
      onDealFromTab(key, deal) {
        if (rows.get(key) || rows.get(deal._id)) table.onDeal(key, deal);
      },
    });
    for (const draft of draftSync.drafts()) table.onDraft(draft.key, draft);
    // Sends drafts that an ended session has left.
    draftSync.retryNow();
    const liveSync = createLiveSync({
      locate(id) {
        // A load will replace rows that are added before its response, also the retry of a failed one.
        if (loading.state.get().state !== 'ready') return 'loading';
        const inWindow = loading.inWindow.get();
        // New rows are added at the end of a completely loaded view; in a window their position is unknown.
        if (inWindow === null || rows.get(table.keyOf(id))) return 'loaded';
        return inWindow.isComplete && !table.isCreating() ? 'outside' : 'loading';
      },
      isKnown: (id, version) => (rows.get(table.keyOf(id))?.deal?.version ?? 0) >= version,
      onDeals(changedDeals) {
        table.refresh(changedDeals);
        changedDeals.slice(0, 1).forEach(noticeMonth);
      },
      onRemoved: (ids) => table.remove(ids),
      reload: loading.reloadLater,
      later,
    });
    const stops = [
      stop,
      () => liveSync.stop(),
      onLiveEvent('deal', (event) => liveSync.onDeal(event)),
      // Rows lack the values of a field that was hidden or retired when they were loaded.
      onLiveEvent('custom-field', loading.reloadLater),
      onLiveGap(() => {
        // The server is reachable again, which the browser's online event does not always report.
        draftSync.retryNow();
        loading.reloadLater();
      }),
    ];
    // The first rows may have been requested before this script was loaded, so events may have been missed.
    recentLiveEvents('deal').forEach((event) => liveSync.onDeal(event));
    return () => stops.forEach((each) => each());
  }, [draftSync, rows, table, loading, localVersions, moves, shownView, hasAllMonths]);

  useEffect(
    () =>
      loading.state.subscribe(() => {
        if (loading.state.get().state !== 'loading') void afterPaint().then(markFirstScreenReady);
      }),
    [loading],
  );

  useEffect(() => table.setBlankRow(canAdd), [table, canAdd]);

  const { month, search, inMonth = false } = view;
  const filterParameter = filterText(view.filter);
  // Memoised, so that an equal filter does not load the rows again.
  const filter = useMemo(() => readFilter(filterParameter), [filterParameter]);
  useEffect(() => {
    if (isPending) return;
    const currentView: DealView = { month, search, inMonth, filter };
    shownView.set(currentView);
    hasAllMonths.set(canChooseMonth);
    table.updateVisibility();
    loading.show(currentView, order);
  }, [
    isPending,
    month,
    search,
    inMonth,
    filter,
    canChooseMonth,
    order,
    shownView,
    hasAllMonths,
    table,
    loading,
  ]);
  useEffect(() => () => loading.stop(), [loading]);

  const { addRows } = commands;
  const newRowMonth = isOverMonths(view) ? currentMonth : month;
  const onCommand = (command: DealCommand): void => commands.onCommand(command, newRowMonth);
  const takeRefused = (command: DealCommand): void => commands.takeRefused(command, newRowMonth);
  const onTyping = (typed: TypedText | null): void => {
    if (typed === null || !isDealField(typed.columnId)) return editorRecovery.type(null);
    const { key, columnId, ...rest } = typed;
    const dealId = rows.get(key)?.deal?._id ?? null;
    editorRecovery.type({ ...rest, rowKey: key, dealId, month: newRowMonth, field: columnId });
  };

  return { ...store, draftSync, onCommand, takeRefused, onTyping, addRows };
}

export type Deals = ReturnType<typeof useDeals>;
