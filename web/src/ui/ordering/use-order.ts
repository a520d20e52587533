import { useRef, useState } from 'react';
import { toastFailed } from '../toasts.ts';
import { inOrder } from './moved.ts';

/**
 * Applies a new order at once and saves it. Changes made during a save are saved after it, in one request. A failure
 * restores the server's order and shows a toast.
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
