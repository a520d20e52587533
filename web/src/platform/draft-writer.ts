import { createStore, type Store } from './external-store.ts';

/** The delay before a failed write is retried, in milliseconds. */
const RETRY_MS = 10_000;

type DraftWriterPorts<T> = {
  /** Stores all of these drafts or none. Rejects if the storage is full. */
  readonly write: (drafts: readonly T[]) => Promise<void>;
  readonly remove: (ids: readonly string[]) => Promise<void>;
  /** Returns the id of a draft, unique in this browser. */
  readonly idOf: (draft: T) => string;
  /** Schedules a function. Returns a function that cancels it. */
  readonly later: (run: () => void, ms: number) => () => void;
};

/**
 * Stores drafts. Drafts for which the browser's storage has no space remain in memory, are counted in `unstored`, and
 * are retried after a delay and after drafts were deleted.
 */
export function createDraftWriter<T>({ write, remove, idOf, later }: DraftWriterPorts<T>) {
  const unstored: Store<number> = createStore(0);
  /** The newest version of each draft whose write is pending or failed. */
  const newest = new Map<string, T>();
  /** Ids of drafts whose write failed. */
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

  /** The draft may have been replaced or deleted during the write. */
  const isNewest = (draft: T): boolean => newest.get(idOf(draft)) === draft;

  /** Writes one draft at a time, so that as many as possible are stored. */
  async function retry(): Promise<void> {
    for (const id of failed) {
      const draft = newest.get(id)!;
      try {
        await write([draft]);
      } catch {
        // Moved to the end, because it may be too large: the next retry begins with another draft.
        if (failed.delete(id)) failed.add(id);
        break;
      }
      if (isNewest(draft)) forget(id);
    }
    count();
  }

  return {
    unstored,

    /** Stores drafts. Rejects if some could not be stored. */
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

    /** Stops storing these drafts, because another tab stores them. */
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
