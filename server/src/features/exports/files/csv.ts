import { stringify } from 'csv-stringify/sync';
import { isFormula, printable, type CellValue, type ExportColumn, type Table } from './cells.ts';
import { clockWords, dateWords } from './wall-clock.ts';

const BOM = '\ufeff';

/** Numbers stay numbers; a text that would be run as a formula gets an apostrophe before it. */
function cellWords(
  { type }: ExportColumn<never>,
  value: CellValue,
  wallClock: (instant: string) => number,
): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return type === 'money' ? value.toFixed(2) : String(value);
  if (type === 'date') return dateWords(value);
  if (type === 'instant') return clockWords(wallClock(value));
  return isFormula(value) ? `'${printable(value)}` : printable(value);
}

/** A table as CSV that Excel opens right: UTF-8 with BOM, CRLF, dates as in en-AU. */
export async function* csvFile<R>(
  { columns, batches }: Table<R>,
  wallClock: (instant: string) => number,
): AsyncGenerator<Buffer> {
  const lines = (rows: string[][]) => Buffer.from(stringify(rows, { record_delimiter: 'windows' }));
  yield Buffer.from(BOM);
  yield lines([columns.map(({ header }) => header)]);
  for await (const batch of batches)
    yield lines(batch.map((row) => columns.map((column) => cellWords(column, column.of(row), wallClock))));
}
