import type { Position } from './movement.ts';

/** A rectangle of cells; its row and column indexes are inclusive. */
export interface Block {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** The part of a block in one row: its columns, and whether the row is its first or last. */
export interface BlockSpan {
  readonly from: number;
  readonly to: number;
  readonly isTop: boolean;
  readonly isBottom: boolean;
}

export function blockBetween(a: Position, b: Position): Block {
  return {
    top: Math.min(a.row, b.row),
    left: Math.min(a.column, b.column),
    bottom: Math.max(a.row, b.row),
    right: Math.max(a.column, b.column),
  };
}

export const heightOf = ({ top, bottom }: Block): number => bottom - top + 1;
export const widthOf = ({ left, right }: Block): number => right - left + 1;
export const isWide = (block: Block): boolean => block.top < block.bottom || block.left < block.right;

/** For example '3 by 4 cells selected': rows, then columns. */
export const blockSizeText = (block: Block, height = heightOf(block)): string =>
  `${height.toLocaleString('en-AU')} by ${widthOf(block)} cells selected`;

/**
 * Returns the span of a row in a block; undefined outside of it. All inner rows share one object, even while the block
 * grows downwards, so that they need not render again.
 */
export function blockSpans({ left, right }: Pick<Block, 'left' | 'right'>) {
  const span = (isTop: boolean, isBottom: boolean): BlockSpan => ({ from: left, to: right, isTop, isBottom });
  const [middle, top, bottom, only] = [
    span(false, false),
    span(true, false),
    span(false, true),
    span(true, true),
  ];
  return (row: number, block: Block): BlockSpan | undefined => {
    if (row < block.top || row > block.bottom) return undefined;
    if (row === block.top) return row === block.bottom ? only : top;
    return row === block.bottom ? bottom : middle;
  };
}
