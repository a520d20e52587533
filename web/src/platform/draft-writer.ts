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
  const unwritten = new Map<string, T>();
  let isRetryScheduled = false;

  function count(): void {
    unstored.set(unwritten.size);
    if (unwritten.size === 0 || isRetryScheduled) return;
    isRetryScheduled = true;
    later(() => {
      isRetryScheduled = false;
      void retry();
    }, RETRY_MS);
  }

  /** Writes one draft at a time, so that as many as possible are stored. */
  async function retry(): Promise<void> {
    for (const [id, draft] of unwritten) {
      try {
        await write([draft]);
      } catch {
        break;
      }
      // It may have been replaced during the write.
      if (unwritten.get(id) === draft) unwritten.delete(id);
    }
    count();
  }

  return {
    /** Number of drafts that are in memory only. */
    unstored,

    /** Stores drafts. Rejects when some could not be stored. */
    async save(drafts: readonly T[]): Promise<void> {
      try {
        await write(drafts);
        for (const draft of drafts) unwritten.delete(idOf(draft));
        count();
      } catch (thrown) {
        for (const draft of drafts) unwritten.set(idOf(draft), draft);
        await retry();
        if (drafts.some((draft) => unwritten.has(idOf(draft)))) throw thrown;
      }
    },

    /** Stops storing these: another tab stores them. */
    release(ids: readonly string[]): void {
      for (const id of ids) unwritten.delete(id);
      count();
    },

    async delete(ids: readonly string[]): Promise<void> {
      this.release(ids);
      await remove(ids);
      await retry();
    },
  };
}
