import { useMemo } from 'react';
import type { GridColumn, GridRecord } from './columns.ts';
import type { ColumnLayout } from './use-column-layout.ts';
import type { Range } from './window.ts';

/** Width in px of the column of check boxes. */
export const SELECT_WIDTH = 36;

/** A column with what every one of its cells needs, worked out once instead of once a cell. */
export interface ShownColumn<R extends GridRecord> {
  readonly column: GridColumn<R>;
  /** Position among all visible columns, mounted or not. */
  readonly index: number;
  readonly className: string;
}

/** The mounted columns, in the same order and of the same identity until another one comes into sight. */
export function useShownColumns<R extends GridRecord>(
  layout: ColumnLayout<R>,
  { from, to }: Range,
  prefix: string,
): { all: readonly ShownColumn<R>[]; mounted: readonly ShownColumn<R>[] } {
  const { columns, startCount, endCount } = layout;
  const all = useMemo(() => {
    const endFrom = columns.length - endCount;
    return columns.map((column, index) => ({
      column,
      index,
      className: cellClass(column, prefix, index, index < startCount || index >= endFrom),
    }));
  }, [columns, startCount, endCount, prefix]);
  const mounted = useMemo(
    () =>
      all.filter(
        ({ index }) =>
          index < startCount ||
          index >= all.length - endCount ||
          (index >= from + startCount && index < to + startCount),
      ),
    [all, startCount, endCount, from, to],
  );
  return { all, mounted };
}

function cellClass<R extends GridRecord>(
  column: GridColumn<R>,
  prefix: string,
  index: number,
  pinned: boolean,
): string {
  const right = column.type === 'number' || column.type === 'currency';
  const align = column.align ?? (right ? 'right' : 'left');
  return `grid-cell ${prefix}c${index} grid-${align}${pinned ? ' grid-pinned' : ''}`;
}
