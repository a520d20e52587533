import { useEffect, useRef, type PointerEvent, type RefObject } from 'react';
import { cellAt, edgeSpeed, type CellPlaces } from './cell-at.ts';
import type { Position } from './movement.ts';

export interface BlockDrag {
  /** Handles a press that may start a drag. */
  readonly begin: (event: PointerEvent, from: Position, kind: DragKind) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
  /** Ends a drag without applying it; returns whether there was one. */
  readonly cancel: () => boolean;
}

/** Selecting cells, or filling from those that are selected. */
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
    const view = {
      top: root.scrollTop,
      left: root.scrollLeft,
      width: root.clientWidth,
      height: root.clientHeight,
    };
    const over = cellAt(current.x - left, current.y - top, view, places);
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
      // Captured here: a capture at the press would target the double click at the grid's root.
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
