import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { GroupField } from '@forecourt/contract/deal-groups';
import { isObject, parsedObject, readStored, tableKey, writeStored } from '../../../platform/storage-keys.ts';
import { readFilter } from '../deals.queries.ts';
import type { DealSort } from '../store/sort.ts';

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

const keyOf = (userId: string) => tableKey('data-entry', userId);

export const storeArrangement = (userId: string, stored: StoredArrangement): void =>
  writeStored(keyOf(userId), JSON.stringify(stored));

/** Each part is used only if it has the expected shape. */
export function readArrangement(userId: string): StoredArrangement {
  const { viewId, changed, filter, sort, group, collapsed, isCompact } = parsedObject(
    readStored(keyOf(userId)),
  );
  return {
    viewId: typeof viewId === 'string' ? viewId : null,
    changed: changed === true,
    filter: readFilter(JSON.stringify(filter)),
    sort: isSort(sort) ? sort : null,
    // Applied only if it is a field that exists for the user.
    group: typeof group === 'string' ? (group as GroupField) : null,
    collapsed: Array.isArray(collapsed) ? collapsed.map(String) : [],
    isCompact: isCompact === true,
  };
}

const isSort = (value: unknown): value is DealSort =>
  isObject(value) &&
  typeof value['columnId'] === 'string' &&
  ['ascending', 'descending', 'other'].includes(String(value['direction'])) &&
  ['string', 'undefined'].includes(typeof value['first']);
