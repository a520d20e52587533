import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { CellAddress, GridRecord } from './columns.ts';
import type { Extent, Position } from './movement.ts';
import { HEADER_KEY, type RowSequence } from './row-sequence.ts';
import type { RowStore } from './row-store.ts';
import { scrollInto } from './window.ts';

export interface ActiveCellOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly sequence: RowSequence;
  /** Visible columns from left to right. */
  readonly columnIds: readonly string[];
  readonly rowHeight: number;
  readonly headerHeight: number;
  readonly startCount: number;
  readonly startWidth: number;
  readonly endWidth: number;
  readonly centerStarts: readonly number[];
  readonly editing: boolean;
  /** Whether rows are grouped: a row can then move to another group while the user edits it. */
  readonly grouped: boolean;
  readonly onChange: ((cell: CellAddress | null) => void) | undefined;
}

export interface ActiveCell {
  /** Null before a cell is activated, and while its row is not shown. The key of the header is `HEADER_KEY`. */
  readonly cell: CellAddress | null;
  readonly position: Position | null;
  /** The former position of an active cell whose row is not shown: that of the row after it. */
  readonly lost: Position | null;
  /** Activates a cell and scrolls to it. Its row may be added later. Scrolls to `before` first. */
  readonly activate: (cell: CellAddress, before?: CellAddress) => void;
  /** Activates a position. Returns its cell; null if there is none. */
  readonly moveTo: (position: Position) => CellAddress | null;
  readonly reveal: (position: Position) => void;
  /** Scrolls to the first scrolling column or the last rows: moving to pinned columns or sticky rows does not. */
  readonly scrollToEdge: (edge: 'left' | 'bottom') => void;
  readonly extent: () => Extent;
}

/**
 * The cell that keys act on, identified by key and column, so that added and removed rows do not move it. After its row
 * is removed, no cell is active until the user chooses one: typed text must not go into the row that takes its place.
 */
export function useActiveCell(options: ActiveCellOptions): ActiveCell {
  const { scroller, sequence, columnIds, rowHeight, headerHeight, editing, onChange } = options;
  const [chosen, setChosen] = useState<(CellAddress & { readonly row: number }) | null>(null);
  const stickyHeight = sequence.trailingCount > 0 ? rowHeight : 0;

  const column = chosen ? Math.max(0, columnIds.indexOf(chosen.columnId)) : 0;
  const row = chosen && sequence.indexOf(chosen.key);
  const head = chosen && row === null ? sequence.hiddenIn(chosen.key) : null;
  if (chosen && head !== null) setChosen({ ...chosen, key: head });
  // Stores the row index while the row is shown.
  if (chosen && row !== null && row !== chosen.row) setChosen({ ...chosen, row });
  const position = row === null ? null : { row, column };
  const lost = chosen && row === null ? { row: Math.min(chosen.row, sequence.length), column } : null;
  const cell = position && addressOf(position);

  function addressOf({ row: at, column: across }: Position): CellAddress | null {
    const key = at < 0 ? HEADER_KEY : sequence.keyAt(at);
    const columnId = columnIds[across];
    return key === undefined || columnId === undefined ? null : { key, columnId };
  }

  function extent(): Extent {
    const height = (scroller.current?.clientHeight ?? 0) - headerHeight - stickyHeight;
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    return { rows: sequence.length, columns: columnIds.length, page };
  }

  function reveal({ row: to, column: across }: Position) {
    const element = scroller.current;
    if (!element) return;
    const height = element.clientHeight - headerHeight - stickyHeight;
    const isSticky = stickyHeight > 0 && to === sequence.length - 1;
    let { scrollTop: top, scrollLeft: left } = element;
    if (to >= 0 && !isSticky) top = scrollInto(top, height, to * rowHeight, (to + 1) * rowHeight);
    const start = options.centerStarts[across - options.startCount];
    const end = options.centerStarts[across - options.startCount + 1];
    const width = element.clientWidth - options.startWidth - options.endWidth;
    if (start !== undefined && end !== undefined) left = scrollInto(left, width, start, end);
    element.scrollTo({ top, left, behavior: 'instant' });
  }

  function isInView({ scrollTop, clientHeight }: HTMLElement, at: number, height = clientHeight): boolean {
    const top = at * rowHeight - scrollTop;
    return top >= 0 && top < height - headerHeight - stickyHeight;
  }

  function scrollToEdge(edge: 'left' | 'bottom') {
    const to = edge === 'left' ? { left: 0 } : { top: sequence.length * rowHeight };
    scroller.current?.scrollTo({ ...to, behavior: 'instant' });
  }

  function moveTo(to: Position): CellAddress | null {
    const next = addressOf(to);
    activate(next);
    return next;
  }

  const unseen = useRef<readonly CellAddress[]>([]);
  function activate(next: CellAddress | null, before?: CellAddress) {
    if (!next) return;
    unseen.current = before ? [before, next] : [next];
    setChosen({ ...next, row: sequence.indexOf(next.key) ?? chosen?.row ?? 0 });
  }

  useLayoutEffect(() => {
    if (unseen.current.length === 0 || !position) return;
    for (const { key, columnId } of unseen.current) {
      reveal({ row: sequence.indexOf(key) ?? position.row, column: columnIds.indexOf(columnId) });
    }
    unseen.current = [];
  });

  /** The height at the last observation: of two changes in one frame the rows change first. */
  const height = useRef(0);
  const anchor = useRef<{ key: string; row: number } | null>(null);
  const isAside = position !== null && position.row >= sequence.length - sequence.trailingCount;
  useLayoutEffect(() => {
    // Rows added or removed above must not move the open editor, so the grid is scrolled instead. With groups this also
    // holds for a visible active cell, and for a row that is set aside while the rows pasted with it are saved.
    const before = anchor.current;
    const holds = editing || options.grouped || isAside;
    anchor.current = holds && cell && position ? { key: cell.key, row: position.row } : null;
    if (!before || before.key !== anchor.current?.key || !scroller.current) return;
    if (!editing && !isInView(scroller.current, before.row, height.current)) return;
    scroller.current.scrollBy({ top: (anchor.current.row - before.row) * rowHeight, behavior: 'instant' });
  });

  // Content that appears below the grid, such as a notice about the active cell, must not cover it.
  const onResize = useEffectEvent((element: HTMLElement) => {
    const before = height.current;
    height.current = element.clientHeight;
    if (position && height.current < before && isInView(element, position.row, before)) reveal(position);
  });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => onResize(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);

  const announce = useEffectEvent((key: string | undefined, columnId: string | undefined) => {
    const isCell = key !== undefined && columnId !== undefined && key !== HEADER_KEY;
    onChange?.(isCell ? { key, columnId } : null);
  });
  useEffect(() => announce(cell?.key, cell?.columnId), [cell?.key, cell?.columnId]);

  return {
    cell,
    position,
    lost,
    activate,
    moveTo,
    reveal,
    scrollToEdge,
    extent,
  };
}

/** Marks the row of the active cell in the store, for `runWhenInactive`. */
export function useActiveRow<R extends GridRecord>(store: RowStore<R>, key: string | undefined): void {
  useEffect(() => (key === undefined ? undefined : store.markActive(key)), [store, key]);
}
