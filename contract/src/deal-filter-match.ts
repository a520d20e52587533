import { normaliseText } from './characters.ts';
import { isFarFromPrice } from './deal-amounts.ts';
import { fieldValue, typeOf, type CustomTypes } from './deal-fields.ts';
import {
  isFilterGroup,
  kindOf,
  type ColumnFilter,
  type EmailState,
  type FilterCondition,
  type FilterField,
  type FilterGroup,
} from './deal-filter-fields.ts';
import type { Deal } from './deals.ts';
import { searchDigits } from './phone.ts';

/** The inputs of a filter in addition to the row. */
export type FilterFacts = {
  /** Current business day, and current time (ISO 8601, UTC). */
  today: string;
  now: string;
  /** Returns the start of a business day (ISO 8601, UTC, with milliseconds). */
  startOf: (day: string) => string;
  viewerId: string;
  /** Returns the id of a status by its name. */
  statusIdOf: (name: string | undefined) => string | undefined;
  isClosedStatus: (statusId: string | undefined) => boolean;
  isUnsaved: (dealId: string) => boolean;
  isDuplicate: (deal: Deal) => boolean;
  customFields: CustomTypes;
};

type Test = (deal: Deal) => boolean;

/**
 * Returns a predicate for rows that selects the same rows as the server (docs/product/data-entry.md, Filters). Values
 * are prepared once, because a browser tests 100,000 rows at a time. Slow tests run last, only for rows that the others
 * have not decided.
 */
export function createFilterMatcher(filter: ColumnFilter, facts: FilterFacts): Test {
  const groupTest = ({ match, conditions }: ColumnFilter | FilterGroup): Test => {
    const cost = (part: ColumnFilter['conditions'][number]): number =>
      isFilterGroup(part) ? 2 : Number(kindOf(part.field, facts.customFields) === 'text');
    const tests = conditions
      .toSorted((a, b) => cost(a) - cost(b))
      .map((part) => (isFilterGroup(part) ? groupTest(part) : conditionTest(part, facts)));
    // Nested calls, because a list of tests would cost a function call per row.
    return tests.reduce((left, right) =>
      match === 'all' ? (deal) => left(deal) && right(deal) : (deal) => left(deal) || right(deal),
    );
  };
  return groupTest(filter);
}

function conditionTest(condition: FilterCondition, facts: FilterFacts): Test {
  const isEmpty = emptyTest(condition.field);
  if (condition.operator === 'isEmpty') return isEmpty;
  if (condition.operator === 'isNotEmpty') return (deal) => !isEmpty(deal);
  const kind = kindOf(condition.field, facts.customFields);
  if (kind === 'text') return textTest(condition);
  if (kind === 'number') return numberTest(condition);
  if (kind === 'date') return dateTest(condition, facts);
  return kind === 'flag' ? flagTest(condition, facts) : choiceTest(condition, facts);
}

function emptyTest(field: FilterCondition['field']): Test {
  if (field === 'items') return ({ items = [] }) => items.length === 0;
  return (deal) => (fieldValue(deal, field) ?? '') === '';
}

/** Phone numbers are compared by their digits, in any format. */
export const phoneDigits = ({ field, value }: FilterCondition): string =>
  typeOf(field, []) === 'phone' && /^[\d\s()+-]+$/.test(String(value)) ? searchDigits(String(value)) : '';

/** Texts are compared in their stored form, regardless of case. */
export const wantedText = ({ value }: FilterCondition): string =>
  normaliseText(String(value)).trim().toLowerCase();

function textTest(condition: FilterCondition): Test {
  const { operator, field } = condition;
  const digits = phoneDigits(condition);
  const text = digits === '' ? wantedText(condition) : digits;
  const stored: (deal: Deal) => string =
    digits === ''
      ? (deal) => String(fieldValue(deal, field) ?? '').toLowerCase()
      : (deal) => String(fieldValue(deal, field) ?? '').replaceAll(/\D/g, '');
  if (operator === 'is') return (deal) => stored(deal) === text;
  if (operator === 'isNot') return (deal) => stored(deal) !== text;
  if (operator === 'contains') return (deal) => stored(deal).includes(text);
  return (deal) => !stored(deal).includes(text);
}

