import { useSyncExternalStore } from 'react';

export type Store<T> = {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
};

type Listeners = ReadonlySet<() => void>;

const notifyAll = (listeners: Listeners): void => {
  for (const listener of listeners) listener();
};

/** Notifies each listener in a task of its own, because many renders in one task would delay keystrokes. */
export async function notifyOneByOne(listeners: Listeners): Promise<void> {
  for (const listener of listeners) {
    listener();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Creates a value outside React to which components can subscribe. It is replaced, never mutated. */
export function createStore<T>(initial: T, notify: (listeners: Listeners) => unknown = notifyAll): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      notify(listeners);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Pick<Store<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
