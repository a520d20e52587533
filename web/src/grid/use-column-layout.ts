import { useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import { allowedWidth, DEFAULT_COLUMN_WIDTH } from '../platform/column-widths.ts';
import type { ColumnState } from './column-state.ts';
import { columnZones, fittingZones } from './column-zones.ts';
import type { GridColumn, GridRecord } from './columns.ts';
import type { Range } from './window.ts';

/** Columns from left to right: pinned left, scrolling, pinned right. */
export interface ColumnLayout<R extends GridRecord> {
  readonly columns: readonly GridColumn<R>[];
  /** Widths in px, one per column of `columns`. */
  readonly widths: readonly number[];
  readonly startCount: number;
  readonly endCount: number;
  readonly startWidth: number;
  readonly endWidth: number;
  /** Left edges of the scrolling columns relative to the first, and the right edge of the last. */
  readonly centerStarts: readonly number[];
  readonly totalWidth: number;
}

/** Computes the order and widths of the visible columns. */
export function useColumnLayout<R extends GridRecord>(
  columns: readonly GridColumn<R>[],
  state: ColumnState,
  leadingWidth: number,
  scroller: RefObject<HTMLElement | null>,
): ColumnLayout<R> {
  const { columnOrder, columnSizing, columnVisibility, columnPinning } = state;
  const { zones, widthOf, pinnedWidth } = useMemo(() => {
    const visibleColumns = new Map(
      columns.filter(({ id }) => columnVisibility[id] !== false).map((column) => [column.id, column]),
    );
    const { start, center, end } = columnZones(
      { columnOrder, columnPinning },
      columns.map(({ id }) => id),
    );
    const pick = (ids: readonly string[]) =>
      ids.map((id) => visibleColumns.get(id)).filter((column) => column !== undefined);
    const widthOf = ({ id, size, minSize }: GridColumn<R>) =>
      allowedWidth(columnSizing[id] ?? size ?? DEFAULT_COLUMN_WIDTH, minSize);
    const zones = { start: pick(start), center: pick(center), end: pick(end) };
    return { zones, widthOf, pinnedWidth: sumOf([...zones.start, ...zones.end].map(widthOf)) };
  }, [columns, columnOrder, columnSizing, columnVisibility, columnPinning]);
  const pinWidth = usePinWidth(scroller, leadingWidth + pinnedWidth) - leadingWidth;

  return useMemo(() => {
    const fitting = fittingZones(zones, widthOf, pinWidth);
    const centerStarts = [0];
    for (const column of fitting.center) centerStarts.push((centerStarts.at(-1) ?? 0) + widthOf(column));
    const columnsInOrder = [...fitting.start, ...fitting.center, ...fitting.end];
    const widths = columnsInOrder.map(widthOf);
    return {
      columns: columnsInOrder,
      widths,
      startCount: fitting.start.length,
      endCount: fitting.end.length,
      startWidth: leadingWidth + sumOf(fitting.start.map(widthOf)),
      endWidth: sumOf(fitting.end.map(widthOf)),
      centerStarts,
      totalWidth: leadingWidth + sumOf(widths),
    };
  }, [zones, widthOf, pinWidth, leadingWidth]);
}

const sumOf = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);

/**
 * Returns row heights and column positions as CSS rules: resizing a column changes one rule instead of every mounted
 * cell, and a new row needs no style attributes.
 */
export function layoutRules<R extends GridRecord>(
  layout: ColumnLayout<R>,
  prefix: string,
  rowHeight: number,
  headerHeight: number,
  leadingWidth: number,
): string {
  const { widths, startCount, endCount, startWidth, centerStarts, totalWidth } = layout;
  const endFrom = widths.length - endCount;
  const rules = [
    `.${prefix}root{--grid-row-height:${rowHeight}px;--grid-header-height:${headerHeight}px}`,
    `.${prefix}row{width:${totalWidth}px}`,
  ];
  let pinned = leadingWidth;
  for (const [index, width] of widths.entries()) {
    let place = `left:${startWidth + (centerStarts[index - startCount] ?? 0)}px`;
    if (index < startCount) {
      place = `left:${pinned}px`;
      pinned += width;
    } else if (index >= endFrom) {
      const beyond = widths.slice(index + 1).reduce((sum, each) => sum + each, 0);
      place = `right:${beyond}px${index === endFrom ? ';margin-left:auto;border-left:var(--hairline) solid var(--grid-line)' : ''}`;
    }
    rules.push(`.${prefix}c${index}{${place};width:${width}px}`);
  }
  return rules.join('\n');
}

/** Minimum width in px for scrolling columns: between pinned columns only, they could not be reached. */
export const MIN_SCROLLING_WIDTH = 160;

/**
 * Returns the px available for pinned columns. Infinity if all of them fit, so that resizing the window renders
 * nothing.
 *
 * @param pinnedWidth total width of the pinned columns in px
 */
function usePinWidth(scroller: RefObject<HTMLElement | null>, pinnedWidth: number): number {
  const [available, setAvailable] = useState(Infinity);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      const most = element.clientWidth - MIN_SCROLLING_WIDTH;
      setAvailable(pinnedWidth > most ? most : Infinity);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, pinnedWidth]);
  return available;
}

export const SELECT_WIDTH = 52;

/** A column with data that its cells share, computed once per column. */
export interface ShownColumn<R extends GridRecord> {
  readonly column: GridColumn<R>;
  /** Index among all visible columns, including unmounted ones. */
  readonly index: number;
  readonly className: string;
}

/** Returns the mounted columns. Their identity is stable until the range changes. */
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

export interface MountedColumns<R extends GridRecord> {
  readonly mounted: readonly ShownColumn<R>[];
  readonly active: ShownColumn<R> | undefined;
  /** The columns of the active row: the active one too, also when it is scrolled away. */
  readonly withActive: readonly ShownColumn<R>[];
}

/**
 * Returns the columns of the active row and of all others. The active cell stays mounted when scrolled away: unmounting
 * it would lose the editor, its text and the focus.
 */
export function columnsToMount<R extends GridRecord>(
  { all, mounted }: ReturnType<typeof useShownColumns<R>>,
  activeIndex = -1,
): MountedColumns<R> {
  const active = all[activeIndex];
  const withActive = !active || mounted.includes(active) ? mounted : [...mounted, active];
  return { mounted, active, withActive };
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
