import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { GroupField } from '@forecourt/contract/deal-groups';
import type { Deal } from '@forecourt/contract/deals';
import type { SortState } from '../../grid/grid.ts';
import { parsedObject } from '../../platform/storage-keys.ts';

/**
 * Which rows are in view: those of a month, or the results of a search, in all months if permitted, that meet the
 * filter.
 */
export type DealView = {
  readonly month: string;
  readonly search: string;
  /** Null: all rows. */
  readonly filter: ColumnFilter | null;
  /** The search is limited to the month: searching all months is not permitted. */
  readonly inMonth?: boolean;
};

/** Whether rows of all months are in view. */
export const isOverMonths = ({ search, inMonth = false }: DealView): boolean => search !== '' && !inMonth;

/** Returns a filter as its parameter. Equal filters have equal texts; undefined: all rows. */
export const filterText = (filter: ColumnFilter | null): string | undefined =>
  filter === null ? undefined : JSON.stringify(filter);

/**
 * Returns the filter of the first rows: that of the address, else the last one used. An empty text in the address is no
 * filter. Undefined: a filter that was not used here before, which may have columns that do not exist for the user.
 */
export function firstFilter(
  linked: string | undefined,
  last: ColumnFilter | null,
): ColumnFilter | null | undefined {
  if (linked === '') return null;
  return linked === undefined || linked === filterText(last) ? last : undefined;
}

/**
 * Parses a filter for the request of the first rows. Its conditions are validated when the script of the filters is
 * loaded (`offeredFilter`). Null: the text is none.
 */
export function readFilter(text: string | undefined): ColumnFilter | null {
  const parsed = parsedObject(text ?? null);
  return Array.isArray(parsed['conditions']) ? (parsed as ColumnFilter) : null;
}

/** The order of the rows; null: newest first. `first` is the status at the top. */
export type DealSort = SortState & { readonly first?: string };

/** Returns the view in the address. */
export const viewOf = (
  search: Readonly<Record<string, string | undefined>>,
  fallback: string,
  filter: ColumnFilter | null,
): DealView => ({
  filter,
  month: /^(19|20)\d\d-(0[1-9]|1[0-2])$/.test(search['month'] ?? '') ? search['month']! : fallback,
  search: /^[\P{Cc}\t]{1,120}$/u.exec(search['search'] ?? '')?.[0] ?? '',
});

/** A filter, and whether rows meet it. Null while all rows do, or until the script of the filters is loaded. */
export type FilterMatcher = {
  readonly filter: ColumnFilter;
  /** Returns the test of a row as of now: conditions on days depend on the date. */
  readonly test: () => (deal: Deal) => boolean;
  /** Whether all rows that meet the filter also meet another one. */
  readonly isPartOf: (other: ColumnFilter) => boolean;
};

/** `ready` with an error: the rows are of the view, but may be out of date or incomplete. */
export type RowsState = { readonly state: 'loading' | 'ready' | 'failed'; readonly error: unknown };

/** Consecutive rows of a view that is too large for the browser, in the server's order. */
export type DealWindow = {
  /** Number of rows of the view before this window. */
  readonly before: number;
  readonly count: number;
  readonly total: number;
  /** There are more than `total`: the count of a search is limited. */
  readonly isCapped: boolean;
  readonly isComplete: boolean;
  /** Cursor of the next window. Null: there is none, or this one is still loading. */
  readonly next: string | null;
};

/** The user's last arrangement on this computer, except the columns, which the grid stores. */
export type StoredArrangement = {
  /** The saved view that it is based on; null: all deals. */
  readonly viewId: string | null;
  /** Whether a difference from that view was recorded, here or before a reload. */
  readonly changed: boolean;
  readonly filter: ColumnFilter | null;
  readonly sort: DealSort | null;
  readonly group: GroupField | null;
  /** Keys of the collapsed groups. Not part of a saved view. */
  readonly collapsed: readonly string[];
  /** Whether rows are low. Not part of a saved view, which others use on other screens. */
  readonly isCompact: boolean;
};
