import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import { parsedObject } from '../../../platform/storage-keys.ts';

/** Returns a filter as its parameter. Equal filters have equal texts; undefined: all rows. */
export const filterText = (filter: ColumnFilter | null): string | undefined =>
  filter === null ? undefined : JSON.stringify(filter);

/**
 * Parses a filter for the request of the first rows. Its conditions are validated when the script of the filters is
 * loaded (`offeredFilter`). Null: the text is none.
 */
export function readFilter(text: string | undefined): ColumnFilter | null {
  const parsed = parsedObject(text ?? null);
  return Array.isArray(parsed['conditions']) ? (parsed as ColumnFilter) : null;
}
