import type { GridRecord } from './columns.ts';

/**
 * The rows of a grid outside React: a Map of records and an array of keys.
 *
 * A mounted row subscribes to its own record only, so a live change to an unmounted row only updates the map. Reads
 * (`get`, `getOrder`) are always up to date. Listeners are notified in the next animation frame; during a stream of
 * changes, in every second frame.
 */
export interface RowStore<R extends GridRecord> {
  readonly get: (key: string) => R | undefined;
  /** Keys in display order. The array is replaced when it changes, never mutated. */
  readonly getOrder: () => readonly string[];
  /** Returns the records of these keys. The current order is read from its slots, which is faster than lookups. */
  readonly recordsOf: (keys: readonly string[]) => (R | undefined)[];
  /** Replaces the ordered rows. Rows added as `'aside'` and a held row remain. */
  readonly setRows: (records: readonly R[]) => void;
  /** Removes the ordered rows that fail a test without moving the others. A held row remains. */
  readonly narrow: (meets: (record: R) => boolean) => void;
  /**
   * Replaces existing records in place, including records hidden by a filter. Appends new records, and records that
   * were `'aside'`. With `place` `'aside'`, new records are stored but not added to the order.
   */
  readonly upsert: (records: readonly R[], place?: 'end' | 'aside') => void;
  /** Removes records. A held record is removed on release, unless it was added again. */
  readonly remove: (keys: Iterable<string>) => void;
  /** Applies a sort or a filter. Rows that are not in `keys` are hidden, not removed; a held row is never hidden. */
  readonly setOrder: (keys: readonly string[]) => void;
  /** Holds a row in place during an edit. Returns a function that releases it. */
  readonly hold: (key: string) => () => void;
  /** Marks the row of the active cell. Returns a function that ends the mark. */
  readonly markActive: (key: string) => () => void;
  /**
   * Runs when the row is neither edited nor active: at once, or after the user leaves it. Used if the user's own edit
   * moves the row out of the view. Of several calls for one row only the last runs.
   */
  readonly runWhenInactive: (key: string, run: () => void) => void;
  readonly subscribeRow: (key: string, listener: () => void) => () => void;
  readonly subscribeOrder: (listener: () => void) => () => void;
  /** Notifies about changed records, also unmounted ones; null means that any may have changed. Totals use it. */
  readonly subscribeRecords: (listener: (keys: ReadonlySet<string> | null) => void) => () => void;
}

/** The order refers to slots, so that a change replaces only the record of a slot. */
type Slot<R> = { record: R };

type Schedule = (notify: () => void) => void;

/** Changes at a shorter interval, in milliseconds, are a stream. */
const STREAM_MS = 25;

/** Schedules for the next frame; in a stream for every second one, since a frame costs more than its changes. */
function nextFrame(): Schedule {
  let last = -Infinity;
  return (notify) => {
    const run = (now: number): void => {
      last = now;
      notify();
    };
    requestAnimationFrame((now) => (now - last < STREAM_MS ? requestAnimationFrame(run) : run(now)));
  };
}

