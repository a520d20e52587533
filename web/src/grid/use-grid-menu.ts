import { useMenuGesture, type Point } from '../platform/use-menu-gesture.ts';
import type { GridMenuTarget, GridParts } from './grid-props.ts';
import { hitOf, type Hit } from './hit.ts';
import { HEADER_ROW } from './movement.ts';
import { fillOfKey } from './paste-area.ts';
import { passHeads } from './row-sequence.ts';

/** The context menu of a cell, block, row checkbox or header. A cell outside the block is activated first. */
export function useGridMenu(parts: GridParts, activeId: string | undefined) {
  const { props, scroller, selectable, sequence, columnIds, active, editing, block, focusGrid } = parts;

  function targetOf({ row, column }: Pick<Hit, 'row' | 'column'>): GridMenuTarget | null {
    const columnId = columnIds[column];
    const key = sequence.keyAt(row);
    if (row === HEADER_ROW) return columnId === undefined ? null : { kind: 'header', columnId };
    if (key === undefined) return null;
    if (sequence.isHead(row)) {
      block.collapse();
      active.moveTo({ row, column: active.position?.column ?? 0 });
      return { kind: 'group', key };
    }
    if (columnId === undefined) return { kind: 'row', key };
    const own = { top: row, left: column, bottom: row, right: column };
    const { block: selected } = block;
    const isInside =
      selected !== null &&
      row >= selected.top &&
      row <= selected.bottom &&
      column >= selected.left &&
      column <= selected.right;
    const area = isInside ? selected : own;
    if (!isInside) {
      block.collapse();
      active.moveTo({ row, column });
    }
    const cell = (isInside && active.cell) || { key, columnId };
    const keys = sequence.keysBetween(area.top, area.bottom);
    return {
      kind: 'cells',
      cell,
      keys,
      isBlock: isInside && block.isWide,
      canFillDown: fillOfKey(area, 'down', passHeads(sequence, area.top - 1, -1)) !== null,
    };
  }

  /** Returns the lower left corner of the visible part of the active cell. */
  function cornerOfActive(): Point | null {
    const grid = scroller.current?.getBoundingClientRect();
    if (!grid || !active.position) return null;
    active.reveal(active.position);
    const cell = document.getElementById(activeId ?? '')?.getBoundingClientRect() ?? grid;
    return {
      x: Math.max(grid.left, Math.min(cell.left, grid.right)),
      y: Math.max(grid.top, Math.min(cell.bottom, grid.bottom)),
    };
  }

  return useMenuGesture((element, pointed) => {
    const { onContextMenu } = props;
    const hit = pointed ? hitOf(element, selectable) : active.position;
    const isInEditor = hit !== null && 'part' in hit && (hit.part === 'editor' || hit.part === 'option');
    if (!onContextMenu || !hit || isInEditor || (!pointed && element !== scroller.current)) return false;
    const at = pointed ?? cornerOfActive();
    editing.finish('leave');
    focusGrid();
    const target = targetOf(hit);
    if (!target || !at) return false;
    onContextMenu(target, at);
    return true;
  });
}
