import { createLazyValue } from '../platform/lazy-value.ts';
import { formatMoney } from '../platform/numbers.ts';
import { zonedTime } from '../platform/time-zone.ts';
import type { CellType, CellValue, GridColumn, GridRecord } from './columns.ts';

const decimal = createLazyValue(() => new Intl.NumberFormat('en-AU', { maximumFractionDigits: 2 }));

type Typed = Pick<GridColumn<GridRecord>, 'type' | 'options' | 'toText'>;
type ToText = (value: string | number, column: Typed, timeZone: string) => string;

/** The initial text of an editor. The parser of the same type returns the same value for it. */
const editTexts: Record<CellType, ToText> = {
  text: String,
  multiline: String,
  number: String,
  phone: String,
  currency: (value) => (typeof value === 'number' ? value.toFixed(2) : value),
  date: (value) => dayText(String(value)),
  datetime(value, _, timeZone) {
    const local = zonedTime(new Date(value), timeZone);
    return `${dayText(local)} ${local.slice(11, 16)}`;
  },
  select: (value, { options }) => options?.find((option) => option.value === value)?.label ?? String(value),
};

/** Display texts of types that differ from their edit texts. */
const displayTexts: Partial<Record<CellType, ToText>> = {
  number: (value) => (typeof value === 'number' ? decimal().format(value) : value),
  currency: (value) => (typeof value === 'number' ? formatMoney(value) : value),
  datetime(value, _, timeZone) {
    const local = zonedTime(new Date(value), timeZone);
    const hour = Number(local.slice(11, 13));
    return `${dayText(local)}, ${hour % 12 || 12}:${local.slice(14, 16)} ${hour < 12 ? 'am' : 'pm'}`;
  },
};

/** Returns the text of a display cell, such as '$1,234.50', '05/03/2026' or '05/03/2026, 2:30 pm' in this time zone. */
export function displayText<R extends GridRecord>(
  column: GridColumn<R>,
  record: R,
  timeZone: string,
): string {
  const value = column.get(record);
  if (column.format) return column.format(value, record);
  if (value === null || value === '') return '';
  return (displayTexts[column.type] ?? editTexts[column.type])(value, column, timeZone);
}

export function editText(column: Typed, value: CellValue, timeZone: string): string {
  if (value === null) return '';
  return column.toText ? column.toText(value) : editTexts[column.type](value, column, timeZone);
}

/**
 * Returns a cell's text for other programs: the edit text, which parses back to the same value here and is a number in
 * a spreadsheet. For an option that is no longer offered, the display text.
 *
 * @param value replaces the record's value
 */
export function copyText<R extends GridRecord>(
  column: GridColumn<R>,
  record: R,
  timeZone: string,
  value = column.get(record),
): string {
  const isOffered = column.type !== 'select' || column.options?.some((option) => option.value === value);
  if (!isOffered && column.format) return column.format(value, record);
  return editText(column, value, timeZone);
}

/** Formats '2026-03-05' as '05/03/2026'. */
function dayText(date: string): string {
  return `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`;
}
