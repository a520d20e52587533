import { useRef, useState } from 'react';
import { toastFailed } from '../toasts.ts';
import { inOrder } from './moved.ts';

/**
 * Rows in the order that somebody has given them, from the moment on at which they did. What is arranged while an
 * order is being saved is saved after it, once. A failure leaves the server's order and says so.
 */
export function useOrder<R extends { _id: string }>(
  rows: readonly R[] | undefined,
  save: (ids: string[]) => Promise<unknown>,
  failed: string,
) {
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const wanted = useRef<readonly string[] | null>(null);
  const isSaving = useRef(false);

  async function store(ids: readonly string[]): Promise<void> {
    setOrder(ids);
    wanted.current = ids;
    if (isSaving.current) return;
    isSaving.current = true;
    try {
      while (wanted.current !== null) {
        const next = [...wanted.current];
        wanted.current = null;
        await save(next);
      }
    } catch (thrown) {
      wanted.current = null;
      toastFailed(thrown, failed);
    }
    isSaving.current = false;
    setOrder(null);
  }

  return {
    rows: rows && order ? inOrder(rows, order) : rows,
    /** Shows an order without saving it; null: the server's. */
    show: setOrder,
    store: (ids: readonly string[]): void => void store(ids),
  };
}
