import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { blockBetween, blockSizeText, blockSpans, isWide, type Block, type BlockSpan } from './block.ts';
import { sameCell, type CellAddress } from './columns.ts';
import { HEADER_ROW, type Position } from './movement.ts';
import { passHeads, type RowSequence } from './row-sequence.ts';
import type { ActiveCell } from './use-active-cell.ts';

export interface BlockSelection {
  /**
   * The selected cells: the active cell, or a rectangle from it. Its first and last rows are records, not heads. Null
   * while the header or the head of a group is active.
   */
  readonly block: Block | null;
  readonly isWide: boolean;
  /** Position of the moving corner. */
  readonly head: Position | null;
  /** Moves the moving corner to a cell and scrolls to it. */
  readonly extendTo: (to: Position) => void;
  /**
   * Selects from one corner to the other; their rows may be added later. The first corner becomes active, or `at`, a
   * cell between them, to which the grid then scrolls.
   */
  readonly select: (anchor: CellAddress, head: CellAddress, at?: CellAddress) => void;
  /** Selects a block without moving the active cell. */
  readonly selectBlock: (block: Block) => void;
  /** Keys of the rows in the block. */
  readonly keys: () => string[];
  readonly selectRows: () => void;
  readonly selectColumns: () => void;
  readonly selectAll: () => void;
  readonly collapse: () => void;
}

interface Corners {
  /** The active cell when the block was selected: activating another cell ends the block. */
  readonly active: CellAddress;
  readonly anchor: CellAddress;
  readonly head: CellAddress;
  /** The positions of its rows when they were selected; null until all of them are added. */
  readonly begun: { readonly sequence: RowSequence; readonly top: number; readonly bottom: number } | null;
}

/**
 * A selected rectangle, identified by the keys of its corners, so that added and removed rows do not shift it. It ends
 * when other rows move between its corners, for example because a corner moves to another group: commands never change
 * rows that were not selected. It includes the blank row only if the selection starts there.
 */
export function useBlock(
  active: ActiveCell,
  sequence: RowSequence,
  columnIds: readonly string[],
): BlockSelection {
  const [corners, setCorners] = useState<Corners | null>(null);
  const { cell, position } = active;
  const inHeader = !position || position.row === HEADER_ROW;
  const valid = corners && cell && !inHeader && sameCell(corners.active, cell) ? corners : null;

  const anchor = positionOf(valid?.anchor ?? cell);
  const head = positionOf(valid?.head ?? cell);
  const begun = valid?.begun ?? null;
  const hasOthers = useMemo(() => {
    if (begun === null || begun.sequence === sequence || anchor === null || head === null) return false;
    const selected = new Set(begun.sequence.keysBetween(begun.top, begun.bottom));
    return !sequence.keysBetween(...inOrder(anchor.row, head.row)).every((key) => selected.has(key));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the rows of the corners follow from these
  }, [begun, sequence]);
  if (hasOthers) setCorners(null);
  else if (valid && begun === null && anchor && head)
    setCorners({ ...valid, begun: begunAt(anchor.row, head.row) });
  const [from, to] = inHeader ? [null, null] : anchor && head ? [anchor, head] : [position, position];
  const block = from && to ? withinRecords(blockBetween(from, to)) : null;

  /** Returns a block without the heads of groups at its upper and lower edge. */
  function withinRecords(wide: Block): Block | null {
    const [top, bottom] = [passHeads(sequence, wide.top, 1), passHeads(sequence, wide.bottom, -1)];
    return top > bottom ? null : { ...wide, top, bottom };
  }

  function positionOf(address: CellAddress | null): Position | null {
    const row = address && sequence.indexOf(address.key);
    const column = address ? columnIds.indexOf(address.columnId) : -1;
    return row === null || column < 0 ? null : { row, column };
  }

  function addressOf({ row, column }: Position): CellAddress | null {
    const key = sequence.keyAt(row);
    const columnId = columnIds[column];
    return key === undefined || columnId === undefined ? null : { key, columnId };
  }

  const lastColumn = columnIds.length - 1;
  function lastRow(begun: number): number {
    const last = sequence.length - 1;
    return sequence.trailingCount > 0 && begun < last ? last - 1 : last;
  }

  function begunAt(one: number, other: number): Corners['begun'] {
    const [top, bottom] = inOrder(one, other);
    return { sequence, top, bottom };
  }

  function put(begin: Position, end: Position) {
    const [first, last] = [addressOf(begin), addressOf(end)];
    if (cell && first && last)
      setCorners({ active: cell, anchor: first, head: last, begun: begunAt(begin.row, end.row) });
  }

  return {
    block,
    isWide: block !== null && isWide(block),
    head: to,
    extendTo(next) {
      if (!from || !position) return;
      const end = { row: Math.max(0, Math.min(next.row, lastRow(from.row))), column: next.column };
      put(from, end);
      // Selecting a whole row or column does not scroll to its far corner.
      active.reveal({
        row: end.row === to?.row ? -1 : end.row,
        column: end.column === to?.column ? -1 : end.column,
      });
    },
    select(begin, end, at) {
      setCorners({ active: at ?? begin, anchor: begin, head: end, begun: null });
      active.activate(at ?? begin, at ? undefined : end);
    },
    selectBlock: (next) =>
      put({ row: next.top, column: next.left }, { row: next.bottom, column: next.right }),
    keys: () => (block ? sequence.keysBetween(block.top, block.bottom) : []),
    selectRows: () => block && put({ row: block.top, column: 0 }, { row: block.bottom, column: lastColumn }),
    selectColumns: () =>
      block &&
      put({ row: 0, column: block.left }, { row: lastRow(Math.max(0, block.top)), column: block.right }),
    selectAll: () => put({ row: 0, column: 0 }, { row: lastRow(0), column: lastColumn }),
    collapse: () => setCorners(null),
  };
}

const inOrder = (one: number, other: number): [number, number] => [
  Math.min(one, other),
  Math.max(one, other),
];

/** Returns the announced size of a block; empty for a single cell. */
export const selectionText = ({ block, isWide }: BlockSelection, sequence: RowSequence): string =>
  isWide && block ? blockSizeText(block, sequence.countBetween(block.top, block.bottom)) : '';

/** Returns the span of a row in a block. Spans are kept until the columns of the block change. */
export function useBlockSpans(block: Block | null): (row: number) => BlockSpan | undefined {
  const [left, right] = [block?.left ?? 0, block?.right ?? 0];
  const spanOf = useMemo(() => blockSpans({ left, right }), [left, right]);
  return (row) => (block ? spanOf(row, block) : undefined);
}

/** The selected cells by row keys and column ids. */
export interface SelectedCells {
  readonly keys: readonly string[];
  readonly columnIds: readonly string[];
}

/** Calls `onChange` whenever the selected block or its rows change. */
export function useBlockReport(
  block: Block | null,
  sequence: RowSequence,
  columnIds: readonly string[],
  onChange: ((cells: SelectedCells | null) => void) | undefined,
): void {
  const report = useEffectEvent((cells: SelectedCells | null) => onChange?.(cells));
  const { top, left, bottom, right } = block ?? { top: 0, left: 0, bottom: -1, right: -1 };
  useEffect(() => {
    const isEmpty = bottom < top || right < left;
    const keys = sequence.keysBetween(top, bottom);
    report(isEmpty ? null : { keys, columnIds: columnIds.slice(left, right + 1) });
  }, [top, left, bottom, right, sequence, columnIds]);
}
