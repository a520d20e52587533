import type { ReactNode } from 'react';
import type { SortValue } from '../sort-rows.ts';

export type DataColumn<R> = {
  readonly id: string;
  readonly header: string;
  /** What the column is sorted by. Left out, it cannot be sorted. */
  readonly sortBy?: (row: R) => SortValue;
  /** What the column is filtered by. Left out, it cannot be filtered. */
  readonly filterBy?: ColumnFilter<R>;
  readonly render: (row: R) => ReactNode;
  readonly align?: 'left' | 'right';
  /** CSS width until somebody resizes a column; the rest is shared out. */
  readonly width?: string;
  /** Not shown on a phone. */
  readonly wideOnly?: boolean;
};

/** How a column is filtered, and what of a row that looks at. Null: the row has no value. */
export type ColumnFilter<R> =
  | { readonly kind: 'text'; readonly of: (row: R) => string | null }
  /** For columns with few values, in the words that are shown; a list where a row has several. */
  | { readonly kind: 'choice'; readonly of: (row: R) => string | null | readonly string[] }
  | { readonly kind: 'number'; readonly of: (row: R) => number | null }
  /** Business dates `2026-11-20`, or instants, which count for their day on the viewer's clock. */
  | { readonly kind: 'date'; readonly of: (row: R) => string | null };
