import { useMemo } from 'react';
import type { GridColumn, GridRecord } from './columns.ts';
import type { ColumnLayout } from './use-column-layout.ts';
import type { Range } from './window.ts';

/** Width in px of the checkbox column. */
export const SELECT_WIDTH = 36;

/** A column with data for its cells, computed once per column instead of once per cell. */
export interface ShownColumn<R extends GridRecord> {
  readonly column: GridColumn<R>;
  /** Index among all visible columns, mounted or not. */
  readonly index: number;
  readonly className: string;
}

/** Returns the mounted columns, of stable identity until the range changes. */
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
