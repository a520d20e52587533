import { useEffect, useRef, type PointerEvent, type RefObject } from 'react';
import type { Position } from './movement.ts';
import { viewportOf, type Viewport } from './use-viewport.ts';
import { columnAt } from './window.ts';

export interface BlockDrag {
  /** Handles a press that may become a drag. */
  readonly begin: (event: PointerEvent, from: Position, kind: DragKind) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
  /** Ends a drag without applying it. Returns whether there was one. */
  readonly cancel: () => boolean;
}

/** A drag selects cells, or fills from the selected ones. */
type DragKind = 'select' | 'fill';

export interface BlockDragOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly places: CellPlaces;
  readonly onDrag: (kind: DragKind, to: Position) => void;
  readonly onDrop: (kind: DragKind) => void;
  readonly onCancel: () => void;
}

interface Drag {
  readonly kind: DragKind;
  over: Position;
  started: boolean;
  x: number;
  y: number;
}

/** Px inside the edges at which a drag scrolls: the grid may end at the edge of the screen. */
const EDGE = 14;

/** Selects a rectangle with the mouse and scrolls at the edges. Touch scrolls instead. */
export function useBlockDrag(options: BlockDragOptions): BlockDrag {
  const drag = useRef<Drag | null>(null);
  const frame = useRef(0);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  function follow(current: Drag) {
    const { scroller, places, onDrag } = latest.current;
    const root = scroller.current;
    if (!root) return;
    const { left, top } = root.getBoundingClientRect();
    const over = cellAt(current.x - left, current.y - top, viewportOf(root), places);
    if (over.row === current.over.row && over.column === current.over.column) return;
    current.over = over;
    onDrag(current.kind, over);
  }

  function scrollAtEdges() {
    frame.current = 0;
    const current = drag.current;
    const { scroller, places } = latest.current;
    const root = scroller.current;
    if (!current?.started || !root) return;
    const { left, top } = root.getBoundingClientRect();
    const { headerHeight, stickyHeight, startWidth, endWidth } = places;
    const below = root.clientHeight - stickyHeight - EDGE;
    const down = edgeSpeed(current.y - top, headerHeight, below);
    const across = edgeSpeed(current.x - left, startWidth, root.clientWidth - endWidth - EDGE);
    if (down === 0 && across === 0) return;
    root.scrollBy({ top: down, left: across, behavior: 'instant' });
    follow(current);
    frame.current = requestAnimationFrame(scrollAtEdges);
  }

  function stop(): Drag | null {
    const current = drag.current;
    drag.current = null;
    return current?.started ? current : null;
  }

  function cancel(): boolean {
    const cancelled = stop() !== null;
    if (cancelled) options.onCancel();
    return cancelled;
  }

  return {
    begin({ clientX: x, clientY: y, pointerType }, over, kind) {
      drag.current = pointerType === 'touch' ? null : { kind, over, started: false, x, y };
    },

    onPointerMove(event) {
      const current = drag.current;
      if (!current) return;
      current.x = event.clientX;
      current.y = event.clientY;
      const { over } = current;
      follow(current);
      if (!current.started && current.over === over) return;
      // Captured on the first movement: a capture at the press would redirect the double click to the grid's root.
      if (!current.started) event.currentTarget.setPointerCapture(event.pointerId);
      current.started = true;
      if (frame.current === 0) frame.current = requestAnimationFrame(scrollAtEdges);
    },

    onPointerUp() {
      const done = stop();
      if (done) options.onDrop(done.kind);
    },

    onPointerCancel: () => void cancel(),
    cancel,
  };
}

export interface CellPlaces {
  readonly rowHeight: number;
  readonly headerHeight: number;
  /** Height in px of the blank row, which covers the lower edge. */
  readonly stickyHeight: number;
  readonly rowCount: number;
  /** One width for each visible column, from left to right. */
  readonly widths: readonly number[];
  readonly startCount: number;
  readonly startWidth: number;
  readonly endCount: number;
  readonly endWidth: number;
  readonly centerStarts: readonly number[];
}

/**
 * Returns the cell at a point, or else the nearest visible one, computed without the DOM.
 *
 * @param x px from the grid's left edge
 * @param y px from its upper edge
 */
export function cellAt(x: number, y: number, view: Viewport, places: CellPlaces): Position {
  const { rowHeight, headerHeight, stickyHeight, rowCount } = places;
  const lastVisible = view.height - headerHeight - stickyHeight - 1;
  const down = Math.max(0, Math.min(y - headerHeight, lastVisible));
  const lastRow = Math.max(0, rowCount - 1 - Number(stickyHeight > 0));
  const row = Math.min(Math.floor((view.top + down) / rowHeight), lastRow);
  return { row, column: columnOf(Math.max(0, Math.min(x, view.width - 1)), view, places) };
}

function columnOf(x: number, view: Viewport, places: CellPlaces): number {
  const { widths, startCount, startWidth, endCount, endWidth, centerStarts } = places;
  if (x < startWidth && startCount > 0) {
    let edge = startWidth;
    for (let column = startCount - 1; column > 0; column--) {
      edge -= widths[column] ?? 0;
      if (x >= edge) return column;
    }
    return 0;
  }
  const endFrom = widths.length - endCount;
  if (x >= view.width - endWidth && endCount > 0) {
    let edge = view.width;
    for (let column = widths.length - 1; column > endFrom; column--) {
      edge -= widths[column] ?? 0;
      if (x >= edge) return column;
    }
    return endFrom;
  }
  const across = columnAt(centerStarts, view.left + x - startWidth) + startCount;
  return Math.max(0, Math.min(across, endFrom - 1));
}

/** Returns the scroll speed in px per frame for a point beyond an edge; 0 between the edges. */
export function edgeSpeed(at: number, from: number, to: number): number {
  if (at < from) return -stepOf(from - at);
  return at > to ? stepOf(at - to) : 0;
}

const FASTEST = 48;
const stepOf = (beyond: number): number => Math.min(FASTEST, 4 + beyond / 2);
