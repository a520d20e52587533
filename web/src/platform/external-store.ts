import { useSyncExternalStore } from 'react';

export type Store<T> = {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
};

type Listeners = ReadonlySet<() => void>;

const tellAll = (listeners: Listeners): void => {
  for (const listener of listeners) listener();
};

/** Tells each listener in a task of its own: many renders in one would hold up the keys of somebody who types. */
export async function tellOneByOne(listeners: Listeners): Promise<void> {
  for (const listener of listeners) {
    listener();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** A value outside React that screens can follow. Values are replaced, never changed in place. */
export function createStore<T>(initial: T, tell: (listeners: Listeners) => unknown = tellAll): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      tell(listeners);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The store's value, and a new render whenever it is replaced. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
