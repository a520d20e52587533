import { MAX_PAGE_ROWS } from '@forecourt/contract/deal-limits';
import type { Deal } from '@forecourt/contract/deals';
import { canPass } from '../../../platform/api-error.ts';
import { createStore } from '../../../platform/external-store.ts';
import { createRetry } from '../../../platform/retry-later.ts';
import type { DealView, DealWindow, RowsState } from '../deal-view.ts';
import { FIRST_PAGE, type RowPage, type RowRange, type ServerOrder } from '../deals.queries.ts';
import type { DealTable } from './deal-table.ts';

/** Rows were `replaced` by a first page, `added` in the server's order, or `narrowed` in their displayed order. */
export type RowsChange = 'replaced' | 'added' | 'narrowed';

type LoadingPorts = {
  readonly table: Pick<DealTable, 'replace' | 'append' | 'beginAgain'>;
  /** Returns the first rows of a view, newest first. */
  readonly first: (view: DealView) => Promise<RowPage>;
  readonly page: (
    view: DealView,
    order: ServerOrder,
    range: RowRange,
    signal: AbortSignal,
  ) => Promise<RowPage>;
  /**
   * Removes loaded rows that fail the filter of a view, without a request. Returns false if that is impossible, or rows
   * that failed the former filter may meet the new one.
   */
  readonly narrow: (view: DealView, before: DealView['filter']) => boolean;
  readonly later: (run: () => void, ms: number) => () => void;
  readonly onRows: (change: RowsChange) => void;
};

/** Larger views are loaded in windows, which the server sorts (docs/product/data-entry.md, How rows load). */
const IN_BROWSER = 100_000;

/** Maximum of the random delay of a reload that many pages need at the same time, in milliseconds. */
const SPREAD_MS = 2000;

type Start = { readonly cursor: string | null; readonly before: number };
const beginning: Start = { cursor: null, before: 0 };

const newestFirst: ServerOrder = {};

type Wanted = { readonly view: DealView; readonly order: ServerOrder };

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Runs a function once after a random delay, so that not all open pages load their rows at once. */
function createRandomDelay(later: LoadingPorts['later'], run: () => void) {
  let stopWaiting: (() => void) | null = null;
  const stop = (): void => {
    stopWaiting?.();
    stopWaiting = null;
  };
  const start = (): void => {
    stopWaiting ??= later(run, Math.random() * SPREAD_MS);
  };
  return { start, stop };
}

/**
 * Loads a view: first the rows that fill the screen, then the others. A new load aborts the current one. A large view
 * is loaded in windows, with `next` and `previous`.
 * @param inBrowser smaller in tests
 */
