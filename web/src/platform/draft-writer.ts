import { createStore, type Store } from './external-store.ts';

/** Wait before a failed write is retried, in milliseconds. */
const RETRY_MS = 10_000;

type DraftWriterPorts<T> = {
  /** Stores all of these drafts or none. Rejects when storage is full. */
  readonly write: (drafts: readonly T[]) => Promise<void>;
  readonly remove: (ids: readonly string[]) => Promise<void>;
  /** Returns the id of a draft, unique in this browser. */
  readonly idOf: (draft: T) => string;
  /** Schedules a function. Returns a function that cancels it. */
  readonly later: (run: () => void, ms: number) => () => void;
};

/**
 * Stores drafts. Drafts that did not fit into the browser's storage remain in memory, are counted in `unstored`, and
 * are retried after a wait and whenever space is freed.
 */
export function createDraftWriter<T>({ write, remove, idOf, later }: DraftWriterPorts<T>) {
  const unstored: Store<number> = createStore(0);
  /** The newest version of each draft that is being written, or could not be. */
  const newest = new Map<string, T>();
  /** Ids of those that could not be written. */
  const failed = new Set<string>();
  let isRetryScheduled = false;

  function count(): void {
    unstored.set(failed.size);
    if (failed.size === 0 || isRetryScheduled) return;
    isRetryScheduled = true;
    later(() => {
      isRetryScheduled = false;
      void retry();
    }, RETRY_MS);
  }

  function forget(id: string): void {
    newest.delete(id);
    failed.delete(id);
  }

  /** It may have been replaced or deleted during the write. */
  const isNewest = (draft: T): boolean => newest.get(idOf(draft)) === draft;

  /** Writes one draft at a time, so that as many as possible are stored. */
  async function retry(): Promise<void> {
    for (const id of failed) {
      const draft = newest.get(id)!;
      try {
        await write([draft]);
      } catch {
        // It may be too large: the next retry begins with another one.
        if (failed.delete(id)) failed.add(id);
        break;
      }
      if (isNewest(draft)) forget(id);
    }
    count();
  }

  return {
    /** Number of drafts that are in memory only. */
    unstored,

    /** Stores drafts. Rejects when some could not be stored. */
    async save(drafts: readonly T[]): Promise<void> {
      for (const draft of drafts) newest.set(idOf(draft), draft);
      try {
        await write(drafts);
        for (const draft of drafts.filter(isNewest)) forget(idOf(draft));
        count();
      } catch (thrown) {
        for (const draft of drafts.filter(isNewest)) failed.add(idOf(draft));
        await retry();
        if (drafts.some((draft) => failed.has(idOf(draft)))) throw thrown;
      }
    },

    /** Stops storing these: another tab stores them. */
    release(ids: readonly string[]): void {
      ids.forEach(forget);
      count();
    },

    async delete(ids: readonly string[]): Promise<void> {
      this.release(ids);
      await remove(ids);
      await retry();
    },
  };
}
