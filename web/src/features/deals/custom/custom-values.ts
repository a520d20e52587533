import {
  CUSTOM_NUMBER_DECIMALS,
  customTextLimits,
  MAX_CUSTOM_NUMBER,
  type CustomFieldType,
} from '@forecourt/contract/custom-field-types';
import type { CustomFieldOption } from '@forecourt/contract/custom-fields';
import type { CellValue, GridColumn } from '../../../grid/grid.ts';
import { formatBusinessDate, formatMoney } from '../../../platform/formats.ts';
import { createLazyValue } from '../../../platform/lazy-value.ts';
import { texts } from '../../../texts/custom-values.ts';
import { customCell, customValueOf } from '../deal-fields.ts';
import { listedNames } from '../listed-names.ts';

type Parsed = ReturnType<NonNullable<GridColumn<never>['parse']>>;

export const TICK = customCell(true) as string;

const decimal = createLazyValue(
  () => new Intl.NumberFormat('en-AU', { maximumFractionDigits: CUSTOM_NUMBER_DECIMALS }),
);

/** Formats as `1,234.5678`. */
const formatNumber = (number: number): string => decimal().format(number);

/** Formats a value whose type has no names. */
export function formatCustom(type: CustomFieldType, value: string | number): string {
  if (type === 'date') return formatBusinessDate(String(value));
  if (typeof value === 'string') return value;
  if (type === 'currency') return formatMoney(value);
  return type === 'percent' ? `${formatNumber(value)}%` : formatNumber(value);
}

const PLAIN_OR_GROUPED = /^[-−]?(\d+|\d{1,3}([, ]\d{3})+)?(\.\d*)?$/;

/** Parses a number of either sign, with or without separators: `-1,234.5`. */
export function parseNumber(text: string): Parsed {
  const value = Number(text.replaceAll(/[, ]/g, '').replace('−', '-'));
  if (!/\d/.test(text) || !PLAIN_OR_GROUPED.test(text)) return { ok: false, message: texts.notNumber };
  if (Math.abs(value) > MAX_CUSTOM_NUMBER)
    return { ok: false, message: texts.tooLarge(formatNumber(MAX_CUSTOM_NUMBER)) };
  if (Number(value.toFixed(CUSTOM_NUMBER_DECIMALS)) !== value)
    return { ok: false, message: texts.tooManyDecimals(CUSTOM_NUMBER_DECIMALS) };
  // Adding 0 turns -0 into 0.
  return { ok: true, value: value + 0 };
}

/** Parses a number with or without a percent sign. */
export const parsePercent = (text: string): Parsed => parseNumber(text.replace(/\s*%$/, ''));

/** Parses a checkbox: `y`, `yes`, and texts that spreadsheets and users write instead. */
export function parseTick(text: string): Parsed {
  if (/^(✓\s*)?(y|yes|true|x|1|✓)$/i.test(text)) return { ok: true, value: TICK };
  if (/^(n|no|false|0)$/i.test(text)) return { ok: true, value: null };
  return { ok: false, message: texts.yesOrNo };
}

/** Returns a URL that a browser opens without running code; null for other texts. */
export const safeAddress = (address: CellValue): string | null =>
  typeof address === 'string' && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;

/** Parses a web address. `example.com` gets `https://`. */
export function parseLink(text: string): Parsed {
  const hasScheme = /^https?:\/\//i.test(text);
  // The port of `localhost:8080` is not a scheme.
  const isOther = !hasScheme && /^[a-z][a-z\d+-]*:(?!\d)/i.test(text);
  const address = safeAddress(hasScheme ? text : `https://${text}`);
  const isWord = address !== null && !hasScheme && !/[.:]/.test(new URL(address).host);
  if (/\s|^\//.test(text) || isOther || address === null || isWord || address.length > customTextLimits.link)
    return { ok: false, message: texts.notLink };
  return { ok: true, value: address };
}

export function chosenIds(value: CellValue): readonly string[] {
  const ids = customValueOf(value);
  return Array.isArray(ids) ? ids : [];
}

/** Returns the active options and those that the cell already has. */
export const optionChoices = (options: readonly CustomFieldOption[], present: readonly string[] = []) =>
  options
    .filter(({ id, active }) => active || present.includes(id))
    .map(({ id, name }) => ({ value: id, label: name }));

/** Returns option ids as a cell value, in the order of the options; null if there are none. */
export const listCell = (ids: readonly string[], options: readonly CustomFieldOption[]): CellValue =>
  ids.length === 0 ? null : customCell(options.flatMap(({ id }) => (ids.includes(id) ? id : [])));

const LISTED = 8;

/**
 * Parses names of options, or unambiguous beginnings, separated by commas.
 * @param present the options of the cell, which may be inactive
 */
export function parseOptions(
  text: string,
  options: readonly CustomFieldOption[],
  present: CellValue = null,
): Parsed {
  const own = chosenIds(present);
  const offered = options.filter(({ id, active }) => active || own.includes(id));
  const ids: string[] = [];
  for (const { typed, matches } of listedNames(text, offered)) {
    const [option, ...others] = matches;
    if (!option || others.length > 0) {
      const names = offered.slice(0, LISTED).map(({ name }) => name);
      const list = [...names, ...(offered.length > LISTED ? ['…'] : [])].join(', ');
      return { ok: false, message: option ? texts.severalBegin(typed) : texts.unknownOption(typed, list) };
    }
    ids.push(option.id);
  }
  return { ok: true, value: listCell(ids, options) };
}
