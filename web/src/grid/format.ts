import { lazily } from '../platform/lazily.ts';
import { formatMoney } from '../platform/numbers.ts';
import { zonedTime } from '../platform/time-zone.ts';
import type { CellType, CellValue, GridColumn, GridRecord } from './columns.ts';

const decimal = lazily(() => new Intl.NumberFormat('en-AU', { maximumFractionDigits: 2 }));

type Typed = Pick<GridColumn<GridRecord>, 'type' | 'options' | 'toText'>;
type ToText = (value: string | number, column: Typed, timeZone: string) => string;

/** What an editor begins with: the parser of the same type reads it back as the same value. */
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

/** What a cell shows where that differs from what is edited. */
const displayTexts: Partial<Record<CellType, ToText>> = {
  number: (value) => (typeof value === 'number' ? decimal().format(value) : value),
  currency: (value) => (typeof value === 'number' ? formatMoney(value) : value),
  datetime(value, _, timeZone) {
    const local = zonedTime(new Date(value), timeZone);
    const hour = Number(local.slice(11, 13));
    return `${dayText(local)}, ${hour % 12 || 12}:${local.slice(14, 16)} ${hour < 12 ? 'am' : 'pm'}`;
  },
};

/** The text of a display cell: '$1,234.50', '05/03/2026', '05/03/2026, 2:30 pm' in the time zone given. */
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
 * A cell's text for other programs: as it is edited, so that it reads back as the same value here and numbers are numbers
 * in a spreadsheet. A choice that is no longer offered goes by the name it is shown with.
 *
 * @param value instead of what the record holds
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

/** '2026-03-05' as '05/03/2026'. */
function dayText(date: string): string {
  return `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`;
}
