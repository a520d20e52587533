import type { Sort } from '../sort-rows.ts';

/** How a person has arranged a table. */
export type TableView = {
  /** Widths in px by column; none at all until somebody resizes one. */
  readonly widths: Readonly<Record<string, number>>;
  readonly sort: Sort | null;
  /** Ids of the columns that are not shown. */
  readonly hidden: readonly string[];
};

export const emptyView: TableView = { widths: {}, sort: null, hidden: [] };

/** Reads a stored arrangement. Each part counts only if it has the shape it was written with. */
export function parseView(text: string | null): TableView {
  const stored = parsed(text);
  const { widths, sort, hidden } = stored;
  return {
    widths: isWidths(widths) ? widths : emptyView.widths,
    sort: isSort(sort) ? sort : emptyView.sort,
    hidden: Array.isArray(hidden) && hidden.every((id) => typeof id === 'string') ? hidden : emptyView.hidden,
  };
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isWidths = (value: unknown): value is Record<string, number> =>
  isObject(value) && Object.values(value).every((width) => typeof width === 'number');

const isSort = (value: unknown): value is Sort =>
  isObject(value) && typeof value['columnId'] === 'string' && typeof value['descending'] === 'boolean';
