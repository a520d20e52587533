import type { Answer } from '@forecourt/contract/api';
import type { Deal } from '@forecourt/contract/deals';

export type RowsState = { readonly state: 'loading' | 'ready' | 'failed'; readonly error: unknown };

type Page = Answer<'GET /deals'>;

type LoadingPorts = {
  readonly first: () => Promise<Page>;
  readonly next: (cursor: string, signal: AbortSignal) => Promise<Page>;
  readonly onFirst: (deals: readonly Deal[]) => void;
  readonly onMore: (deals: readonly Deal[]) => void;
  /** All rows of the view have come. */
  readonly onAll?: () => void;
  readonly onState: (state: RowsState) => void;
};

/**
 * Loads a view: the rows that fill the screen at once, the others behind them. Answers how to call it off; what
 * comes after that is dropped.
 * @param limit how many rows are enough
 */
export function loadRows(ports: LoadingPorts, limit: number): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const run = async (): Promise<void> => {
    ports.onState({ state: 'loading', error: null });
    let page = await ports.first();
    if (signal.aborted) return;
    ports.onFirst(page.items);
    ports.onState({ state: 'ready', error: null });
    let count = page.items.length;
    while (page.nextCursor !== null && count < limit) {
      page = await ports.next(page.nextCursor, signal);
      if (signal.aborted) return;
      ports.onMore(page.items);
      count += page.items.length;
    }
    if (page.nextCursor === null) ports.onAll?.();
  };
  run().catch((error: unknown) => {
    if (!signal.aborted) ports.onState({ state: 'failed', error });
  });
  return () => stop.abort();
}
