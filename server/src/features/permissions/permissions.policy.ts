import type { KeptPermissions } from '@forecourt/contract/permissions';
import type { Viewer } from '../../platform/http/context.ts';

/** Everybody reads what they may do themselves; administrators what anybody may do (product.md section 7). */
export const canRead = (viewer: Viewer, userId: string): boolean =>
  viewer.role === 'admin' || viewer.userId === userId;

/** What somebody may not see is not listed to them either: they learn that much less exists, not what. */
export const asSeenBy = (viewer: Viewer, record: KeptPermissions): KeptPermissions => {
  if (viewer.role === 'admin') return record;
  const { columnVisibility } = record.dataEntry;
  const hidden = { restrictedRows: [], restrictedDealerships: [], restrictedStatuses: [] };
  return {
    ...record,
    dataEntry: { ...record.dataEntry, columnVisibility: { ...columnVisibility, ...hidden } },
    editableStatuses: except(record.editableStatuses, columnVisibility.restrictedStatuses),
  };
};

/** Of all statuses those that somebody sees by right. */
export const viewedStatuses = (record: KeptPermissions, all: readonly string[]): string[] =>
  record.statusConfiguration.viewStatuses
    ? except(all, record.dataEntry.columnVisibility.restrictedStatuses)
    : [];

const except = (ids: readonly string[], kept: readonly string[]): string[] =>
  ids.filter((id) => !kept.includes(id));

type Flat = Record<string, unknown>;

/** `dataEntry.canAddRows` and the like to their values; lists are values. */
function flatten(value: object, path = ''): Flat {
  const flat: Flat = {};
  for (const [key, part] of Object.entries(value)) {
    const isGroup = typeof part === 'object' && part !== null && !Array.isArray(part);
    if (isGroup) Object.assign(flat, flatten(part as object, `${path}${key}.`));
    else flat[path + key] = part;
  }
  return flat;
}

/** What differs between two records, by the path of each flag, as it was and as it is. */
export function difference<R extends object>(before: R, after: R): { before: Flat; after: Flat } {
  const [was, is] = [flatten(before), flatten(after)];
  const changed = Object.keys(is).filter((path) => JSON.stringify(was[path]) !== JSON.stringify(is[path]));
  const only = (flat: Flat): Flat => Object.fromEntries(changed.map((path) => [path, flat[path]]));
  return { before: only(was), after: only(is) };
}
