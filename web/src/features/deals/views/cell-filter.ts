import {
  conditionFault,
  isFilterField,
  isFilterGroup,
  kindOf,
  type ColumnFilter,
  type FilterCondition,
  type FilterField,
  type FilterOperator,
  type FilterValue,
} from '@forecourt/contract/deal-filter-fields';
import { createGroupReader } from '@forecourt/contract/deal-groups';
import type { Deal } from '@forecourt/contract/deals';
import type { CellValue } from '../../../grid/grid.ts';
import { zonedTime } from '../../../platform/time-zone.ts';
import { customValueOf, linesOf, type DealOptions } from '../deal-fields.ts';
import { asFilter, conditionOf, isFieldOffered, type FilterPart } from './filter.ts';

/** Returns the field by which a column is filtered; undefined if there is none or it is hidden. */
export function filterFieldOf(columnId: string, options: DealOptions): FilterField | undefined {
  const field = columnId === 'emailStatus' ? 'emailState' : columnId;
  return isFilterField(field) && isFieldOffered(field, options) ? field : undefined;
}

type CellOfFilter = {
  readonly field: FilterField;
  /** The value of the cell. */
  readonly value: CellValue;
  readonly deal: Deal;
};

const readMailState = createGroupReader('emailState', String);

/** Returns the ids of a cell's values. */
function idsOf({ field, value, deal }: CellOfFilter, { statuses }: DealOptions): readonly string[] {
  if (field === 'emailState') return [readMailState(deal) ?? ''];
  if (value === null) return [];
  if (field === 'status') return statuses.flatMap(({ _id, name }) => (name === value ? _id : []));
  if (field === 'items') return linesOf(value).map(({ itemId }) => itemId);
  return [customValueOf(value)].flat().map(String);
}

/**
 * Returns the condition that selects rows with, or without, the value of a cell; null if no condition can compare it,
 * such as a text of several lines.
 */
export function cellCondition(
  cell: CellOfFilter,
  isNot: boolean,
  options: DealOptions,
  timeZone: string,
): FilterPart | null {
  const { field, value } = cell;
  const kind = kindOf(field, options.customFields);
  const part = (operator: FilterOperator, compared?: FilterValue): FilterCondition =>
    conditionOf({ field, operator, value: compared });
  const valid = (condition: FilterCondition): FilterCondition | null =>
    conditionFault(condition, [kind]) === undefined ? condition : null;
  if (kind === 'flag') return part((value === null) === isNot ? 'isTrue' : 'isFalse');
  const ids = kind === 'choice' || kind === 'choices' ? [...idsOf(cell, options)] : null;
  if (ids?.length === 0 || (ids === null && (value === null || value === '')))
    return valid(part(isNot ? 'isNotEmpty' : 'isEmpty'));
  if (ids) return valid(part(isNot ? 'isNoneOf' : 'isAnyOf', ids));
  if (kind !== 'date') return valid(part(isNot ? 'isNot' : 'is', value!));
  const text = String(value);
  const day = text.includes('T') ? zonedTime(new Date(text), timeZone).slice(0, 10) : text;
  const only = valid(part('is', day));
  if (!isNot || only === null) return only;
  return { match: 'any', conditions: [part('before', day), part('after', day), part('isEmpty')] };
}

/**
 * Returns a filter with a further part. Conditions on the same values of a field are merged. Null if conditions are
 * combined by any with groups among them, or there are too many.
 */
export function withCellCondition(filter: ColumnFilter | null, part: FilterPart): ColumnFilter | null {
  const { match = 'all', conditions = [] } = filter ?? {};
  const isAny = match === 'any' && conditions.length > 1;
  if (isAny && conditions.some(isFilterGroup)) return null;
  const present = isAny ? [{ match, conditions: conditions as FilterCondition[] }] : conditions;
  const isLike = (other: FilterPart): other is FilterCondition =>
    !isFilterGroup(other) &&
    !isFilterGroup(part) &&
    other.field === part.field &&
    other.operator === part.operator &&
    (Array.isArray(part.value) || other.value === part.value);
  const others = present.filter((other) => !isLike(other));
  const excluded = present.filter(isLike).flatMap(({ value }) => value as string[]);
  const isList = !isFilterGroup(part) && part.operator === 'isNoneOf';
  const added = isList ? { ...part, value: [...new Set([...excluded, ...(part.value as string[])])] } : part;
  return asFilter({ match: 'all', conditions: [...others, added] });
}
