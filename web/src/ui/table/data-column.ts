import type { ReactNode } from 'react';
import type { SortValue } from '../sort-rows.ts';

export type DataColumn<R> = {
  readonly id: string;
  readonly header: string;
  /** Without it, the column cannot be sorted. */
  readonly sortBy?: (row: R) => SortValue;
  /** Without it, the column cannot be filtered. */
  readonly filterBy?: ColumnFilter<R>;
  readonly render: (row: R) => ReactNode;
  readonly align?: 'left' | 'right';
  /** CSS width until a column is resized. Columns without a width share the rest. */
  readonly width?: string;
  /** Hidden on a phone; `desktop`: also on a tablet or beside the side panel. */
  readonly wideOnly?: boolean | 'desktop';
};

/** The kind of filter, and the row's value for it; null for no value. */
export type ColumnFilter<R> =
  | { readonly kind: 'text'; readonly of: (row: R) => string | null }
  /** A choice of the few values of a column, as displayed; `of` returns a list if a row has several. */
  | { readonly kind: 'choice'; readonly of: (row: R) => string | null | readonly string[] }
  | { readonly kind: 'number'; readonly of: (row: R) => number | null }
  /** Business dates `2026-11-20`, or instants, which are converted to days in the browser's zone. */
  | { readonly kind: 'date'; readonly of: (row: R) => string | null };
