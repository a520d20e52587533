import { useEffect, useEffectEvent, useState } from 'react';
import type { TypedText } from '../../grid/grid.ts';
import { firstScreenStands } from '../../platform/coming-later.ts';
import { onLiveEvent, onLiveGap } from '../../platform/live-events.ts';
import { painted } from '../../platform/painted.ts';
import { queryClient } from '../../platform/query-client.ts';
import type { DealCommand } from './deal-commands.ts';
import { isDealField } from './deal-fields.ts';
import { createDealNews } from './deal-news.ts';
import { createDealParts } from './deal-parts.ts';
import {
  dealOptionsKey,
  freshDeal,
  isOverMonths,
  summaryKey,
  type DealView,
  type ServerOrder,
} from './deals.queries.ts';
import { later, unsavedWorkOf } from './outboxes.ts';

type DealsOptions = {
  readonly userId: string;
  readonly view: DealView;
  /** How the server is to sort a view that is too large for the browser. */
  readonly order: ServerOrder;
  readonly currentMonth: string;
  readonly mayAdd: boolean;
  /** Others see the current month alone, and with it every row that they have not saved. */
  readonly mayChooseMonth: boolean;
  /** Called when rows came that the present order does not know yet, first when others took the place of all. */
  readonly onRows: (areOthers: boolean) => void;
};

/** The sums are asked for at most this often while rows change. */
const SUMMARY_MS = 400;

/** The rows of the screen, kept up to date from all sides: loading, typing, answers and other people. */
export function useDeals({
  userId,
  view,
  order,
  currentMonth,
  mayAdd,
  mayChooseMonth,
  onRows,
}: DealsOptions) {
  const { outbox, keptTexts } = unsavedWorkOf(userId);
  const [parts] = useState(() => createDealParts({ outbox, view, mayChooseMonth }));
  const { inView, choosesMonth, rows, table, loading, areOthers } = parts;
  const { history, commands, actions, ownVersions, moves } = parts;

  const rowsCame = useEffectEvent(onRows);
  useEffect(() => areOthers.subscribe(() => rowsCame(areOthers.get())), [areOthers]);

  useEffect(() => {
    const summarise = createSummariser();
    const stop = outbox.listen({
      onDraft: (key, draft) => table.onDraft(key, draft),
      onDeal(key, deal, origin) {
        ownVersions.answered(deal, origin);
        moves.answered(key, deal);
        table.onDeal(key, deal);
        // Another month has begun.
        if (origin === 'made' && !choosesMonth.get() && deal.month !== inView.get().month)
          void queryClient.invalidateQueries({ queryKey: dealOptionsKey });
        summarise();
      },
      onDealOfTab(key, deal) {
        if (rows.get(key) || rows.get(deal._id)) table.onDeal(key, deal);
      },
    });
    for (const draft of outbox.drafts()) table.onDraft(draft.key, draft);
    // What was left when a session ended goes on with the next one.
    outbox.wake();
    const news = createDealNews({
      deal: freshDeal,
      placeOf(id) {
        const inWindow = loading.inWindow.get();
        // New rows of a view that is here as a whole come to its end; of a window nobody can say where they stand.
        if (inWindow === null || rows.get(table.keyOf(id))) return 'here';
        return inWindow.isWhole && !table.isMaking() ? 'elsewhere' : 'coming';
      },
      isKnown: (id, version) => (rows.get(table.keyOf(id))?.deal?.version ?? 0) >= version,
      async dealsOfEmail(id) {
        const { emailLogEntry } = await import('../email-sending/email-sending.queries.ts');
        return (await emailLogEntry(id)).deals.map(({ _id }) => _id);
      },
      onDeals: (found) => table.refresh(found),
      onGone: (ids) => table.remove(ids),
      reload: loading.reload,
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
        loading.reload();
      }),
    ];
    return () => stops.forEach((each) => each());
  }, [outbox, rows, table, loading, ownVersions, moves, inView, choosesMonth]);

  useEffect(
    () =>
      loading.state.subscribe(() => {
        if (loading.state.get().state !== 'loading') void painted().then(firstScreenStands);
      }),
    [loading],
  );

  useEffect(() => table.offerBlank(mayAdd), [table, mayAdd]);

  const { month, search, inMonth = false, status, dealershipId, owner } = view;
  useEffect(() => {
    const shown: DealView = { month, search, inMonth, status, dealershipId, owner };
    inView.set(shown);
    choosesMonth.set(mayChooseMonth);
    table.sight();
    loading.show(shown, order);
  }, [
    month,
    search,
    inMonth,
    status,
    dealershipId,
    owner,
    mayChooseMonth,
    order,
    inView,
    choosesMonth,
    table,
    loading,
  ]);
  useEffect(() => () => loading.stop(), [loading]);

  const { addRows } = commands;
  const monthOfNew = isOverMonths(view) ? currentMonth : month;
  const onCommand = (command: DealCommand): void => commands.onCommand(command, monthOfNew);
  const onTyping = (typed: TypedText | null): void => {
    if (typed === null || !isDealField(typed.columnId)) return keptTexts.type(null);
    const { key, columnId, ...rest } = typed;
    const dealId = rows.get(key)?.deal?._id ?? null;
    keptTexts.type({ ...rest, rowKey: key, dealId, month: monthOfNew, field: columnId });
  };

  return {
    rows,
    table,
    loading,
    outbox,
    history,
    actions,
    onCommand,
    onTyping,
    addRows,
    reload: loading.reload,
  };
}

export type Deals = ReturnType<typeof useDeals>;

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
