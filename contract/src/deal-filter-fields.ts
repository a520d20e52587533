import { customFieldTypes, isCustomKey, MAX_CUSTOM_NUMBER, type CustomKey } from './custom-field-types.ts';
import {
  dealFieldNames,
  fieldOf,
  isColumn,
  typeOf,
  type CustomTypes,
  type DealColumn,
  type DealFieldName,
  type FieldType,
} from './deal-fields.ts';
import { MAX_MONEY } from './money-limits.ts';

// Filters on the columns of deals (docs/product/data-entry.md, Filters). Plain values, which browsers import without the
// schemas.

/** Maximum conditions of a filter, including those in groups, and maximum values of a condition. */
export const MAX_FILTER_CONDITIONS = 20;
export const MAX_FILTER_VALUES = 50;
/** Maximum length of the JSON in a URL, where a non-ASCII letter needs up to nine characters. */
export const MAX_FILTER_LENGTH = 7500;

const MAX_TEXT_LENGTH = 200;
/** Ten years. */
const MAX_DAYS = 3653;

const empty = ['isEmpty', 'isNotEmpty'] as const;

/** The operators of each kind of field. */
export const filterOperators = {
  text: ['contains', 'doesNotContain', 'is', 'isNot', ...empty],
  number: ['is', 'isNot', 'moreThan', 'lessThan', 'between', ...empty],
  date: ['is', 'before', 'after', 'between', 'inLastDays', 'inNextDays', ...empty],
  choice: ['isAnyOf', 'isNoneOf'],
  choices: ['isAnyOf', 'isNoneOf', ...empty],
  flag: ['isTrue', 'isFalse'],
} as const;
export type FilterKind = keyof typeof filterOperators;
export type FilterOperator = (typeof filterOperators)[FilterKind][number];

type SpecialFilter = {
  kind: FilterKind;
  /** The viewer must see all of these columns to filter by the field. */
  columns: readonly DealColumn[];
};
/** Filters that are not fields of a row. */
const specialFilters = {
  emailState: { kind: 'choice', columns: ['lastEmailedAt'] },
  isOverdue: { kind: 'flag', columns: ['followUpAt', 'status'] },
  isSharedWithMe: { kind: 'flag', columns: [] },
  /** Another row of its month has the same phone or deal number. Browsers leave this to the server. */
  isDuplicate: { kind: 'flag', columns: ['customerNumber', 'dealNumber'] },
  isFarFromPrice: { kind: 'flag', columns: ['saleAmount', 'items'] },
  /** The row has changes that only exist in the browser. The server treats no row as unsaved. */
  isUnsaved: { kind: 'flag', columns: [] },
} as const satisfies Record<string, SpecialFilter>;
type SpecialField = keyof typeof specialFilters;
const isSpecial = (field: string): field is SpecialField => Object.hasOwn(specialFilters, field);

/** The kinds of filters by type of field. */
const filterKinds = {
  record: 'choice',
  text: 'text',
  longText: 'text',
  link: 'text',
  phone: 'text',
  email: 'text',
  items: 'choices',
  select: 'choices',
  multiSelect: 'choices',
  person: 'choices',
  number: 'number',
  currency: 'number',
  percent: 'number',
  date: 'date',
  time: 'date',
  checkbox: 'flag',
} as const satisfies { readonly [type in FieldType]?: FilterKind };
type FilteredType = keyof typeof filterKinds;
const isFiltered = (type: FieldType): type is FilteredType => type in filterKinds;

export type BuiltInFilterField = Exclude<DealFieldName, 'month'> | SpecialField;
export type FilterField = BuiltInFilterField | CustomKey;

/** The order of the kinds in the filter panel. */
const kinds: readonly FilterKind[] = ['choice', 'flag', 'text', 'choices', 'number', 'date'];

/** The built-in fields in the order of the filter panel. */
export const filterFieldNames = (
  [
    ...dealFieldNames.filter((name) => isFiltered(fieldOf(name).type)),
    ...Object.keys(specialFilters),
  ] as BuiltInFilterField[]
).toSorted((a, b) => kinds.indexOf(kindOf(a, [])) - kinds.indexOf(kindOf(b, [])));

/** Whether a name can be the field of a filter. */
export const isFilterField = (name: string): name is FilterField =>
  (filterFieldNames as readonly string[]).includes(name) || isCustomKey(name);

/** Returns the kind of a field. A custom field that the viewer may not see counts as a text. */
export function kindOf(field: FilterField, customFields: CustomTypes): FilterKind {
  if (isSpecial(field)) return specialFilters[field].kind;
  return filterKinds[(typeOf(field, customFields) ?? 'text') as FilteredType];
}

export const operatorsOf = (field: FilterField, customFields: CustomTypes): readonly FilterOperator[] =>
  filterOperators[kindOf(field, customFields)];

/** Returns the columns that a viewer must see to filter by a field. */
export const columnsOfFilter = (field: FilterField): readonly (DealColumn | CustomKey)[] => {
  if (isSpecial(field)) return specialFilters[field].columns;
  return isColumn(field) || isCustomKey(field) ? [field] : [];
};

