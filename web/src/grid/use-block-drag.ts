import { useEffect, useRef, type PointerEvent, type RefObject } from 'react';
import { cellAt, edgeSpeed, type CellPlaces } from './cell-at.ts';
import type { Position } from './movement.ts';

export interface BlockDrag {
  /** A press from which a drag may follow. */
  readonly begin: (event: PointerEvent, from: Position, kind: DragKind) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
  /** Ends a drag without its effect; answers whether there was one. */
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

/** Px inside the edges from which a drag begins to scroll: the grid may end where the screen does. */
const EDGE = 14;

/** Draws a rectangle with the mouse and scrolls while it is held at an edge. Fingers scroll instead. */
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
      // Captured only now: a capture at the press would send the double click to the grid's root.
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
