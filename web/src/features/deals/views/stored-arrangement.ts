import type { GroupField } from '@forecourt/contract/deal-groups';
import { isObject, parsedObject, readStored, tableKey, writeStored } from '../../../platform/storage-keys.ts';
import { type DealSort, readFilter, type StoredArrangement } from '../deal-view.ts';

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
    // Checked later against the fields that the user may see.
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
