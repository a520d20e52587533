import { useState, type FocusEvent, type MouseEvent, type PointerEvent } from 'react';
import type { GridParts } from './grid-props.ts';
import { hitOf, type Hit } from './hit.ts';
import { updateTitle } from './whole-text.ts';

interface PointerActions {
  /** Called for a press on a cell, a head or the header. */
  readonly onPress: () => void;
  /** Called for a click on the checkbox of a group. */
  readonly onGroupTick: (key: string) => void;
}

/** Pointer and focus of the whole grid: one listener of each kind on its root. */
export function useGridPointer(parts: GridParts, { onPress, onGroupTick }: PointerActions) {
  const { props, scroller, prefix, sequence, groups, columnIds, selectable, active, editing } = parts;
  const { gestures, ticks, block, drag, focusGrid } = parts;
  const [isInside, setInside] = useState(false);

  function onPointerDown(event: PointerEvent) {
    const hit = hitOf(event.target, selectable);
    // A click in the editor moves its caret.
    if (hit?.part === 'editor') editing.amend();
    if (!hit || event.button !== 0 || hit.part === 'editor' || hit.part === 'option') return;
    onPress();
    // A finger on the screen may start to scroll, so touch acts on the click.
    if (event.pointerType !== 'touch') press(hit, event.shiftKey);
    if (hit.row < 0) gestures.begin(event, hit);
    else if (hit.part === 'fill') drag.begin(event, hit, 'fill');
    else if (hit.column >= 0 && !sequence.isHead(hit.row)) drag.begin(event, hit, 'select');
  }

  /** Activates a cell or a head, or extends the block to the cell. */
  function press(hit: Hit, extend: boolean) {
    editing.finish('leave');
    const isHead = sequence.isHead(hit.row);
    if (hit.row < 0 || hit.part === 'fill' || (!isHead && hit.column < 0)) return;
    if (extend && active.cell && !isHead) return block.extendTo(hit);
    block.collapse();
    active.moveTo(isHead ? { row: hit.row, column: active.position?.column ?? 0 } : hit);
  }

  function onClick(event: MouseEvent) {
    const hit = hitOf(event.target, selectable);
    if (gestures.isClickAfterDrag() || !hit) return;
    const isTap = (event.nativeEvent as PointerEvent['nativeEvent']).pointerType === 'touch';
    if (isTap && hit.part !== 'editor' && hit.part !== 'option') press(hit, event.shiftKey);
    if (hit.part === 'option') {
      const isDetails = event.target instanceof Element && event.target.matches('.grid-list-details');
      if (isDetails && active.cell ? editing.openDetails(active.cell) : editing.finish('save')) focusGrid();
    } else if (hit.column < 0) {
      const key = sequence.keyAt(hit.row);
      if (hit.row < 0) ticks.toggleAll();
      else if (sequence.isHead(hit.row)) onGroupTick(key ?? '');
      else if (key !== undefined && hit.part !== 'mark') ticks.toggle(key, event.shiftKey);
    } else if (sequence.isHead(hit.row)) {
      groups?.onPress(sequence.keyAt(hit.row) ?? '', hit.part === 'add' ? 'add' : 'head');
    } else if (hit.row < 0 && hit.part === 'cell') {
      props.onHeaderClick?.(columnIds[hit.column] ?? '');
    }
  }

  function onDoubleClick(event: MouseEvent) {
    const hit = hitOf(event.target, selectable);
    if (hit?.part === 'resizer' && scroller.current) gestures.fit(hit.column, scroller.current, prefix);
    else if (hit?.part === 'cell' && hit.row >= 0 && hit.column >= 0 && active.cell)
      editing.start(active.cell);
  }

  function onFocus(event: FocusEvent) {
    setInside(true);
    if (event.target === event.currentTarget && !active.cell && !active.lost)
      active.moveTo({ row: 0, column: 0 });
  }

  function onBlur(event: FocusEvent) {
    const stays = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
    // If the user switches to another window, the editor remains the active element, and stays open.
    if (stays || document.activeElement === event.target) return;
    setInside(false);
    editing.finish('leave');
  }

  const listeners = {
    onPointerDown,
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const cell = event.target instanceof Element && event.target.closest('[role="gridcell"]');
      if (cell) updateTitle(cell);
      gestures.onPointerMove(event);
      drag.onPointerMove(event);
    },
    onPointerUp() {
      gestures.onPointerUp();
      drag.onPointerUp();
    },
    onPointerCancel() {
      gestures.onPointerCancel();
      drag.onPointerCancel();
    },
    onClick,
    onDoubleClick,
    onFocus,
    onBlur,
  };
  return {
    /** Whether the focus is in the grid; otherwise the note of a removed row would cover the page. */
    isInside,
    listeners,
  };
}
