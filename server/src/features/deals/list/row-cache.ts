import type { Notices } from '../../../platform/live/notices.ts';
import type { ListedRow } from '../deals.queries.ts';
import { ANY_ROW } from './part-changes.queries.ts';

/**
 * A row with the id of the transaction that wrote it: another stamp means that the row was changed. `texts` are JSON of
 * the row, by form.
 */
export type StampedRow = { row: ListedRow; stamp: string; texts: Map<string, string> };

/** Changes of items, shares, messages and names that `since` does not contain, and the snapshot that contains them. */
export type PartChanges = { since: string | null; changed: readonly string[]; snapshot: string };

/** About 6,000 rows with a text: the months that people have open. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_SEARCHES = 1000;

const sizeOfText = (text: string): number => 24 + 2 * text.length;
const sizeOf = ({ row, texts }: StampedRow): number => {
  let size = 200;
  for (const value of Object.values(row)) size += typeof value === 'string' ? sizeOfText(value) : 8;
  for (const list of [row.items, row.shares]) if (list.length > 0) size += 2 * JSON.stringify(list).length;
  for (const text of texts.values()) size += sizeOfText(text);
  return size;
};

/**
 * Caches whole rows that requests read. An entry is the current row if
 * - it has the current stamp (`xmin`), which every list reads: every change of the row of `deals` sets it; and
 * - none of its parts was changed since it was read. Triggers record changes of items, shares, messages and names in
 *   `deal_part_changes`, and every list reads the changes that its snapshot contains and an earlier one did not.
 *
 * So the statement that reads a page also reads what it invalidates, on every instance and without notices. A new
 * server, for example after a failover, may count transactions from an earlier number: entries are not used while the
 * listening connection is down, and deleted when it reconnects.
 */
export function createRowCache(notices: Pick<Notices, 'on' | 'areHeard'>, maxBytes = MAX_BYTES) {
  // Two generations: rows that are used again move to the newer one before the older one is deleted.
  let newer = new Map<string, StampedRow>();
  let older = new Map<string, StampedRow>();
  let bytes = 0;
  const searches = new Map<string, string>();
  /** All changes of parts in this snapshot have been applied. */
  let applied: string | null = null;
  /** For each read in progress, the rows whose parts were changed meanwhile. */
  const reads = new Set<Set<string>>();

  function clear(): void {
    newer.clear();
    older.clear();
    bytes = 0;
    for (const changed of reads) changed.add(ANY_ROW);
  }

  notices.on('resumed', () => {
    clear();
    searches.clear();
    applied = null;
  });

  function store(entry: StampedRow, size = sizeOf(entry)): void {
    bytes += size;
    if (bytes > maxBytes / 2) {
      older = newer;
      newer = new Map();
      bytes = sizeOf(entry);
    }
    newer.set(entry.row.id, entry);
  }

  return {
    /** The snapshot after which the next list reads changes of parts; null: nothing is cached. */
    since: (): string | null => applied,

    /** Deletes the rows whose parts were changed. Called with each list before `get`. */
    apply({ since, changed, snapshot }: PartChanges): void {
      if (changed.includes(ANY_ROW)) clear();
      else {
        for (const id of changed) {
          newer.delete(id);
          older.delete(id);
          for (const read of reads) read.add(id);
        }
      }
      // A concurrent list may have read the same changes: only a list that continues from here has read all later ones.
      if (since === applied) applied = snapshot;
    },

    /** Returns the row with this id as this transaction wrote it; undefined if it is not cached. */
    get(id: string, stamp: string): StampedRow | undefined {
      if (!notices.areHeard()) return undefined;
      const entry = newer.get(id);
      if (entry) return entry.stamp === stamp ? entry : undefined;
      const earlier = older.get(id);
      if (earlier?.stamp !== stamp) return undefined;
      store(earlier);
      return earlier;
    },

    /** Reads rows and stores them, without those whose parts were changed meanwhile. */
    async fill(read: () => Promise<StampedRow[]>): Promise<StampedRow[]> {
      const changed = new Set<string>();
      reads.add(changed);
      try {
        const entries = await read();
        if (!changed.has(ANY_ROW)) for (const one of entries) if (!changed.has(one.row.id)) store(one);
        return entries;
      } finally {
        reads.delete(changed);
      }
    },

    /** Returns the JSON of a row in a form, from the cache if it has been serialised before. */
    textOf(entry: StampedRow, form: string, serialise: (row: ListedRow) => string): string {
      const cached = entry.texts.get(form);
      if (cached !== undefined) return cached;
      const text = serialise(entry.row);
      entry.texts.set(form, text);
      if (newer.get(entry.row.id) === entry) store(entry, sizeOfText(text));
      return text;
    },

    /** Stores that a search finds more rows than are counted, in this snapshot of the database. */
    putExceeded(search: string, snapshot: string): void {
      if (searches.size >= MAX_SEARCHES) searches.clear();
      searches.set(search, snapshot);
    },

    /** Returns the snapshot in which a search found more rows than are counted. */
    exceededIn: (search: string): string | undefined =>
      notices.areHeard() ? searches.get(search) : undefined,
  };
}

export type RowCache = ReturnType<typeof createRowCache>;
