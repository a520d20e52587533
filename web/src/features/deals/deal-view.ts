import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { GroupField } from '@forecourt/contract/deal-groups';
import type { Deal } from '@forecourt/contract/deals';
import type { SortState } from '../../grid/grid.ts';
import { parsedObject } from '../../platform/storage-keys.ts';

/** The rows in view: of a month, or of a search in all months if permitted, that meet the filter. */
export type DealView = {
  readonly month: string;
  readonly search: string;
  /** Null for no filter. */
  readonly filter: ColumnFilter | null;
  /** The search covers only the month, because the user may not search all months. */
  readonly inMonth?: boolean;
};

/** Whether rows of all months are in view. */
export const isOverMonths = ({ search, inMonth = false }: DealView): boolean => search !== '' && !inMonth;

/** Returns a filter as a query parameter, equal for equal filters; undefined without a filter. */
export const filterText = (filter: ColumnFilter | null): string | undefined =>
  filter === null ? undefined : JSON.stringify(filter);

/**
 * Returns the filter of the first rows: that of the URL (an empty text means none), otherwise the last one used.
 * Undefined for a filter that was not used here before, which may have columns hidden from the user.
 */
export function firstFilter(
  linked: string | undefined,
  last: ColumnFilter | null,
): ColumnFilter | null | undefined {
  if (linked === '') return null;
  return linked === undefined || linked === filterText(last) ? last : undefined;
}

/**
 * Parses a filter for the request of the first rows; null if the text is invalid. Its conditions are validated after
 * the script of the filters is loaded (`offeredFilter`).
 */
export function readFilter(text: string | undefined): ColumnFilter | null {
  const parsed = parsedObject(text ?? null);
  return Array.isArray(parsed['conditions']) ? (parsed as ColumnFilter) : null;
}

/** The order of rows; null for newest first. `first` is the status at the top. */
export type DealSort = SortState & { readonly first?: string };

/** Returns the view in the URL. */
export const viewOf = (
  search: Readonly<Record<string, string | undefined>>,
  fallback: string,
  filter: ColumnFilter | null,
): DealView => ({
  filter,
  month: /^(19|20)\d\d-(0[1-9]|1[0-2])$/.test(search['month'] ?? '') ? search['month']! : fallback,
  search: /^[\P{Cc}\t]{1,120}$/u.exec(search['search'] ?? '')?.[0] ?? '',
});

/** A filter and its predicate. Null without a filter, or until the script of the filters is loaded. */
export type FilterMatcher = {
  readonly filter: ColumnFilter;
  /** Returns a predicate for the current time: conditions on days depend on the date. */
  readonly test: () => (deal: Deal) => boolean;
  /** Whether the browser can tell which rows meet the filter, and they also meet another one; null is no filter. */
  readonly isPartOf: (other: ColumnFilter | null) => boolean;
};

/** `ready` with an error: rows of the view are displayed, but may be outdated or incomplete. */
export type RowsState = { readonly state: 'loading' | 'ready' | 'failed'; readonly error: unknown };

/** Consecutive rows of a view that is too large for the browser, in the server's order. */
export type DealWindow = {
  /** Number of rows of the view before this window. */
  readonly before: number;
  readonly count: number;
  readonly total: number;
  /** Whether there are more than `total` rows: the count of a search is limited. */
  readonly isCapped: boolean;
  readonly isComplete: boolean;
  /** Cursor of the next window; null if there is none or this one is still loading. */
  readonly next: string | null;
};

/** The user's last arrangement in this browser, except the columns, which the grid stores. */
export type StoredArrangement = {
  /** The saved view on which it is based; null for all deals. */
  readonly viewId: string | null;
  /** Whether it differed from that view, possibly before a reload. */
  readonly changed: boolean;
  readonly filter: ColumnFilter | null;
  readonly sort: DealSort | null;
  readonly group: GroupField | null;
  /** Keys of the collapsed groups. Not part of a saved view. */
  readonly collapsed: readonly string[];
  /** Whether rows are compact. Not part of a saved view, because other users have other screens. */
  readonly isCompact: boolean;
};
