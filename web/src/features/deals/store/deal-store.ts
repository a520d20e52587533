import type { Deal } from '@forecourt/contract/deals';
import { createRowStore } from '../../../grid/grid.ts';
import { afterPaint } from '../../../platform/after-paint.ts';
import { dealOptionsQuery } from '../../../platform/deal-options.ts';
import { createStore } from '../../../platform/external-store.ts';
import { newKey } from '../../../platform/ids.ts';
import { recentLiveEvents } from '../../../platform/live-events.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { later } from '../../../platform/retry-later.ts';
import { isOffered } from '../deal-fields.ts';
import type { DealDraft, DealRow, Origin } from '../deal-row.ts';
import { type DealView, type FilterMatcher, filterText, isOverMonths } from '../deal-view.ts';
import {
  changeDeal,
  deleteDeal,
  deleteDeals,
  FIRST_PAGE,
  firstRowsQuery,
  presentFirstRows,
  type RowPage,
  rowsOf,
} from '../deals.queries.ts';
import type { DraftSync } from '../sync/draft-sync.ts';
import { bodyOf } from '../sync/draft.ts';
import { createDealCommands } from './deal-commands.ts';
import { createDealTable } from './deal-table.ts';
import { applyEvents } from './live-sync.ts';
import { createDealLoading, type RowsChange } from './loading.ts';
import { createLocalVersions } from './local-versions.ts';
import { createMonthMoves } from './month-moves.ts';
import { createUndoStack } from './undo-stack.ts';

type DealStoreOptions = {
  readonly draftSync: DraftSync;
  /** The first view. */
  readonly view: DealView;
  readonly canChooseMonth: boolean;
  /** Whether the view is still unknown. */
  readonly isPending: boolean;
};

/** Creates the rows, loading, undo and commands of the screen. Independent of React. */
export function createDealStore({ draftSync, view, canChooseMonth, isPending }: DealStoreOptions) {
  const shownView = createStore(view);
  const hasAllMonths = createStore(canChooseMonth);
  const matcher = createStore<FilterMatcher | null>(null);
  const rows = createRowStore<DealRow>();
  /** Whether a loaded row stays: it does if it no longer matches the search or the filter. */
  const stays = ({ month }: Deal): boolean => {
    const shown = shownView.get();
    // A user who sees only the current month also sees rows typed before it began, and rows that the server moved.
    return shown.search !== '' || !hasAllMonths.get() || month === shown.month;
  };
  const isInView = (deal: Deal): boolean => {
    if (rows.get(table.keyOf(deal._id))) return stays(deal);
    const { month, search } = shownView.get();
    return search === '' && deal.month === month && meetsFilter(deal);
  };
  /** Updates rows that the server may have read before a change whose event arrived before this response. */
  const upToDate = (page: RowPage): RowPage => ({
    ...page,
    deals: applyEvents(page.deals, recentLiveEvents('deal'), stays),
  });
  /** Whether a row was omitted before the script of the filters was loaded. */
  let isUndecided = false;
  const meetsFilter = (deal: Deal): boolean => {
    const { filter } = shownView.get();
    if (filter === null) return true;
    const current = matcher.get();
    if (current !== null && filterText(current.filter) === filterText(filter)) return current.test()(deal);
    isUndecided = true;
    return false;
  };
  const isVisible = (draft: DealDraft): boolean =>
    !hasAllMonths.get() || isOverMonths(shownView.get()) || draft.month === shownView.get().month;
  const table = createDealTable({ rows, draftSync, newKey, isInView, isVisible });
  const rowsChange = createStore<RowsChange>('replaced');
  let isFirst = true;
  const loading = createDealLoading({
    table,
    first(newView) {
      // The first load uses the response prefetched before this script was loaded.
      const options = isFirst ? {} : { staleTime: 0 };
      isFirst = false;
      return queryClient.fetchQuery({ ...firstRowsQuery(newView), ...options }).then(upToDate);
    },
    async page(newView, inOrder, range, signal) {
      // Visible rows are painted before the others are loaded.
      if (range.limit > FIRST_PAGE) await afterPaint();
      return upToDate(await rowsOf(newView, inOrder, range, signal));
    },
    narrow(newView, before) {
      const current = matcher.get();
      if (current === null || filterText(current.filter) !== filterText(newView.filter)) return false;
      if (!current.isPartOf(before)) return false;
      table.narrow(current.test());
      return true;
    },
    later,
    onRows: rowsChange.set,
  });
  matcher.subscribe(() => {
    if (!isUndecided || matcher.get() === null) return;
    isUndecided = false;
    loading.reload();
  });
  const present = isPending ? undefined : presentFirstRows(view);
  if (present) loading.begin(view, present);
  const localVersions = createLocalVersions();
  const history = createUndoStack({ view: loading.place, later, page: window });
  /** Updates the table with the rows of a response and records their versions. */
  const applyRows = (deals: readonly Deal[], origin: Origin = 'changed'): readonly Deal[] => {
    deals.forEach((deal) => localVersions.record(deal, origin));
    table.refresh(deals);
    return deals;
  };
  const moves = createMonthMoves({
    rows,
    localVersions,
    async put(id, version, fields, changeSet, month) {
      const body = { ...bodyOf({ fields }), version, ...(month !== undefined && { month }) };
      const deal = await changeDeal(id, body, newKey(), changeSet);
      applyRows([deal]);
      return deal;
    },
  });
  const commands = createDealCommands({
    rows,
    table,
    draftSync,
    moves,
    history,
    remove: deleteDeal,
    removeAll: deleteDeals,
    isOffered(field, value, current) {
      const options = queryClient.getQueryData(dealOptionsQuery.queryKey);
      return options === undefined || isOffered(options, field, value, current);
    },
    localVersion: localVersions.latestUnshared,
  });
  return {
    shownView,
    hasAllMonths,
    matcher,
    rows,
    table,
    loading,
    rowsChange,
    history,
    commands,
    applyRows,
    localVersions,
    moves,
  };
}
