import { idleFlags, missingNeeds, type FlagKey } from '@forecourt/contract/permission-needs';
import type { StoredPermissions, PermissionRecord } from '@forecourt/contract/permissions';
import type { Viewer } from '../../platform/http/context.ts';

/** Users may read their own record, administrators any (docs/product/people-and-permissions.md, Permission record). */
export const canRead = (viewer: Viewer, userId: string): boolean =>
  viewer.role === 'admin' || viewer.userId === userId;

/** Returns a record without ids that are hidden from the viewer, so that their existence is not revealed. */
export const withoutHidden = (viewer: Viewer, record: StoredPermissions): StoredPermissions => {
  if (viewer.role === 'admin') return record;
  const { columnVisibility } = record.dataEntry;
  const hidden = { restrictedRows: [], restrictedDealerships: [], restrictedStatuses: [] };
  return {
    ...record,
    dataEntry: { ...record.dataEntry, columnVisibility: { ...columnVisibility, ...hidden } },
    editableStatuses: except(record.editableStatuses, columnVisibility.restrictedStatuses),
  };
};

export const viewedStatuses = (record: StoredPermissions, all: readonly string[]): string[] =>
  record.statusConfiguration.viewStatuses
    ? except(all, record.dataEntry.columnVisibility.restrictedStatuses)
    : [];

export type ResourceIds = { owned: string[]; canView: string[]; canEdit: string[] };

/** Returns a user's dealerships without restricted ones. Restrictions do not apply to administrators. */
export function dealershipsOf(
  viewer: Viewer,
  role: string,
  record: StoredPermissions,
  ids: ResourceIds,
): ResourceIds {
  if (role === 'admin') return ids;
  const { restrictedDealerships } = record.dataEntry.columnVisibility;
  const seen = (ids: readonly string[]) => except(ids, restrictedDealerships);
  return {
    owned: viewer.role === 'admin' ? ids.owned : seen(ids.owned),
    canView: seen(ids.canView),
    canEdit: seen(ids.canEdit),
  };
}

const except = (ids: readonly string[], hidden: readonly string[]): string[] =>
  ids.filter((id) => !hidden.includes(id));

type Flat = Record<string, unknown>;

/** Returns flags by their path, such as `dataEntry.canAddRows`; lists are not flattened. */
function flatten(value: object, path = ''): Flat {
  const flat: Flat = {};
  for (const [key, part] of Object.entries(value)) {
    const isGroup = typeof part === 'object' && part !== null && !Array.isArray(part);
    if (isGroup) Object.assign(flat, flatten(part as object, `${path}${key}.`));
    else flat[path + key] = part;
  }
  return flat;
}

/** Returns the first flag that a change turns on although flags it requires are off, with those flags. */
export function findIdleFlag(
  before: PermissionRecord,
  after: PermissionRecord,
): { flag: FlagKey; missing: readonly (readonly FlagKey[])[] } | undefined {
  const [was, is] = [flatten(before), flatten(after)] as Record<FlagKey, boolean>[];
  const [flag] = idleFlags(was!, is!);
  return flag && { flag, missing: missingNeeds(flag, is!) };
}

/** Returns the values that differ by path, before and after. */
export function difference<R extends object>(before: R, after: R): { before: Flat; after: Flat } {
  const [was, is] = [flatten(before), flatten(after)];
  const changed = Object.keys(is).filter((path) => JSON.stringify(was[path]) !== JSON.stringify(is[path]));
  const only = (flat: Flat): Flat => Object.fromEntries(changed.map((path) => [path, flat[path]]));
  return { before: only(was), after: only(is) };
}
