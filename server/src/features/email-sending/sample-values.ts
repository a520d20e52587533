import { MAX_USER_NAME_LENGTH } from '@forecourt/contract/auth-limits';
import { isCustomLink } from '@forecourt/contract/custom-field-types';
import {
  dealFieldNames,
  fieldOf,
  typedFields,
  type DealFieldName,
  type FieldType,
} from '@forecourt/contract/deal-fields';
import { MAX_ITEM_QUANTITY } from '@forecourt/contract/deal-limits';
import { dealershipTextLimits } from '@forecourt/contract/dealership-limits';
import type { Deal } from '@forecourt/contract/deals';
import { MAX_VARIABLE_VALUE_LENGTH } from '@forecourt/contract/email-sending';
import type { TemplateVariable } from '@forecourt/contract/email-templates';
import { MAX_ITEM_NAME_LENGTH } from '@forecourt/contract/items';
import { MAX_MONEY } from '@forecourt/contract/money-limits';
import { MAX_STATUS_NAME_LENGTH } from '@forecourt/contract/statuses';
import type { DealFacts, Subjects } from './variables.ts';

/** Values for testing a template: the longest values of its fields, or none. */
export type Sample = 'longest' | 'empty';

/** Name-like text with a word that is wider than a phone. */
const NAMES = 'Wolfeschlegelsteinhausenbergerdorff Konstantinopolitanska-Featherstonehaugh Bartholomew Bea ';

const long = (length: number): string =>
  NAMES.repeat(Math.ceil(length / NAMES.length))
    .slice(0, length)
    .replace(/ $/, 's');

const ADDRESS = `${'long.'.repeat(12)}name@${'a-very-long-part.'.repeat(10)}example`;

const TIME = '2099-09-30T12:00:00.000Z';

/** The longest values that the contract allows, by type of field. */
const LONGEST_OF: { readonly [type in FieldType]?: (max: number) => string | number } = {
  // A short text is one word.
  text: (max) => (max < 100 ? 'W'.repeat(max) : long(max)),
  longText: long,
  phone: () => '(0412) 345 678',
  email: () => ADDRESS,
  currency: () => MAX_MONEY,
  percent: () => 99.99,
  date: () => '2099-09-30',
  time: () => TIME,
  month: () => '2099-09',
};

const longestOf = <N extends DealFieldName>(names: readonly N[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const { type, max = 0 } = fieldOf(name);
      const value = LONGEST_OF[type]?.(max);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as Partial<Pick<Deal, N>>;

/** Of the fields that are typed. */
export const LONGEST_DEAL = {
  ...longestOf([...typedFields, 'month']),
  status: long(MAX_STATUS_NAME_LENGTH),
};

const LONGEST_ITEM = {
  itemId: '',
  name: long(MAX_ITEM_NAME_LENGTH),
  quantity: MAX_ITEM_QUANTITY,
  unitPrice: MAX_MONEY,
};

/** Includes fields that the server computes. */
const LONGEST: DealFacts = {
  ...longestOf(dealFieldNames),
  ...LONGEST_DEAL,
  items: [LONGEST_ITEM, LONGEST_ITEM, LONGEST_ITEM],
  grossProfit: -MAX_MONEY,
  ownerName: long(MAX_USER_NAME_LENGTH),
};

const LONGEST_VALUE = long(MAX_VARIABLE_VALUE_LENGTH);

/** Returns the records of a message with sample data. Values that are never empty (the sender) are unchanged. */
export function sampleSubjects(sample: Sample, real: Subjects): Subjects {
  if (sample === 'empty') {
    const dealership = real.dealership && { name: real.dealership.name, address: undefined };
    return { ...real, deal: undefined, deals: [], dealership, contact: undefined };
  }
  return {
    ...real,
    deal: LONGEST,
    deals: [LONGEST, LONGEST, LONGEST],
    statement: { number: '2099-09-1000', month: '2099-09', total: MAX_MONEY },
    dealership: { name: long(dealershipTextLimits.name), address: long(dealershipTextLimits.address) },
    contact: { name: long(dealershipTextLimits.contactName) },
    sender: { name: long(MAX_USER_NAME_LENGTH), email: ADDRESS },
  };
}

/** Returns sample values for custom fields and for variables that the sender fills in; an empty one has its default. */
export const sampleValues = (
  sample: Sample | undefined,
  variables: TemplateVariable[],
): Record<string, string> =>
  sample === 'longest'
    ? Object.fromEntries(
        variables
          .filter(({ linkedData }) => linkedData === null || isCustomLink(linkedData))
          .map(({ key }) => [key, LONGEST_VALUE]),
      )
    : {};
