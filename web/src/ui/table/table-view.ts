import { isObject, parsedObject } from '../../platform/storage-keys.ts';
import type { Sort } from '../sort-rows.ts';

/** A user's layout of a table. */
export type TableView = {
  /** Widths in px by column; empty until a column is resized. */
  readonly widths: Readonly<Record<string, number>>;
  readonly sort: Sort | null;
  readonly hidden: readonly string[];
};

export const emptyView: TableView = { widths: {}, sort: null, hidden: [] };

/** Parses a stored layout, without parts of an invalid shape. */
export function parseView(text: string | null): TableView {
  const stored = parsedObject(text);
  const { widths, sort, hidden } = stored;
  return {
    widths: isWidths(widths) ? widths : emptyView.widths,
    sort: isSort(sort) ? sort : emptyView.sort,
    hidden: Array.isArray(hidden) && hidden.every((id) => typeof id === 'string') ? hidden : emptyView.hidden,
  };
}

const isWidths = (value: unknown): value is Record<string, number> =>
  isObject(value) && Object.values(value).every((width) => typeof width === 'number');

const isSort = (value: unknown): value is Sort =>
  isObject(value) && typeof value['columnId'] === 'string' && typeof value['descending'] === 'boolean';