/**
 * Mail states. `notSent`: no message, or only cancelled ones; `queued`: being delivered; `unconfirmed`: ended without a
 * response of the mail server, which may have delivered it; `changed`: the row was edited after the last delivered
 * message. A `changed` row also has the state of its newest message.
 */
export const emailStates = ['notSent', 'queued', 'sent', 'failed', 'unconfirmed', 'changed'] as const;
export type EmailState = (typeof emailStates)[number];

/** Ids or mail states, a text, a business date, a number (also of days), or the two ends of a range. */
export type FilterValue = string | number | string[] | number[];

export type FilterCondition = {
  field: FilterField;
  operator: FilterOperator;
  value?: FilterValue | undefined;
};

/** Whether a row must meet all conditions or any of them. */
export type FilterMatch = 'all' | 'any';
export type FilterGroup = { match: FilterMatch; conditions: FilterCondition[] };
/** A filter: conditions, and groups of conditions, which contain no groups. */
export type ColumnFilter = { match: FilterMatch; conditions: (FilterCondition | FilterGroup)[] };

export const isFilterGroup = (part: FilterCondition | FilterGroup): part is FilterGroup =>
  'conditions' in part;

/** Returns all conditions, including those in groups. */
export const conditionsOf = ({ conditions }: ColumnFilter): FilterCondition[] =>
  conditions.flatMap((part) => (isFilterGroup(part) ? part.conditions : [part]));

/** Whether a filter fits into a URL. */
export const isShortFilter = (filter: ColumnFilter): boolean =>
  encodeURIComponent(JSON.stringify(filter)).length <= MAX_FILTER_LENGTH;

const CUSTOM_ID = /^[\w-]{1,36}$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

const isDay = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^(19|20)\d\d-\d\d-\d\d$/.test(value) &&
  // Null for a day such as the 32nd; for the 31st of a shorter month the next day.
  new Date(`${value}T00:00Z`).toJSON()?.slice(0, 10) === value;

const isAmount =
  (most: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && Math.abs(value) <= most;

/** Returns an error message for a value that is invalid for the operator; undefined if it is valid. */
function textFault(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return 'Must be a text';
  if (value.length > MAX_TEXT_LENGTH) return `Must be at most ${MAX_TEXT_LENGTH} characters`;
  return value.isWellFormed() && !/\p{Cc}/u.test(value) ? undefined : 'Must be one line of plain text';
}

function rangeFault(value: unknown, isOne: (one: unknown) => boolean, one: string): string | undefined {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(isOne)) return `Must be two of: ${one}`;
  return value[0] <= value[1] ? undefined : 'The first value must not be greater than the second';
}

function choicesFault(field: FilterField, value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return 'Must be a list of values';
  if (value.length > MAX_FILTER_VALUES) return `Must have at most ${MAX_FILTER_VALUES} values`;
  if (field === 'emailState')
    return value.every((one) => emailStates.includes(one))
      ? undefined
      : `Must be of ${emailStates.join(', ')}`;
  const id = isCustomKey(field) ? CUSTOM_ID : UUID;
  return value.every((one) => typeof one === 'string' && id.test(one)) ? undefined : 'Must be a list of ids';
}

/**
 * Returns an error message by key for the operator or value of a condition; undefined if it is valid.
 * @param kinds the kind of the field; several while the type of a custom field is unknown
 */
export function conditionFault(
  { field, operator, value }: FilterCondition,
  kinds: readonly FilterKind[] = isCustomKey(field)
    ? customFieldTypes.map((type) => filterKinds[type])
    : [kindOf(field, [])],
): { key: 'operator' | 'value'; message: string } | undefined {
  const has = (kind: FilterKind): readonly FilterOperator[] => filterOperators[kind];
  const possible = kinds.filter((kind) => has(kind).includes(operator));
  if (possible.length === 0)
    return { key: 'operator', message: `Must be one of ${[...new Set(kinds.flatMap(has))].join(', ')}` };
  const faults = possible.map((kind) => valueFault(kind, { field, operator, value }));
  const [message] = faults;
  return message === undefined || faults.includes(undefined) ? undefined : { key: 'value', message };
}

function valueFault(kind: FilterKind, { field, operator, value }: FilterCondition): string | undefined {
  if (!takesValue(operator)) return value === undefined ? undefined : 'Must be absent';
  if (kind === 'choice' || kind === 'choices') return choicesFault(field, value);
  if (kind === 'text') return textFault(value);
  if (kind === 'number') {
    const isNumber = isAmount(isCustomKey(field) ? MAX_CUSTOM_NUMBER : MAX_MONEY);
    if (operator === 'between') return rangeFault(value, isNumber, 'a number');
    return isNumber(value) ? undefined : 'Must be a number';
  }
  if (operator === 'inLastDays' || operator === 'inNextDays')
    return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_DAYS
      ? undefined
      : `Must be a number of days from 1 to ${MAX_DAYS}`;
  if (operator === 'between') return rangeFault(value, isDay, 'a date such as 2026-11-20');
  return isDay(value) ? undefined : 'Must be a date such as 2026-11-20';
}

const withoutValue: ReadonlySet<FilterOperator> = new Set([...empty, ...filterOperators.flag]);
export const takesValue = (operator: FilterOperator): boolean => !withoutValue.has(operator);
