import {
  CUSTOM_NUMBER_DECIMALS,
  customTextLimits,
  MAX_CUSTOM_NUMBER,
  type CustomValue,
} from '@forecourt/contract/custom-field-types';
import type { CustomField } from '@forecourt/contract/custom-fields';
import { Money } from '@forecourt/contract/money';
import { BusinessDate, typedLines, typedText } from '@forecourt/contract/route';
import type { z } from 'zod';

/** The value to store (null clears it), or the reason for its refusal. */
export type CheckedValue = { value: CustomValue | null } | { message: string };

type Field = Pick<CustomField, 'type' | 'options'>;

const text = typedText(customTextLimits.text);
const longText = typedLines(customTextLimits.longText);
const link = typedText(customTextLimits.link);

/**
 * Returns a value in its stored form (docs/product/custom-fields.md, Types). `null`, an empty text, an empty list and
 * `false` mean no value.
 * @param storedValue the stored value of the row, whose inactive options and person are accepted again
 */
export function checkedValue(
  { type, options }: Field,
  value: unknown,
  isKnownPerson: (id: string) => boolean,
  storedValue: CustomValue | null = null,
): CheckedValue {
  const isNone = value === null || value === undefined || value === '' || value === false;
  if (isNone || (Array.isArray(value) && value.length === 0)) return { value: null };
  const isOffered = (id: unknown): boolean =>
    options.some((option) => option.id === id && (option.active || [storedValue].flat().includes(option.id)));
  switch (type) {
    case 'text':
      return parsed(text, value);
    case 'longText':
      return parsed(longText, value);
    case 'link':
      return checkedLink(value);
    case 'number':
    case 'percent':
      return checkedNumber(value);
    case 'currency':
      return parsed(Money, value);
    case 'date':
      return parsed(BusinessDate, value);
    case 'checkbox':
      return value === true ? { value } : { message: 'Must be true or false' };
    case 'select':
      return typeof value === 'string' && isOffered(value)
        ? { value }
        : { message: 'Choose one of the options' };
    case 'multiSelect':
      return Array.isArray(value) && value.every(isOffered)
        ? { value: options.flatMap(({ id }) => (value.includes(id) ? id : [])) }
        : { message: 'Choose among the options' };
    case 'person':
      break;
  }
  return typeof value === 'string' && (value === storedValue || isKnownPerson(value))
    ? { value }
    : { message: 'Choose one of the people' };
}

function parsed(schema: z.ZodType<string | number>, value: unknown): CheckedValue {
  const { data, error } = schema.safeParse(value, {
    error: ({ code }) => (code === 'invalid_type' ? 'Must be text' : undefined),
  });
  if (error) return { message: error.issues[0]!.message };
  return { value: data === '' ? null : data };
}

function checkedNumber(value: unknown): CheckedValue {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { message: 'Must be a number' };
  if (Math.abs(value) > MAX_CUSTOM_NUMBER) {
    const most = MAX_CUSTOM_NUMBER.toLocaleString('en-AU');
    return { message: `Must be a number from -${most} to ${most}` };
  }
  if (Number(value.toFixed(CUSTOM_NUMBER_DECIMALS)) !== value) {
    return { message: `Must have at most ${CUSTOM_NUMBER_DECIMALS} decimals` };
  }
  // Adding 0 turns -0 into 0.
  return { value: value + 0 };
}

const SCHEME = /^https?:\/\//i;
/** Matches `mailto:`, but not the port of `localhost:8080`. */
const OTHER_SCHEME = /^[a-z][a-z\d+-]*:(?!\d)/i;

/** Accepts only addresses that a browser opens without running code. `example.com` gets `https://`. */
function checkedLink(value: unknown): CheckedValue {
  const one = parsed(link, value);
  if (!('value' in one) || typeof one.value !== 'string') return one;
  const refused = { message: 'Must be a web address such as https://example.com' };
  const hasScheme = SCHEME.test(one.value);
  if (/\s|^\//.test(one.value) || (!hasScheme && OTHER_SCHEME.test(one.value))) return refused;
  const address = hasScheme ? one.value : `https://${one.value}`;
  const url = URL.parse(address);
  // A single word without a scheme is not an address.
  if (!url || !(hasScheme || /[.:]/.test(url.host))) return refused;
  return parsed(link, address);
}
