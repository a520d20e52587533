import { useState, type RefObject } from 'react';
import { allowedWidth, DEFAULT_COLUMN_WIDTH, FIT_MARGIN } from '../../platform/column-widths.ts';

type Column = { readonly id: string; readonly width?: string };
type Widths = Readonly<Record<string, number>>;

export type ColumnWidths = ReturnType<typeof useColumnWidths>;

/** Widths of a table's columns in px. The caller stores them. */
export function useColumnWidths(
  table: RefObject<HTMLTableElement | null>,
  stored: Widths,
  store: (widths: Widths) => void,
) {
  const [dragged, setDragged] = useState<Widths | null>(null);
  const widths = dragged ?? stored;

  // The browser computes the widths until the first change. Then all are fixed, so that only one column changes.
  const withWidth = (columnId: string, width: number): Widths => ({
    ...shownWidths(table.current),
    ...widths,
    [columnId]: allowedWidth(width),
  });

  /** Stores a width of at least the minimum, and returns it. */
  const resize = (columnId: string, width: number): number => {
    store(withWidth(columnId, width));
    return allowedWidth(width);
  };

  return {
    /** True after a column was resized: all columns then have a width in px. */
    areSet: Object.keys(widths).length > 0,
    of: ({ id, width }: Column): number =>
      widths[id] ?? (Number.parseFloat(width ?? '') || DEFAULT_COLUMN_WIDTH),
    /** Returns the displayed width of a column. */
    measure: (columnId: string): number => shownWidths(table.current)[columnId] ?? DEFAULT_COLUMN_WIDTH,
    /** Displays a width during a drag. */
    drag: (columnId: string, width: number): void => setDragged(withWidth(columnId, width)),
    endDrag: (): void => setDragged(null),
    resize,
    /** Sets the width of the widest content plus a margin, and returns it (docs/product/screens.md, Tables). */
    fit: (columnId: string): number =>
      resize(columnId, Math.ceil(contentWidth(table.current, columnId)) + FIT_MARGIN),
  };
}

export const headOf = (table: HTMLTableElement | null, columnId: string): HTMLElement | null =>
  table?.querySelector<HTMLElement>(`th[data-column="${CSS.escape(columnId)}"]`) ?? null;

function shownWidths(table: HTMLTableElement | null): Widths {
  const heads = [...(table?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])];
  return Object.fromEntries(
    heads
      .filter((head) => head.offsetWidth > 0)
      .map((head) => [head.dataset['column'] ?? '', Math.floor(head.getBoundingClientRect().width)]),
  );
}

/**
 * Returns the px that a column needs so that its mounted rows are neither truncated nor wrapped. Measured on a copy, so
 * that the table does not move.
 */
function contentWidth(table: HTMLTableElement | null, columnId: string): number {
  if (!table) return 0;
  const copy = table.cloneNode(true) as HTMLTableElement;
  copy.dataset['measured'] = '';
  table.after(copy);
  const width = headOf(copy, columnId)?.getBoundingClientRect().width ?? 0;
  copy.remove();
  return width;
}
