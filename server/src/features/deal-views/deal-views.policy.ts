import { isDeepStrictEqual } from 'node:util';
import type { CustomKey } from '@forecourt/contract/custom-field-types';
import type { CustomTypes, ViewColumnName } from '@forecourt/contract/deal-fields';
import {
  columnsOfFilter,
  conditionFault,
  isFilterGroup,
  kindOf,
  type ColumnFilter,
  type FilterCondition,
} from '@forecourt/contract/deal-filter-fields';
import { columnOfGroup, isGroupField, type GroupField } from '@forecourt/contract/deal-groups';
import { MAX_VIEW_NAME_LENGTH, type Arrangement, type ViewSort } from '@forecourt/contract/deal-views';
import type { Ability } from '@forecourt/contract/route';
import type { Viewer } from '../../platform/http/context.ts';
import { dataEntryPage } from '../../platform/http/policy.ts';

export const canOpen = (viewer: Viewer): boolean => dataEntryPage.allows?.(viewer) === true;

/** Only its owner and administrators may change a view (docs/product/data-entry.md, Columns and saved views). */
export function abilities(viewer: Viewer, view: { owner_id: string }) {
  const mine: Ability = viewer.role === 'admin' || view.owner_id === viewer.userId ? true : 'NOT_VIEW_OWNER';
  return { edit: mine, delete: mine };
}

/** The options that a viewer may see and a view can reference: columns by name, others by id. */
export type VisibleOptions = {
  columns: ReadonlySet<ViewColumnName | CustomKey>;
  statuses: ReadonlySet<string>;
  dealerships: ReadonlySet<string>;
  owners: ReadonlySet<string>;
  customFields: CustomTypes;
};

const sortExists = (sort: ViewSort, options: VisibleOptions): boolean =>
  options.columns.has(sort.column) && (sort.column !== 'status' || options.statuses.has(sort.firstStatusId));

/** Views saved by earlier releases have no group. */
const groupExists = (group: Arrangement['group'] | undefined, options: VisibleOptions): group is GroupField =>
  group != null && options.columns.has(columnOfGroup(group)) && isGroupField(group, options.customFields);

/** The fields with values that can be hidden from a viewer, and where the visible ones are listed. */
const hideable = { status: 'statuses', dealershipId: 'dealerships', owner: 'owners' } as const;

/** Returns the condition with the values visible to the viewer; null if its column is hidden or no value remains. */
function visibleCondition(options: VisibleOptions, condition: FilterCondition): FilterCondition | null {
  const { field, value } = condition;
  if (!columnsOfFilter(field).every((column) => options.columns.has(column))) return null;
  if (conditionFault(condition, [kindOf(field, options.customFields)])) return null;
  if (!Object.hasOwn(hideable, field)) return condition;
  const visibleValues = options[hideable[field as keyof typeof hideable]];
  const values = (value as readonly string[]).filter((id) => visibleValues.has(id));
  return values.length === 0 ? null : { ...condition, value: values };
}

function visibleFilter(options: VisibleOptions, filter: ColumnFilter | null): ColumnFilter | null {
  const visibleParts = (conditions: readonly FilterCondition[]): FilterCondition[] =>
    conditions.flatMap((condition) => visibleCondition(options, condition) ?? []);
  const conditions = (filter?.conditions ?? []).flatMap((part): ColumnFilter['conditions'] => {
    if (!isFilterGroup(part)) return visibleParts([part]);
    const inGroup = visibleParts(part.conditions);
    return inGroup.length === 0 ? [] : [{ ...part, conditions: inGroup }];
  });
  return filter && conditions.length > 0 ? { ...filter, conditions } : null;
}

/** Returns a view without hidden references, so that their existence is not revealed. */
export const withoutHidden = (
  options: VisibleOptions,
  { filter, sort, group, columns }: Arrangement,
): Arrangement => ({
  filter: visibleFilter(options, filter),
  sort: sort && sortExists(sort, options) ? sort : null,
  group: groupExists(group, options) ? group : null,
  columns: columns.filter(({ column }) => options.columns.has(column)),
});

/** Returns the first field of an arrangement with an unknown or hidden reference; undefined if there is none. */
export function findUnknownField(
  options: VisibleOptions,
  { filter, sort, group, columns }: Arrangement,
): string | undefined {
  if (columns.some(({ column }) => !options.columns.has(column))) return 'columns';
  if (sort && !sortExists(sort, options)) return 'sort';
  if (group !== null && !groupExists(group, options)) return 'group';
  return isDeepStrictEqual(filter, visibleFilter(options, filter)) ? undefined : 'filter';
}

/**
 * Applies changes to the visible parts of a view and preserves the hidden ones; a changed filter replaces the whole
 * filter. An unchanged arrangement changes nothing.
 */
export function mergeArrangement(
  options: VisibleOptions,
  stored: Arrangement,
  input: Arrangement,
): Arrangement {
  const seen = withoutHidden(options, stored);
  if (isDeepStrictEqual(seen, input)) return stored;
  return {
    filter: isDeepStrictEqual(seen.filter, input.filter) ? stored.filter : input.filter,
    sort: input.sort ?? (seen.sort === null ? stored.sort : null),
    group: input.group ?? (seen.group === null ? (stored.group ?? null) : null),
    columns: [...input.columns, ...stored.columns.filter(({ column }) => !options.columns.has(column))],
  };
}

/** Returns `Mine`, or `Mine 2` if the owner has a view of that name in any case. */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((other) => other.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` ${number}`;
    const free = name.slice(0, MAX_VIEW_NAME_LENGTH - ending.length) + ending;
    if (!used.has(free.toLowerCase())) return free;
  }
}