export function createRowStore<R extends GridRecord>(schedule: Schedule = nextFrame()): RowStore<R> {
  let slots = new Map<string, Slot<R>>();
  let order: readonly string[] = [];
  /** The slots of the order; null after the order has changed. */
  let ordered: readonly Slot<R>[] | null = null;
  const aside = new Set<string>();
  let heldKey: string | null = null;
  let isHeldRemoved = false;
  let activeKey: string | null = null;
  const pending = new Map<string, () => void>();

  const rowListeners = new Map<string, Set<() => void>>();
  const orderListeners = new Set<() => void>();
  const recordListeners = new Set<(keys: ReadonlySet<string> | null) => void>();
  const changed = new Set<string>();
  let orderChanged = false;
  let changedRecords: Set<string> | null = new Set();
  let scheduled = false;

  function notify() {
    scheduled = false;
    const keys = [...changed];
    changed.clear();
    if (orderChanged) {
      orderChanged = false;
      for (const listener of orderListeners) listener();
    }
    for (const key of keys) for (const listener of rowListeners.get(key) ?? []) listener();
    const keysOfRecords = changedRecords;
    changedRecords = new Set();
    if (keysOfRecords?.size !== 0) for (const listener of recordListeners) listener(keysOfRecords);
  }

  function scheduleNotify() {
    if (scheduled || (changed.size === 0 && !orderChanged && changedRecords?.size === 0)) return;
    scheduled = true;
    schedule(notify);
  }

  function touch(key: string) {
    if (rowListeners.has(key)) changed.add(key);
    if (recordListeners.size > 0) changedRecords?.add(key);
  }

  function replaceOrder(next: readonly string[], nextSlots: readonly Slot<R>[] | null = null) {
    order = withHeld(next);
    ordered = order === next ? nextSlots : null;
    orderChanged = true;
    scheduleNotify();
  }

  function withHeld(next: readonly string[]): readonly string[] {
    if (heldKey === null || aside.has(heldKey) || next.includes(heldKey)) return next;
    const at = Math.min(order.indexOf(heldKey), next.length);
    return at < 0 ? next : [...next.slice(0, at), heldKey, ...next.slice(at)];
  }

  function runIfInactive(key: string) {
    if (key === heldKey || key === activeKey) return;
    const run = pending.get(key);
    pending.delete(key);
    run?.();
  }

  function deleteRecords(keys: ReadonlySet<string>) {
    let ordered = false;
    for (const key of keys) {
      const wasAside = aside.delete(key);
      if (slots.delete(key) && !wasAside) ordered = true;
      touch(key);
    }
    if (ordered) replaceOrder(order.filter((key) => !keys.has(key)));
    scheduleNotify();
  }

  /** Every key of the order has a slot. */
  const orderedSlots = () => (ordered ??= order.map((key) => slots.get(key)!));

  return {
    get: (key) => slots.get(key)?.record,
    getOrder: () => order,
    recordsOf: (keys) =>
      keys === order ? orderedSlots().map(({ record }) => record) : keys.map((key) => slots.get(key)?.record),

    setRows(rows) {
      const previous = slots;
      // Filled in a loop: creating 100,000 pairs for the constructor would double the time.
      slots = new Map();
      const placed = rows.map((record) => ({ record }));
      for (const slot of placed) slots.set(slot.record.key, slot);
      const keptKeys = new Set(aside);
      if (heldKey !== null) keptKeys.add(heldKey);
      for (const key of keptKeys) {
        const slot = previous.get(key);
        if (slots.has(key)) aside.delete(key);
        else if (slot) slots.set(key, slot);
      }
      if (recordListeners.size > 0) changedRecords = null;
      for (const key of rowListeners.keys())
        if (slots.get(key)?.record !== previous.get(key)?.record) changed.add(key);
      replaceOrder(
        rows.map((row) => row.key),
        placed,
      );
    },

    narrow(meets) {
      const keys: string[] = [];
      const keptSlots = orderedSlots().filter((slot, at) => {
        const key = order[at]!;
        const stays = key === heldKey || meets(slot.record);
        if (stays) keys.push(key);
        else slots.delete(key);
        return stays;
      });
      if (recordListeners.size > 0) changedRecords = null;
      for (const key of rowListeners.keys()) if (!slots.has(key)) changed.add(key);
      replaceOrder(keys, keptSlots);
    },

    upsert(rows, place = 'end') {
      const added: Slot<R>[] = [];
      for (const record of rows) {
        const { key } = record;
        const existingSlot = slots.get(key);
        const slot = existingSlot ?? { record };
        if (key === heldKey) isHeldRemoved = false;
        if (place === 'end' && (!existingSlot || aside.delete(key))) added.push(slot);
        else if (!existingSlot) aside.add(key);
        if (existingSlot) existingSlot.record = record;
        else slots.set(key, slot);
        touch(key);
      }
      if (added.length > 0) {
        const keys = added.map(({ record }) => record.key);
        replaceOrder([...order, ...keys], ordered && [...ordered, ...added]);
      }
      scheduleNotify();
    },

    remove(keys) {
      const removed = new Set(keys);
      if (heldKey !== null && removed.delete(heldKey)) isHeldRemoved = true;
      deleteRecords(removed);
    },

    setOrder: (keys) => replaceOrder(keys),

    hold(key) {
      heldKey = key;
      return () => {
        if (heldKey !== key) return;
        heldKey = null;
        if (isHeldRemoved) deleteRecords(new Set([key]));
        isHeldRemoved = false;
        runIfInactive(key);
      };
    },

    markActive(key) {
      activeKey = key;
      return () => {
        if (activeKey === key) activeKey = null;
        runIfInactive(key);
      };
    },

    runWhenInactive(key, run) {
      pending.set(key, run);
      runIfInactive(key);
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
