import { titlesIn } from '@forecourt/contract/deal-fields';
import type {
  BuiltInFilterField,
  EmailState,
  FilterField,
  FilterKind,
  FilterMatch,
  FilterOperator,
} from '@forecourt/contract/deal-filter-fields';
import { formatPlural } from '../platform/formats.ts';
import { mailStates } from './deals.ts';

const empty = { isEmpty: 'is empty', isNotEmpty: 'is not empty' };

type OperatorTexts = Readonly<Partial<Record<FilterOperator, string>>>;

/** A kind of field; of custom fields, those with one of several values, and those with any number of them. */
export type OperatorKind = FilterKind | 'option' | 'options';

/** Operators, for the choice in the panel. */
const operators: Readonly<Record<OperatorKind, OperatorTexts>> = {
  text: {
    contains: 'contains',
    doesNotContain: 'does not contain',
    is: 'is',
    isNot: 'is not',
    ...empty,
  },
  number: {
    is: 'is',
    isNot: 'is not',
    moreThan: 'is more than',
    lessThan: 'is less than',
    between: 'is between',
    ...empty,
  },
  date: {
    is: 'is on',
    before: 'is before',
    after: 'is after',
    between: 'is between',
    inLastDays: 'is in the last',
    inNextDays: 'is in the next',
    ...empty,
  },
  choice: { isAnyOf: 'is any of', isNoneOf: 'is none of' },
  choices: {
    isAnyOf: 'include any of',
    isNoneOf: 'include none of',
    isEmpty: 'are empty',
    isNotEmpty: 'are not empty',
  },
  option: { isAnyOf: 'is any of', isNoneOf: 'is none of', ...empty },
  options: { isAnyOf: 'has any of', isNoneOf: 'has none of', ...empty },
  flag: { isTrue: 'yes', isFalse: 'no' },
};

/** Those that are shorter in a sentence: `Sale amount more than $500`. */
const shortOperators: Readonly<Partial<Record<OperatorKind, OperatorTexts>>> = {
  number: { moreThan: 'more than', lessThan: 'less than' },
  date: { is: 'is', before: 'before', after: 'after' },
  choice: { isAnyOf: 'is', isNoneOf: 'is not' },
  choices: { isAnyOf: 'include', isNoneOf: 'do not include' },
  option: { isAnyOf: 'is', isNoneOf: 'is not' },
  options: { isAnyOf: 'includes', isNoneOf: 'does not include' },
};

const fields: Readonly<Record<BuiltInFilterField, string>> = {
  ...titlesIn('filter'),
  emailState: 'Email',
  isOverdue: 'Overdue follow-up',
  isSharedWithMe: 'Shared with me',
  isUnsaved: 'Unsaved',
  isDuplicate: 'Possible duplicate',
  isFarFromPrice: 'Sale far from the price of its items',
};

/** The same words as in the column, in the order of groups. */
export const emailStates: Readonly<Record<EmailState, string>> = {
  notSent: mailStates.none,
  queued: mailStates.queued,
  sent: mailStates.sent,
  failed: mailStates.failed,
  unconfirmed: mailStates.unconfirmed,
  changed: mailStates.changed,
};

export const texts = {
  fields,
  operators,
  shortOperators,
  emailStates,
  /** The groups of the choice of a column. */
  groups: {
    state: 'Row',
    customer: 'Customer and car',
    amounts: 'Items and amounts',
    dates: 'Dates',
    custom: 'Custom fields',
  },
  flags: {
    isOverdue: { isTrue: 'Overdue follow-up', isFalse: 'No overdue follow-up' },
    isSharedWithMe: { isTrue: 'Shared with me', isFalse: 'Not shared with me' },
    isUnsaved: { isTrue: 'Unsaved', isFalse: 'Saved' },
    isDuplicate: { isTrue: 'Possible duplicate', isFalse: 'No possible duplicate' },
    isFarFromPrice: {
      isTrue: 'Sale far from the price of its items',
      isFalse: 'Sale near the price of its items',
    },
  } as Readonly<Partial<Record<FilterField, OperatorTexts>>>,
  failedEmail: 'Failed email',
  quick: 'Quick choices',
  match: 'Rows meet',
  matches: { all: 'all', any: 'any' } satisfies Record<FilterMatch, string>,
  matchesAlone: { all: 'Match all', any: 'Match any' } satisfies Record<FilterMatch, string>,
  groupMatch: 'Rows meet, in this group',
  joints: { all: ' and ', any: ' or ' } satisfies Record<FilterMatch, string>,
  chips: 'Filter',
  remove: (text: string) => `Remove: ${text}`,
  clear: 'Clear',
  clearAll: 'Clear all',
  condition: (number: number) => `Condition ${number}`,
  group: (number: number) => `Group ${number}`,
  removeCondition: 'Remove condition',
  removeGroup: 'Remove group',
  addCondition: 'Add condition',
  addToGroup: 'Add to group',
  addGroup: 'Add group',
  tooMany: (most: number) => `A filter has at most ${most} conditions`,
  column: 'Column',
  chooseColumn: 'Choose a column…',
  operator: 'Comparison',
  value: 'Value',
  from: 'From',
  to: 'To',
  days: 'days',
  values: (field: string) => `Values of ${field}`,
  chooseValues: 'Choose values…',
  searchValues: 'Search',
  noValues: 'Nothing found',
  tooManyValues: (most: number) => `Choose at most ${most}`,
  badDays: 'Please enter a number of days',
  badRange: 'The first value must not be greater than the second',
  tooLong: 'The filter is too long and was not applied. Use fewer values or shorter texts.',
  incomplete: 'Conditions without a value are not applied.',
  leftOut: 'A condition of the filter was left out: its field or value is not available to you any more',
  malformed: 'The filter in the address is not valid and was ignored',
  more: (count: number) => `${count} more`,
  between: (from: string, to: string) => `between ${from} and ${to}`,
  lastDays: (days: number) => (days === 1 ? 'is today' : `in the last ${formatPlural(days, 'day')}`),
  nextDays: (days: number) => (days === 1 ? 'is today' : `in the next ${formatPlural(days, 'day')}`),
} as const;
