import type { Deal } from '@forecourt/contract/deals';
import { createStore, type Store } from '../../platform/external-store.ts';
import type { DealTable } from './deal-table.ts';
import {
  FIRST_PAGE,
  type DealPage,
  type DealView,
  type RowRange,
  type ServerOrder,
} from './deals.queries.ts';

export type RowsState = { readonly state: 'loading' | 'ready' | 'failed'; readonly error: unknown };

/** Consecutive rows of a view that is too large for the browser, in the server's order. */
export type DealWindow = {
  /** Rows of the view that stand before this window. */
  readonly before: number;
  /** Rows that have come so far. */
  readonly count: number;
  /** Rows of the whole view. */
  readonly total: number;
  /** There are more than `total`: a search is counted no further. */
  readonly isCapped: boolean;
  readonly isWhole: boolean;
  /** Where the next window begins. Null: there is none, or not all rows of this one have come. */
  readonly next: string | null;
};

type LoadingPorts = {
  readonly table: Pick<DealTable, 'replace' | 'append' | 'beginAgain'>;
  /** The first rows of a view, newest first. */
  readonly first: (view: DealView) => Promise<DealPage>;
  readonly page: (
    view: DealView,
    order: ServerOrder,
    range: RowRange,
    signal: AbortSignal,
  ) => Promise<DealPage>;
  /** Rows came, which the table has in the server's order; the first ones take the place of all that were there. */
  readonly onRows: (areOthers: boolean) => void;
};

type Sizes = { readonly inBrowser: number };

/** Up to this many rows the browser sorts a view; of a larger one it has a window (product section 4). */
const IN_BROWSER = 100_000;

/** Rows of each answer behind the first one: the most that one may have. */
const NEXT_PAGE = 5000;

/** Where a window begins. */
type Start = { readonly cursor: string | null; readonly before: number };
const beginning: Start = { cursor: null, before: 0 };

const newestFirst: ServerOrder = {};

type Wanted = { readonly view: DealView; readonly order: ServerOrder };

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Loads a view: the rows that fill the screen at once, the others behind them. What is called off by the next load
 * is dropped. Of a view that is too large it loads one window, from which `next` and `previous` lead on.
 * @param sizes smaller in tests
 */
