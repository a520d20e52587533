import type { FocusEvent, MouseEvent, PointerEvent, RefObject } from 'react';
import { hitOf, type Hit } from './hit.ts';
import type { RowSequence } from './row-sequence.ts';
import type { ActiveCell } from './use-active-cell.ts';
import type { BlockDrag } from './use-block-drag.ts';
import type { BlockSelection } from './use-block.ts';
import type { ColumnGestures } from './use-column-gestures.ts';
import type { Editing } from './use-editing.ts';
import type { RowSelection } from './use-row-selection.ts';
import { updateTitle } from './whole-text.ts';

export interface GridPointerOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly prefix: string;
  readonly sequence: RowSequence;
  readonly columnIds: readonly string[];
  readonly selectable: boolean;
  readonly active: ActiveCell;
  readonly editing: Editing;
  readonly gestures: ColumnGestures;
  readonly selection: RowSelection;
  readonly block: BlockSelection;
  readonly drag: BlockDrag;
  readonly focusGrid: () => void;
  readonly onHeaderClick: (columnId: string) => void;
  readonly onPress: () => void;
  /** Called for a click on the checkbox of a group, and on the rest of its head. */
  readonly onGroupTick: (key: string) => void;
  readonly onGroupPress: (key: string, part: 'add' | 'head') => void;
}

/** Pointer and focus of the whole grid: one listener of each kind on its root. */
export function useGridPointer(options: GridPointerOptions) {
  const { scroller, sequence, columnIds, selectable, active, editing, gestures, selection } = options;
  const { block, drag, focusGrid } = options;

  function onPointerDown(event: PointerEvent) {
    const hit = hitOf(event.target, selectable);
    // A click in the editor places the caret.
    if (hit?.part === 'editor') editing.amend();
    if (!hit || event.button !== 0 || hit.part === 'editor' || hit.part === 'option') return;
    options.onPress();
    // A finger that goes down may scroll: its tap is a click.
    if (event.pointerType !== 'touch') press(hit, event.shiftKey);
    if (hit.row < 0) gestures.begin(event, hit);
    else if (hit.part === 'fill') drag.begin(event, hit, 'fill');
    else if (hit.column >= 0 && !sequence.isHead(hit.row)) drag.begin(event, hit, 'select');
  }

  /** Makes a cell or a head active, or extends the block to the cell. */
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
      editing.finish('save');
      focusGrid();
    } else if (hit.column < 0) {
      const key = sequence.keyAt(hit.row);
      if (hit.row < 0) selection.toggleAll();
      else if (sequence.isHead(hit.row)) options.onGroupTick(key ?? '');
      else if (key !== undefined && hit.part !== 'mark') selection.toggle(key, event.shiftKey);
    } else if (sequence.isHead(hit.row)) {
      options.onGroupPress(sequence.keyAt(hit.row) ?? '', hit.part === 'add' ? 'add' : 'head');
    } else if (hit.row < 0 && hit.part === 'cell') {
      options.onHeaderClick(columnIds[hit.column] ?? '');
    }
  }

  function onDoubleClick(event: MouseEvent) {
    const hit = hitOf(event.target, selectable);
    if (hit?.part === 'resizer' && scroller.current)
      gestures.fit(hit.column, scroller.current, options.prefix);
    else if (hit?.part === 'cell' && hit.row >= 0 && hit.column >= 0 && active.cell)
      editing.start(active.cell);
  }

  function onFocus(event: FocusEvent) {
    if (event.target === event.currentTarget && !active.cell && !active.lost)
      active.moveTo({ row: 0, column: 0 });
  }

  function onBlur(event: FocusEvent) {
    // Switching to another window leaves the editor as the page's active element, and open.
    const stays = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
    if (!stays && document.activeElement !== event.target) editing.finish('leave');
  }

  return {
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
}
