import { useRef, useState, type PointerEvent } from 'react';
import { FIT_MARGIN } from '../platform/column-widths.ts';
import { moveColumn, resizeColumn, type SetColumnState } from './column-state.ts';
import type { GridColumn, GridRecord } from './columns.ts';
import { hitOf, type Hit } from './hit.ts';
import { MIN_SCROLLING_WIDTH, type ColumnLayout } from './use-column-layout.ts';

/** A press on a header becomes a drag after this movement in px. */
const DRAG_THRESHOLD = 4;

interface Gesture {
  readonly kind: 'resize' | 'move';
  readonly columnId: string;
  readonly fromX: number;
  readonly fromWidth: number;
  started: boolean;
}

export interface ColumnGestures {
  /** The column before or after which the dragged column would be dropped. */
  readonly dropTarget: string | null;
  readonly begin: (event: PointerEvent, hit: Hit) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
  /** Returns true once after a drag, for the click that ends it. */
  readonly isClickAfterDrag: () => boolean;
  /** Fits a column's width to its mounted cells. */
  readonly fit: (at: number, root: HTMLElement, prefix: string) => void;
  readonly step: (columnId: string, step: -1 | 1) => void;
  readonly widen: (columnId: string, by: number) => void;
}

/** Column widths and order by pointer and by key. */
export function useColumnGestures<R extends GridRecord>(
  columns: readonly GridColumn<R>[],
  layout: ColumnLayout<R>,
  selectable: boolean,
  setColumnState: SetColumnState,
): ColumnGestures {
  const [dropTarget, setDropTarget] = useState<string | null>(null);
  const gesture = useRef<Gesture | null>(null);
  const dragged = useRef(false);

  function setWidth(columnId: string, width: number) {
    const column = columns.find((each) => each.id === columnId);
    if (column) setColumnState((state) => resizeColumn(state, column, width));
  }

  const widthOf = (columnId: string) =>
    layout.widths[layout.columns.findIndex(({ id }) => id === columnId)] ?? 0;

  /** Returns the maximum width of auto-fit in px, so that the edge of the column stays visible and can be dragged. */
  function maxFitWidth(at: number, root: HTMLElement): number {
    const { startCount, endCount, startWidth, endWidth, widths } = layout;
    const beside = root.clientWidth - startWidth - endWidth;
    const scrolls = at >= startCount && at < widths.length - endCount;
    return scrolls ? beside : beside + (widths[at] ?? 0) - MIN_SCROLLING_WIDTH;
  }

  function stop() {
    gesture.current = null;
    setDropTarget(null);
  }

  function move(moved: string, target: string) {
    const ids = columns.map((column) => column.id);
    setColumnState((state) => moveColumn(state, ids, moved, target));
  }

  return {
    dropTarget,
    begin(event, hit) {
      const column = layout.columns[hit.column];
      dragged.current = false;
      if (!column) return;
      const kind = hit.part === 'resizer' ? 'resize' : 'move';
      const fromWidth = widthOf(column.id);
      gesture.current = { kind, columnId: column.id, fromX: event.clientX, fromWidth, started: false };
    },

    onPointerMove(event) {
      const current = gesture.current;
      if (!current) return;
      const distance = event.clientX - current.fromX;
      if (!current.started && Math.abs(distance) < DRAG_THRESHOLD) return;
      // The pointer is captured on the first movement: a capture at the press would redirect clicks to the grid's root.
      if (!current.started) event.currentTarget.setPointerCapture(event.pointerId);
      current.started = true;
      dragged.current = true;
      if (current.kind === 'resize') return setWidth(current.columnId, current.fromWidth + distance);
      const under = document
        .elementsFromPoint(event.clientX, event.clientY)
        .map((element) => hitOf(element, selectable))
        .find((hit) => hit?.row === -1);
      setDropTarget(layout.columns[under?.column ?? -1]?.id ?? null);
    },

    onPointerUp() {
      if (gesture.current?.kind === 'move' && gesture.current.started && dropTarget) {
        move(gesture.current.columnId, dropTarget);
      }
      stop();
    },

    onPointerCancel: stop,

    isClickAfterDrag() {
      const swallows = dragged.current;
      dragged.current = false;
      return swallows;
    },

    fit(at, root, prefix) {
      const column = layout.columns[at];
      if (!column) return;
      const widths = [...root.querySelectorAll<HTMLElement>(`.${prefix}c${at}`)].map(contentWidth);
      const fitting = Math.ceil(Math.max(...widths)) + FIT_MARGIN;
      setWidth(column.id, Math.min(fitting, maxFitWidth(at, root)));
    },

    step(columnId, step) {
      const target = layout.columns[layout.columns.findIndex(({ id }) => id === columnId) + step];
      if (target) move(columnId, target.id);
    },

    widen: (columnId, by) => setWidth(columnId, widthOf(columnId) + by),
  };
}

/** Returns the width of a cell's text and padding in px, including truncated text. */
function contentWidth(cell: HTMLElement): number {
  const style = getComputedStyle(cell);
  const label = cell.querySelector('.grid-header-label');
  const range = document.createRange();
  range.selectNodeContents(label ?? cell);
  const arrow = cell.querySelector<HTMLElement>('.grid-header-arrow')?.offsetWidth ?? 0;
  const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
  return range.getBoundingClientRect().width + arrow + padding;
}
