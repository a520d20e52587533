import { isCustomKey } from '@forecourt/contract/custom-field-types';
import {
  columnsOfFilter,
  conditionFault,
  conditionsOf,
  isFilterField,
  isFilterGroup,
  isShortFilter,
  kindOf,
  MAX_FILTER_CONDITIONS,
  type ColumnFilter,
  type FilterCondition,
  type FilterField,
  type FilterGroup,
  type FilterMatch,
} from '@forecourt/contract/deal-filter-fields';
import { isObject } from '../../../platform/storage-keys.ts';
import { namedChoices } from '../../../ui/choices.ts';
import { existsFor, type DealOptions } from '../deal-fields.ts';

export type FilterPart = FilterCondition | FilterGroup;

/** The keys are always in this order, so that equal conditions have equal texts. */
export const conditionOf = ({ field, operator, value }: FilterCondition): FilterCondition => ({
  field,
  operator,
  ...(value !== undefined && { value }),
});

type Change = (condition: FilterCondition) => FilterCondition | null;

/** Returns a filter with changed conditions. Null removes a condition; empty groups are removed too. */
export function mapConditions({ match, conditions }: ColumnFilter, change: Change): ColumnFilter | null {
  const changed = (part: FilterCondition): FilterCondition[] => {
    const next = change(part);
    return next === null ? [] : [conditionOf(next)];
  };
  const parts = conditions.flatMap((part): FilterPart[] => {
    if (!isFilterGroup(part)) return changed(part);
    const inGroup = part.conditions.flatMap(changed);
    return inGroup.length === 0 ? [] : [{ match: part.match, conditions: inGroup }];
  });
  return parts.length === 0 ? null : { match, conditions: parts };
}

const isMatch = (value: unknown): value is FilterMatch => value === 'all' || value === 'any';

const isCondition = (part: unknown): part is FilterCondition =>
  isObject(part) &&
  // Otherwise the part could be a group.
  !Object.hasOwn(part, 'conditions') &&
  typeof part['field'] === 'string' &&
  isFilterField(part['field']) &&
  conditionFault(part as FilterCondition) === undefined;

const isList = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isOne);

const isGroup = (part: unknown): boolean =>
  isObject(part) && isMatch(part['match']) && isList(part['conditions'], isCondition);

/** Parses the URL parameter; null if it is malformed. */
export function parseFilter(text: string): ColumnFilter | null {
  try {
    return asFilter(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns a stored or parsed value as a filter; null if it is invalid. */
export function asFilter(value: unknown): ColumnFilter | null {
  if (!isObject(value) || !isMatch(value['match'])) return null;
  if (!isList(value['conditions'], (part) => isCondition(part) || isGroup(part))) return null;
  const filter = value as ColumnFilter;
  return conditionsOf(filter).length > MAX_FILTER_CONDITIONS || !isShortFilter(filter)
    ? null
    : mapConditions(filter, (condition) => condition);
}

/** Whether the user may see the columns of a field. */
export const isFieldOffered = (field: FilterField, options: DealOptions): boolean =>
  columnsOfFilter(field).every((column) => existsFor(options, column));

export type Choice = { readonly value: string; readonly label: string };

/** Returns the options of a custom field, including inactive ones, or users. */
function customChoices(
  field: FilterField,
  { customFields, owners, people }: DealOptions,
): readonly Choice[] | undefined {
  const customField = customFields.find(({ key }) => key === field);
  if (customField?.type === 'select' || customField?.type === 'multiSelect')
    return customField.options.map(({ id, name }) => ({ value: id, label: name }));
  if (customField?.type !== 'person') return undefined;
  // Owners include former users; without the owner column only active users are known.
  return namedChoices(owners.length > 0 ? owners : people);
}

/** Returns the values of a field that are ids, with their names; undefined for other fields. */
export function recordChoices(field: FilterField, options: DealOptions): readonly Choice[] | undefined {
  const records = {
    status: 'statuses',
    dealershipId: 'dealerships',
    owner: 'owners',
    items: 'items',
  } as const;
  if (isCustomKey(field)) return customChoices(field, options);
  if (!Object.hasOwn(records, field)) return undefined;
  return namedChoices(options[records[field as keyof typeof records]]);
}

/** Returns the filter without columns and values that do not exist or are hidden from the user. */
export function offeredFilter(
  columnFilter: ColumnFilter | null,
  options: DealOptions | undefined,
): ColumnFilter | null {
  const filter = asFilter(columnFilter);
  if (filter === null || options === undefined) return filter;
  return mapConditions(filter, (condition) => {
    const { field, value } = condition;
    if (!isFieldOffered(field, options)) return null;
    if (conditionFault(condition, [kindOf(field, options.customFields)])) return null;
    const choices = Array.isArray(value) ? recordChoices(field, options) : undefined;
    if (choices === undefined) return condition;
    const offered = new Set(choices.map(({ value: id }) => id));
    const ids = (value as readonly string[]).filter((id) => offered.has(id));
    return ids.length === 0 ? null : { ...condition, value: ids };
  });
}

export function withoutPart(filter: ColumnFilter, at: number): ColumnFilter | null {
  const conditions = filter.conditions.toSpliced(at, 1);
  return conditions.length === 0 ? null : { ...filter, conditions };
}

/** Filters in links from figures (`rowsLink`): a status by name, a dealership and an owner by id. */
export type LinkedFilters = { readonly [name in 'status' | 'dealershipId' | 'owner']?: string | undefined };

/** Converts the filters of a link; empty ones are ignored. */
export function filterOfLink(
  { status = '', dealershipId = '', owner = '' }: LinkedFilters,
  { statuses }: DealOptions,
): ColumnFilter | null {
  const statusId = statuses.find(({ name }) => name === status)?._id ?? '';
  const conditions = Object.entries({ status: statusId, dealershipId, owner }).flatMap(
    ([field, id]): FilterCondition[] =>
      id === '' ? [] : [{ field: field as FilterField, operator: 'isAnyOf', value: [id] }],
  );
  return asFilter({ match: 'all', conditions });
}
