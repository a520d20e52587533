import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { parsedObject } from '../../../platform/storage-keys.ts';

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
