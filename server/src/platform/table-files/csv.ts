import { BYTE_ORDER_MARK, csvLines, type CsvCell } from '@forecourt/contract/csv';
import type { CellValue, ExportColumn, Table } from './cells.ts';
import { formatLocalTime, formatDate } from './wall-clock.ts';

function cell(
  { type }: ExportColumn<never>,
  value: CellValue,
  wallClock: (instant: string) => number,
): CsvCell {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return type === 'money' ? { money: value } : value;
  if (type === 'date') return formatDate(value);
  if (type === 'instant') return formatLocalTime(wallClock(value));
  return value;
}

/** Yields a table as CSV for Excel: UTF-8 with BOM, dates as in en-AU. */
export async function* csvFile<R>(
  { columns, batches }: Table<R>,
  wallClock: (instant: string) => number,
): AsyncGenerator<Buffer> {
  yield Buffer.from(BYTE_ORDER_MARK + csvLines([columns.map(({ header }) => header)]));
  for await (const batch of batches) {
    const rows = batch.map((row) => columns.map((column) => cell(column, column.of(row), wallClock)));
    yield Buffer.from(csvLines(rows));
  }
}
