import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { texts } from '../../texts/ordering.ts';
import { toastWarning, toastFailed } from '../toasts.ts';
import { moved, type Place, inOrder } from './moved.ts';
import { Moving } from './OrderHandle.tsx';
import styles from './OrderedRows.module.css';

type OrderedRowsProps<R> = {
  rows: readonly R[] | undefined;
  save: (ids: string[]) => Promise<unknown>;
  /** Shown if the server sent no message for a failed save. */
  failed: string;
  /** Renders a `DataTable` with an `orderColumn`. */
  children: (rows: readonly R[] | undefined) => ReactNode;
};

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * A table with rows in a custom order. Their handles are dragged with mouse, pen or finger, or moved with Alt+Up and
 * Alt+Down. Rows move past visible rows; filtered ones stay at their positions among the others.
 */
export function OrderedRows<R extends { _id: string; name: string }>({
  rows: loadedRows,
  save,
  failed,
  children,
}: OrderedRowsProps<R>): ReactNode {
  const { rows: saved, store } = useOrder(loadedRows, save, failed);
  /** The order displayed during a drag, regardless of saves. */
  const [dragged, show] = useState<readonly string[] | null>(null);
  const rows = saved && dragged ? inOrder(saved, dragged) : saved;
  const [moving, setMoving] = useState<string | null>(null);
  const [announcement, announce] = useState('');
  const area = useRef<HTMLDivElement>(null);

  const nameOf = (id: string): string => rows?.find(({ _id }) => _id === id)?.name ?? '';
  const idsNow = (): string[] => rows?.map(({ _id }) => _id) ?? [];
  const finish = (ids: readonly string[], id: string): void => {
    store(ids);
    announce(texts.moved(nameOf(id), ids.indexOf(id) + 1, ids.length));
  };

  /** Returns the id of the event's handle if its row can be moved. */
  function handleIdOf({ target }: { target: EventTarget }): string | undefined {
    const handle = (target as Element).closest<HTMLElement>('[data-order-handle]:not([aria-disabled])');
    if (handle === null) return undefined;
    if (!isSortedOtherwise(area.current)) return handle.dataset['orderHandle'];
    toastWarning(texts.sortedOtherwise);
    return undefined;
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.altKey ? STEPS[event.key] : undefined;
    const id = step && handleIdOf(event);
    if (!step || id === undefined) return;
    event.preventDefault();
    const visibleIds = rowsIn(area.current).map(({ id: shownId }) => shownId);
    const beside = visibleIds[visibleIds.indexOf(id) + step];
    if (beside === undefined) announce(texts.atEnd(nameOf(id)));
    else finish(moved(idsNow(), id, { beside, side: step < 0 ? 'before' : 'after' }), id);
  }

  function onPointerDown(event: PointerEvent): void {
    const id = event.button === 0 ? handleIdOf(event) : undefined;
    if (id === undefined) return;
    const before = idsNow();
    let ids = before;
    const drag = new AbortController();
    const { signal } = drag;
    const end = (): void => {
      drag.abort();
      setMoving(null);
      show(null);
    };
    setMoving(id);
    // The window listens, because the handle moves in the DOM during the drag and would lose the pointer.
    window.addEventListener(
      'pointermove',
      ({ clientY }) => {
        const place = placeAt(clientY, id, area.current);
        if (place === undefined) return;
        ids = moved(ids, id, place);
        show(ids);
      },
      { signal },
    );
    window.addEventListener(
      'pointerup',
      () => {
        end();
        if (ids.join() !== before.join()) finish(ids, id);
      },
      { signal },
    );
    window.addEventListener('pointercancel', end, { signal });
    window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
  }

  return (
    <Moving value={moving}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- events bubble up from the handles */}
      <div
        ref={area}
        className={styles.area}
        data-moving={moving !== null || undefined}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
      >
        {children(rows)}
      </div>
      <output className="ui-hidden">{announcement}</output>
    </Moving>
  );
}

type ShownRow = { id: string; top: number; bottom: number };

const rowsIn = (area: HTMLElement | null): ShownRow[] =>
  [...(area?.querySelectorAll<HTMLElement>('tr:has([data-order-handle])') ?? [])].map((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return {
      id: row.querySelector<HTMLElement>('[data-order-handle]')!.dataset['orderHandle']!,
      top,
      bottom,
    };
  });

/**
 * Returns the target for a pointer at this height: past a row once its middle is passed, so that rows of different
 * heights do not alternate. Undefined if the row does not move.
 */
function placeAt(y: number, id: string, area: HTMLElement | null): Place | undefined {
  const rows = rowsIn(area);
  const own = rows.findIndex((row) => row.id === id);
  const middle = ({ top, bottom }: ShownRow): number => (top + bottom) / 2;
  const above = rows.find((row, at) => at < own && y < middle(row));
  if (above) return { beside: above.id, side: 'before' };
  const below = rows.findLast((row, at) => at > own && y > middle(row));
  return below && { beside: below.id, side: 'after' };
}

const isSortedOtherwise = (area: HTMLElement | null): boolean =>
  area?.querySelector('th[aria-sort]:not([data-column="order"][aria-sort="ascending"])') != null;

/**
 * Applies a new order at once and saves it. Changes during a save are saved after it, in one request. A failure
 * restores the server's order and shows a toast.
 */
function useOrder<R extends { _id: string }>(
  rows: readonly R[] | undefined,
  save: (ids: string[]) => Promise<unknown>,
  failed: string,
) {
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const nextOrder = useRef<readonly string[] | null>(null);
  const isSaving = useRef(false);

  async function store(ids: readonly string[]): Promise<void> {
    setOrder(ids);
    nextOrder.current = ids;
    if (isSaving.current) return;
    isSaving.current = true;
    try {
      while (nextOrder.current !== null) {
        const next = [...nextOrder.current];
        nextOrder.current = null;
        await save(next);
      }
    } catch (thrown) {
      nextOrder.current = null;
      toastFailed(thrown, failed);
    }
    isSaving.current = false;
    setOrder(null);
  }

  return {
    rows: rows && order ? inOrder(rows, order) : rows,
    store: (ids: readonly string[]): void => void store(ids),
  };
}