export function createDealLoading(
  { table, first, page, narrow, later, onRows }: LoadingPorts,
  inBrowser = IN_BROWSER,
) {
  const state = createStore<RowsState>({ state: 'loading', error: null });
  /** Null if the whole view is loaded. */
  const inWindow = createStore<DealWindow | null>(null);
  let request: Wanted | null = null;
  let isLarge = false;
  /** Starts of the windows up to the current one. */
  let starts: readonly Start[] = [beginning];
  /** Identifies the displayed rows. */
  let shownPlace: unknown = null;
  /** Identifies the rows of the last completely loaded view. */
  let whole: unknown = null;
  let begun: { readonly view: DealView; readonly page: RowPage } | null = null;
  let running = new AbortController();

  const start = (): Start => starts.at(-1) ?? beginning;
  const order = (): ServerOrder => (isLarge && request ? request.order : newestFirst);
  /** Identifies the requested rows. Includes order and window only if they decide which rows are loaded. */
  const place = (): unknown => (isLarge ? [request, start()] : [request?.view]);

  async function firstPage(view: DealView, signal: AbortSignal): Promise<RowPage> {
    if (!isLarge) {
      const found = await first(view);
      // An aborted load does not concern the current view.
      if (!signal.aborted) isLarge = found.total > inBrowser;
      // Only now it is known whether the server has to sort.
      if (!isLarge || same(order(), newestFirst)) return found;
    }
    return page(view, order(), { cursor: start().cursor, limit: FIRST_PAGE }, signal);
  }

  function report(page: RowPage, count: number): void {
    if (!isLarge) return inWindow.set(null);
    const { before } = start();
    const reached = before + count;
    const isComplete = page.nextCursor === null || count >= inBrowser;
    const next = isComplete ? page.nextCursor : null;
    // If a limited count is lower than the number of loaded rows, there are more rows.
    const total = page.isCapped ? Math.max(page.total, reached) : page.total;
    const isCapped = page.isCapped && page.nextCursor !== null;
    inWindow.set({ before, count, total, isCapped, isComplete, next });
  }

  async function run({ view }: Wanted, { signal }: AbortController): Promise<void> {
    const was = shownPlace;
    const present = same(was, place()) ? table.beginAgain() : null;
    const early = begun !== null && same(begun.view, view) ? begun.page : null;
    begun = null;
    // A reload of displayed rows shows no loading state, and an error stays until the next response.
    if (early === null && state.get().error === null) state.set({ state: 'loading', error: null });
    let latest = early ?? (await firstPage(view, signal));
    if (signal.aborted) return;
    if (latest.deals.length === 0 && previous()) return;
    // The server sorts a view that has become too large.
    const again = same(was, place()) ? present : null;
    // Other rows replace those of the last complete view.
    if (!again) whole = null;
    shownPlace = place();
    const put = (deals: readonly Deal[], isFirst: boolean): void => {
      if (again) return again.page(deals);
      if (!isFirst) table.append(deals);
      else if (early === null) table.replace(deals);
      onRows(isFirst ? 'replaced' : 'added');
    };
    let count = latest.deals.length;
    report(latest, count);
    put(latest.deals, true);
    state.set({ state: 'ready', error: null });
    // The size of a search is unknown until its limited count is exceeded.
    const isOpen = isLarge || latest.isCapped;
    const enough = isOpen ? inBrowser : Infinity;
    while (latest.nextCursor !== null && count < enough) {
      const range = {
        cursor: latest.nextCursor,
        limit: isOpen ? Math.min(MAX_PAGE_ROWS, enough - count) : MAX_PAGE_ROWS,
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
      shownPlace = place();
      report(latest, count);
    }
    again?.end();
    if (latest.nextCursor === null && !isLarge) whole = shownPlace;
    retry.stop();
  }

  function load(): void {
    running.abort();
    // A delayed load would read the same rows again.
    delayed.stop();
    if (request === null) return;
    const before = inWindow.get();
    // The cursor of the next window is unknown until this one is loaded.
    if (before) inWindow.set({ ...before, isComplete: false, next: null });
    const controller = new AbortController();
    running = controller;
    run(request, controller).catch((error: unknown) => {
      if (controller.signal.aborted) return;
      // Rows of this view stay with their drafts.
      state.set({ state: same(shownPlace, place()) ? 'ready' : 'failed', error });
      if (canPass(error)) retry.afterFailure();
    });
  }

  const retry = createRetry(later, load);
  const delayed = createRandomDelay(later, load);

  /** Whether two views differ only in the filter, and all rows of the first are loaded. */
  const changesFilter = (before: DealView, view: DealView): boolean =>
    view.filter !== null &&
    view.search === '' &&
    same(whole, shownPlace) &&
    same(shownPlace, [before]) &&
    same({ ...before, filter: view.filter }, view);

  function previous(): boolean {
    if (starts.length === 1) return false;
    starts = starts.slice(0, -1);
    load();
    return true;
  }

  return {
    state,
    inWindow,
    /** Returns a key of the requested rows, equal for the same rows. */
    place: (): string => JSON.stringify(place()),

    /** Whether all rows of the requested view are loaded. */
    isWhole: (): boolean => !isLarge && same(whole, place()),

    /** Displays prefetched rows with the first render of the screen; `show` continues the load. */
    begin(view: DealView, page: RowPage): void {
      // Only `show` decides whether the server sorts.
      if (page.deals.length === 0 || page.total > inBrowser) return;
      begun = { view, page };
      table.replace(page.deals);
      state.set({ state: 'ready', error: null });
    },

    /**
     * Shows a view.
     * @param inOrder used if the view is too large for the browser; a change restarts the load
     */
    show(view: DealView, inOrder: ServerOrder): void {
      const before = request;
      request = { view, order: inOrder };
      const isNarrowed =
        before !== null && changesFilter(before.view, view) && narrow(view, before.view.filter);
      const isSameView = same(before?.view, view);
      if (isSameView && (!isLarge || same(before?.order, inOrder))) return;
      if (!isSameView) isLarge = false;
      if (!isSameView && state.get().error !== null) state.set({ state: 'loading', error: null });
      retry.stop();
      starts = [beginning];
      if (isNarrowed) {
        // The response confirms the displayed rows.
        shownPlace = place();
        whole = shownPlace;
        onRows('narrowed');
      }
      load();
    },

    /** Reloads the same rows without moving any. */
    reload: load,

    /** Reloads after a random delay. */
    reloadLater: delayed.start,

    /** Loads the next window. Returns false if there is none. */
    next(): boolean {
      const present = inWindow.get();
      if (present === null || present.next === null) return false;
      starts = [...starts, { cursor: present.next, before: present.before + present.count }];
      load();
      return true;
    },

    previous,

    stop(): void {
      retry.stop();
      delayed.stop();
      running.abort();
      request = null;
      shownPlace = null;
    },
  };
}
