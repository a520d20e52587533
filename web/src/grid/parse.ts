import { normaliseText } from '@forecourt/contract/characters';
import { MAX_MONEY } from '@forecourt/contract/money-limits';
import { PHONE_MESSAGE, readPhone } from '@forecourt/contract/phone';
import type { CellType, CellValue, GridColumn, GridRecord, Parsed, SelectOption } from './columns.ts';
import { parseDate, parseMoment, type Clock } from './parse-date.ts';

type Typed = Pick<GridColumn<GridRecord>, 'type' | 'options' | 'parse' | 'maxLength'>;

/** Parsers by type. Their text is trimmed and not empty. */
const parsers: Record<CellType, (text: string, column: Typed, clock: Clock) => Parsed> = {
  text: (text) => ({ ok: true, value: text.replaceAll(/\s*[\r\n]+\s*/g, ' ') }),
  multiline: (text) => ({ ok: true, value: text.replaceAll(/\r\n?/g, '\n') }),
  number: parseNumber,
  currency: parseNumber,
  phone: parsePhone,
  date: (text, _, clock) => parseDate(text, clock),
  datetime: (text, _, clock) => parseMoment(text, clock),
  select: (text, column) => parseOption(text, column.options ?? []),
};

/**
 * Parses typed or pasted text into a cell's value. Empty text is null for every type. Refusals have fixed texts
 * (docs/product/data-entry.md, Editing cells).
 */
export function parseText(column: Typed, text: string, clock: Clock, present: CellValue = null): Parsed {
  const trimmed = normaliseText(text).trim();
  if (trimmed === '') return { ok: true, value: null };
  if (column.maxLength !== undefined && Array.from(trimmed).length > column.maxLength) {
    return { ok: false, message: `Please use at most ${column.maxLength} characters` };
  }
  return column.parse ? column.parse(trimmed, present) : parsers[column.type](trimmed, column, clock);
}

const PLAIN_OR_GROUPED = /^(\d+|\d{1,3}([, ]\d{3})+)?(\.\d{0,2})?$/;

/**
 * Parses 0 or more with at most two decimals: '$1,234.50', '1 234', 'AUD 12', '.5', but not '1,23', '-1' or '1.234'.
 */
export function parseNumber(text: string): Parsed {
  const bare = text.replace(/^(AUD|A?\$)\s*/i, '').replace(/\s*AUD$/i, '');
  const value = Number(bare.replaceAll(/[, ]/g, ''));
  const valid = /\d/.test(bare) && PLAIN_OR_GROUPED.test(bare) && value <= MAX_MONEY;
  return valid ? { ok: true, value } : { ok: false, message: 'Please enter a valid number' };
}

export function parsePhone(text: string): Parsed {
  const value = readPhone(text);
  return value === null ? { ok: false, message: PHONE_MESSAGE } : { ok: true, value };
}

/** Accepts a label, a value, or the beginning of exactly one label; case is ignored. */
function parseOption(text: string, options: readonly SelectOption[]): Parsed {
  const lowerText = text.toLowerCase();
  const exact = options.find((option) => option.label.toLowerCase() === lowerText || option.value === text);
  const begun = options.filter((option) => option.label.toLowerCase().startsWith(lowerText));
  const option = exact ?? (begun.length === 1 ? begun[0] : undefined);
  return option ? { ok: true, value: option.value } : { ok: false, message: 'Please choose from the list' };
}