export function createDealLoading(
  { table, first, page, onRows }: LoadingPorts,
  sizes: Sizes = { inBrowser: IN_BROWSER },
) {
  const state: Store<RowsState> = createStore<RowsState>({ state: 'loading', error: null });
  /** Null: the browser has the whole view. */
  const inWindow: Store<DealWindow | null> = createStore<DealWindow | null>(null);
  let wanted: Wanted | null = null;
  let isLarge = false;
  /** Where the windows begin that lead to this one, which is the last. */
  let starts: readonly Start[] = [beginning];
  /** What the rows on the screen are. */
  let shown: unknown = null;
  let begun: { readonly view: DealView; readonly page: DealPage } | null = null;
  let running = new AbortController();

  const start = (): Start => starts.at(-1) ?? beginning;
  const order = (): ServerOrder => (isLarge && wanted ? wanted.order : newestFirst);
  /** The rows that are wanted: the order and the window are part of it where they decide which rows come. */
  const place = (): unknown => (isLarge ? [wanted, start()] : [wanted?.view]);

  async function firstPage(view: DealView, signal: AbortSignal): Promise<DealPage> {
    if (!isLarge) {
      const found = await first(view);
      isLarge = found.total > sizes.inBrowser && !signal.aborted;
      // Only now is it known whether the server has to sort.
      if (!isLarge || same(order(), newestFirst)) return found;
    }
    return page(view, order(), { cursor: start().cursor, limit: FIRST_PAGE }, signal);
  }

  function report(page: DealPage, count: number): void {
    if (!isLarge) return inWindow.set(null);
    const { before } = start();
    const reached = before + count;
    const isWhole = page.nextCursor === null || count >= sizes.inBrowser;
    const goesOn = page.isCapped ? page.nextCursor !== null : reached < page.total;
    const next = isWhole && goesOn ? page.nextCursor : null;
    // A count that ended before the rows that are here says nothing but that there are more.
    const total = page.isCapped ? Math.max(page.total, reached) : page.total;
    const isCapped = page.isCapped && page.nextCursor !== null;
    inWindow.set({ before, count, total, isCapped, isWhole, next });
  }

  async function run({ view }: Wanted, { signal }: AbortController): Promise<void> {
    const was = shown;
    const present = same(was, place()) ? table.beginAgain() : null;
    const early = begun !== null && same(begun.view, view) ? begun.page : null;
    begun = null;
    // Rows that are on the screen already are not loading.
    if (early === null) state.set({ state: 'loading', error: null });
    let latest = early ?? (await firstPage(view, signal));
    if (signal.aborted) return;
    if (latest.deals.length === 0 && previous()) return;
    // What has become too large since is put in order by the server.
    const again = same(was, place()) ? present : null;
    shown = place();
    const put = (deals: readonly Deal[], isFirst: boolean): void => {
      if (again) return again.page(deals);
      if (!isFirst) table.append(deals);
      else if (early === null) table.replace(deals);
      onRows(isFirst);
    };
    let count = latest.deals.length;
    report(latest, count);
    put(latest.deals, true);
    state.set({ state: 'ready', error: null });
    // How large a search is shows only where it does not end.
    const isOpen = isLarge || latest.isCapped;
    const enough = isOpen ? sizes.inBrowser : Infinity;
    while (latest.nextCursor !== null && count < enough) {
      const range = {
        cursor: latest.nextCursor,
        limit: isOpen ? Math.min(NEXT_PAGE, enough - count) : NEXT_PAGE,
      };
      latest = await page(view, order(), range, signal);
      if (signal.aborted) return;
      count += latest.deals.length;
      put(latest.deals, false);
      report(latest, count);
    }
    if (latest.nextCursor !== null && isOpen && !isLarge) {
      isLarge = true;
      if (!same(order(), newestFirst)) return load();
      shown = place();
      report(latest, count);
    }
    again?.end();
  }

  function load(): void {
    running.abort();
    if (wanted === null) return;
    const before = inWindow.get();
    // Where the next window begins is not known before this one has come.
    if (before) inWindow.set({ ...before, isWhole: false, next: null });
    const mine = new AbortController();
    running = mine;
    run(wanted, mine).catch((error: unknown) => {
      if (!mine.signal.aborted) state.set({ state: 'failed', error });
    });
  }

  function previous(): boolean {
    if (starts.length === 1) return false;
    starts = starts.slice(0, -1);
    load();
    return true;
  }

  return {
    state,
    inWindow,
    /** Two of the same: the same rows are wanted. */
    place: (): string => JSON.stringify(place()),

    /** Takes in rows that came before the screen did, so that they are drawn with it; `show` goes on behind them. */
    begin(view: DealView, page: DealPage): void {
      // Whether the server is to sort is decided by `show`.
      if (page.deals.length === 0 || page.total > sizes.inBrowser) return;
      begun = { view, page };
      table.replace(page.deals);
      state.set({ state: 'ready', error: null });
    },

    /**
     * Shows a view.
     * @param inOrder counts where the view is too large for the browser, which then begins anew
     */
    show(view: DealView, inOrder: ServerOrder): void {
      const before = wanted;
      wanted = { view, order: inOrder };
      const isSameView = same(before?.view, view);
      if (isSameView && (!isLarge || same(before?.order, inOrder))) return;
      if (!isSameView) isLarge = false;
      starts = [beginning];
      load();
    },

    /** Loads the same rows once more, moving none of them. */
    reload: load,

    /** The rows behind those of this window. Answers whether there are any. */
    next(): boolean {
      const present = inWindow.get();
      if (present === null || present.next === null) return false;
      starts = [...starts, { cursor: present.next, before: present.before + present.count }];
      load();
      return true;
    },

    /** The window before this one. Answers whether there is one. */
    previous,

    stop(): void {
      running.abort();
      wanted = null;
      shown = null;
    },
  };
}
