import type { Deal } from '@forecourt/contract/deals';
import { createRowStore } from '../../grid/grid.ts';
import { createStore } from '../../platform/external-store.ts';
import { newKey } from '../../platform/ids.ts';
import { painted } from '../../platform/painted.ts';
import { queryClient } from '../../platform/query-client.ts';
import { createDealActions } from './deal-actions.ts';
import { createDealCommands } from './deal-commands.ts';
import type { DealDraft } from './deal-draft.ts';
import { passes } from './deal-filters.ts';
import { createDealLoading } from './deal-loading.ts';
import { createMonthMoves } from './deal-month-moves.ts';
import type { Outbox } from './deal-outbox.ts';
import type { DealRow } from './deal-row.ts';
import { createDealTable } from './deal-table.ts';
import { createDealUndo } from './deal-undo.ts';
import {
  changeDeal,
  deleteDeal,
  deleteDeals,
  FIRST_PAGE,
  firstRowsQuery,
  isOverMonths,
  presentFirstRows,
  restoreDeals,
  rowsOf,
  setDealsMonth,
  setDealsStatus,
  shareDeal,
  shareDeals,
  transferDeals,
  type DealView,
} from './deals.queries.ts';
import { bodyOf } from './outboxes.ts';
import { createOwnVersions, type Origin } from './own-versions.ts';

type DealPartsOptions = {
  readonly outbox: Outbox;
  /** What is in view at first. */
  readonly view: DealView;
  readonly mayChooseMonth: boolean;
};

/** What the screen consists of behind its components, wired together once: none of these knows React. */
export function createDealParts({ outbox, view, mayChooseMonth }: DealPartsOptions) {
  const inView = createStore(view);
  const choosesMonth = createStore(mayChooseMonth);
  const rows = createRowStore<DealRow>();
  const belongs = (deal: Deal): boolean => {
    const { month: shown, search, ...filters } = inView.get();
    // A row that is here stays, whatever becomes of what it was found by.
    const isHere = rows.get(table.keyOf(deal._id)) !== undefined;
    if (search !== '') return isHere;
    // Who has the current month only sees what they typed before it began, and what the server has put into it.
    if (isHere && !choosesMonth.get()) return true;
    return deal.month === shown && (isHere || passes(deal, filters));
  };
  const isInSight = (draft: DealDraft): boolean =>
    !choosesMonth.get() || isOverMonths(inView.get()) || draft.month === inView.get().month;
  const table = createDealTable({ rows, outbox, newKey, belongs, isInSight });
  const areOthers = createStore(true);
  let isFirst = true;
  const loading = createDealLoading({
    table,
    first(shown) {
      // The first load of all takes over what was asked for before this script came.
      const kept = isFirst ? {} : { staleTime: 0 };
      isFirst = false;
      return queryClient.fetchQuery({ ...firstRowsQuery(shown), ...kept });
    },
    async page(shown, inOrder, range, signal) {
      // The rows in sight come before those below them.
      if (range.limit > FIRST_PAGE) await painted();
      return rowsOf(shown, inOrder, range, signal);
    },
    onRows: areOthers.set,
  });
  const present = presentFirstRows(view);
  if (present) loading.begin(view, present);
  const ownVersions = createOwnVersions();
  const history = createDealUndo(loading.place);
  const own = (deals: readonly Deal[], origin: Origin): void =>
    deals.forEach((deal) => ownVersions.answered(deal, origin));
  const moves = createMonthMoves({
    rows,
    ownVersion: ownVersions.of,
    async put(id, version, fields, month) {
      const body = { ...bodyOf({ fields }), version, ...(month !== undefined && { month }) };
      const deal = await changeDeal(id, body, newKey());
      own([deal], 'changed');
      table.refresh([deal]);
      return deal;
    },
  });
  const commands = createDealCommands({
    rows,
    table,
    outbox,
    moves,
    history,
    remove: deleteDeal,
    ownVersion: ownVersions.ofOwnRow,
  });
  const actions = createDealActions({
    table,
    history,
    ownVersion: ownVersions.of,
    own,
    latest: (deal) => rows.get(table.keyOf(deal._id))?.deal ?? deal,
    newKey,
    calls: {
      change: changeDeal,
      setStatus: setDealsStatus,
      setMonth: setDealsMonth,
      transfer: transferDeals,
      shareOne: shareDeal,
      share: shareDeals,
      removeOne: deleteDeal,
      remove: deleteDeals,
      restore: restoreDeals,
    },
  });
  return {
    inView,
    choosesMonth,
    rows,
    table,
    loading,
    areOthers,
    history,
    commands,
    actions,
    ownVersions,
    moves,
  };
}