function numberTest({ field, operator, value }: FilterCondition): Test {
  const expected = value as number;
  const test = (isMet: (stored: number) => boolean): Test => {
    return (deal) => {
      const stored = fieldValue(deal, field);
      return typeof stored === 'number' && isMet(stored);
    };
  };
  if (operator === 'is') return test((stored) => stored === expected);
  if (operator === 'isNot') return (deal) => fieldValue(deal, field) !== expected;
  if (operator === 'moreThan') return test((stored) => stored > expected);
  if (operator === 'lessThan') return test((stored) => stored < expected);
  const [least, most] = value as [number, number];
  return test((stored) => stored >= least && stored <= most);
}

export const dayAfter = (day: string, days: number): string => {
  const date = new Date(`${day}T00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
};

/**
 * Returns the first and last business day of a condition on a date, both included. The last 7 days end, and the next 7
 * days begin, with today.
 */
export function daysOf({ operator, value }: FilterCondition, today: string): { from?: string; to?: string } {
  const day = String(value);
  if (operator === 'before') return { to: dayAfter(day, -1) };
  if (operator === 'after') return { from: dayAfter(day, 1) };
  if (operator === 'inLastDays') return { from: dayAfter(today, 1 - Number(value)), to: today };
  if (operator === 'inNextDays') return { from: today, to: dayAfter(today, Number(value) - 1) };
  const [from, to] = operator === 'between' ? (value as [string, string]) : [day, day];
  return { from, to };
}

/** Compares texts, because converting the time of each row to a day takes a hundred times as long. */
function dateTest(condition: FilterCondition, { today, startOf, customFields }: FilterFacts): Test {
  const { field } = condition;
  const { from, to } = daysOf(condition, today);
  const isDay = typeOf(field, customFields) === 'date';
  const start = from === undefined ? '' : isDay ? from : startOf(from);
  const end = to === undefined ? '9' : isDay ? dayAfter(to, 1) : startOf(dayAfter(to, 1));
  return (deal) => {
    const stored = fieldValue(deal, field);
    return typeof stored === 'string' && stored >= start && stored < end;
  };
}

/** The flags that are not values of a row. */
const flags: { readonly [field in FilterField]?: (deal: Deal, facts: FilterFacts) => boolean } = {
  isOverdue: ({ followUpAt, status }, { now, isClosedStatus, statusIdOf }) =>
    followUpAt != null && followUpAt <= now && !isClosedStatus(statusIdOf(status)),
  isSharedWithMe: ({ sharedWith }, { viewerId }) => sharedWith.some(({ userId }) => userId === viewerId),
  isUnsaved: ({ _id }, { isUnsaved }) => isUnsaved(_id),
  isDuplicate: (deal, { isDuplicate }) => isDuplicate(deal),
  isFarFromPrice: ({ saleAmount, items = [] }) => isFarFromPrice(saleAmount, items),
};

function flagTest({ field, operator }: FilterCondition, facts: FilterFacts): Test {
  const isTrue = operator === 'isTrue';
  const test = flags[field] ?? ((deal) => fieldValue(deal, field) === true);
  return (deal) => test(deal, facts) === isTrue;
}

/** Returns the state of the newest message about a row. */
const emailStateOf = ({ emailStatus }: Deal): EmailState => {
  if (emailStatus === 'sent' || emailStatus === 'failed' || emailStatus === 'unconfirmed') return emailStatus;
  return emailStatus == null || emailStatus === 'cancelled' ? 'notSent' : 'queued';
};

function choiceTest({ field, operator, value }: FilterCondition, { statusIdOf }: FilterFacts): Test {
  const selectedIds = new Set(value as readonly string[]);
  // Created once, because every row is tested against the list of options.
  const isWanted = (id: string): boolean => selectedIds.has(id);
  const has: Test =
    field === 'items'
      ? ({ items = [] }) => items.some(({ itemId }) => selectedIds.has(itemId))
      : field === 'emailState'
        ? (deal) =>
            selectedIds.has(emailStateOf(deal)) ||
            (selectedIds.has('changed') && deal.isChangedSinceSent === true)
        : field === 'status'
          ? ({ status }) => selectedIds.has(statusIdOf(status) ?? '')
          : (deal) => {
              const stored = fieldValue(deal, field);
              return Array.isArray(stored) ? stored.some(isWanted) : isWanted(String(stored));
            };
  return operator === 'isAnyOf' ? has : (deal) => !has(deal);
}
