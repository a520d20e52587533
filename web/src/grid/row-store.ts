import type { GridRecord } from './columns.ts';

/**
 * The rows of a grid outside React: a Map of records and an array of keys.
 *
 * A mounted row listens to its own record only, so a live change to a row off screen touches the map and nothing else.
 * Reading (`get`, `getOrder`) is always up to date; listeners hear of it with the next animation frame, and in a stream of
 * changes with every second one.
 */
export interface RowStore<R extends GridRecord> {
  readonly get: (key: string) => R | undefined;
  /** Keys in the order shown. The array is replaced when it changes, never altered. */
  readonly getOrder: () => readonly string[];
  /** Replaces the ordered rows. Rows set aside stay, and so does a held row. */
  readonly setRows: (records: readonly R[]) => void;
  /**
   * Replaces known records where they stand, also those a filter has hidden. Unknown records, and known ones that were
   * set aside, are put at the end; with `'aside'` they are known to the store without being in the order.
   */
  readonly upsert: (records: readonly R[], place?: 'end' | 'aside') => void;
  /** Forgets records. One that is held goes when it is released, unless it has been put in again by then. */
  readonly remove: (keys: Iterable<string>) => void;
  /** Applies a sort or a filter. Keys left out are hidden, not forgotten; a held row is never hidden. */
  readonly setOrder: (keys: readonly string[]) => void;
  /** Keeps a row in place while somebody types in it. Answers the release. */
  readonly hold: (key: string) => () => void;
  /** Tells which row the active cell is in. Answers the end of it. */
  readonly standIn: (key: string) => () => void;
  /**
   * Calls when nobody types or stands in a row: at once, or when they leave it. For what its own person's edit takes out
   * of sight; of what is asked for one row only the last is called.
   */
  readonly whenLeft: (key: string, run: () => void) => void;
  readonly subscribeRow: (key: string, listener: () => void) => () => void;
  readonly subscribeOrder: (listener: () => void) => () => void;
  /** Called when any record changed, shown or not: for what adds them up. */
  readonly subscribeRecords: (listener: () => void) => () => void;
}

type Schedule = (announce: () => void) => void;

/** Changes closer than this, in milliseconds, are a stream. */
const STREAM_MS = 25;

/**
 * The next frame; in a stream of changes every second one. Most of what a changed row costs is the frame around it, and
 * nobody reads faster.
 */
function nextFrame(): Schedule {
  let last = -Infinity;
  return (announce) => {
    const run = (now: number): void => {
      last = now;
      announce();
    };
    requestAnimationFrame((now) => (now - last < STREAM_MS ? requestAnimationFrame(run) : run(now)));
  };
}

export function createRowStore<R extends GridRecord>(schedule: Schedule = nextFrame()): RowStore<R> {
  let records = new Map<string, R>();
  let order: readonly string[] = [];
  const aside = new Set<string>();
  let held: string | null = null;
  let heldIsGone = false;
  let stoodIn: string | null = null;
  const waiting = new Map<string, () => void>();

  const rowListeners = new Map<string, Set<() => void>>();
  const orderListeners = new Set<() => void>();
  const recordListeners = new Set<() => void>();
  const changed = new Set<string>();
  let orderChanged = false;
  let recordsChanged = false;
  let scheduled = false;

  function announce() {
    scheduled = false;
    const keys = [...changed];
    changed.clear();
    if (orderChanged) {
      orderChanged = false;
      for (const listener of orderListeners) listener();
    }
    for (const key of keys) for (const listener of rowListeners.get(key) ?? []) listener();
    if (recordsChanged) for (const listener of recordListeners) listener();
    recordsChanged = false;
  }

  function announceLater() {
    if (scheduled || (changed.size === 0 && !orderChanged && !recordsChanged)) return;
    scheduled = true;
    schedule(announce);
  }

  function touch(key: string) {
    if (rowListeners.has(key)) changed.add(key);
    if (recordListeners.size > 0) recordsChanged = true;
  }

  function replaceOrder(next: readonly string[]) {
    order = keepHeld(next);
    orderChanged = true;
    announceLater();
  }

  function keepHeld(next: readonly string[]): readonly string[] {
    if (held === null || aside.has(held) || next.includes(held)) return next;
    const at = Math.min(order.indexOf(held), next.length);
    return at < 0 ? next : [...next.slice(0, at), held, ...next.slice(at)];
  }

  function left(key: string) {
    if (key === held || key === stoodIn) return;
    const run = waiting.get(key);
    waiting.delete(key);
    run?.();
  }

  function forget(keys: ReadonlySet<string>) {
    let ordered = false;
    for (const key of keys) {
      const wasAside = aside.delete(key);
      if (records.delete(key) && !wasAside) ordered = true;
      touch(key);
    }
    if (ordered) replaceOrder(order.filter((key) => !keys.has(key)));
    announceLater();
  }

  return {
    get: (key) => records.get(key),
    getOrder: () => order,

    setRows(rows) {
      const previous = records;
      records = new Map(rows.map((row) => [row.key, row]));
      const kept = new Set(aside);
      if (held !== null) kept.add(held);
      for (const key of kept) {
        const row = previous.get(key);
        if (records.has(key)) aside.delete(key);
        else if (row) records.set(key, row);
      }
      recordsChanged = recordListeners.size > 0;
      for (const key of rowListeners.keys()) if (records.get(key) !== previous.get(key)) changed.add(key);
      replaceOrder(rows.map((row) => row.key));
    },

    upsert(rows, place = 'end') {
      const added: string[] = [];
      for (const row of rows) {
        const isNew = !records.has(row.key);
        if (row.key === held) heldIsGone = false;
        if (place === 'end' && (isNew || aside.delete(row.key))) added.push(row.key);
        else if (isNew) aside.add(row.key);
        records.set(row.key, row);
        touch(row.key);
      }
      if (added.length > 0) replaceOrder([...order, ...added]);
      announceLater();
    },

    remove(keys) {
      const going = new Set(keys);
      if (held !== null && going.delete(held)) heldIsGone = true;
      forget(going);
    },

    setOrder: replaceOrder,

    hold(key) {
      held = key;
      return () => {
        if (held !== key) return;
        held = null;
        if (heldIsGone) forget(new Set([key]));
        heldIsGone = false;
        left(key);
      };
    },

    standIn(key) {
      stoodIn = key;
      return () => {
        if (stoodIn === key) stoodIn = null;
        left(key);
      };
    },

    whenLeft(key, run) {
      waiting.set(key, run);
      left(key);
    },

    subscribeRow(key, listener) {
      const listeners = rowListeners.get(key) ?? new Set();
      rowListeners.set(key, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && rowListeners.get(key) === listeners) rowListeners.delete(key);
      };
    },

    subscribeOrder(listener) {
      orderListeners.add(listener);
      return () => orderListeners.delete(listener);
    },

    subscribeRecords(listener) {
      recordListeners.add(listener);
      return () => recordListeners.delete(listener);
    },
  };
}
