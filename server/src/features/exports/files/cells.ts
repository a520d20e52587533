/**
 * One value of a row. A type says how it looks in either format: money in AUD, a date `2026-11-20`, an instant in
 * ISO 8601, which is shown on the company's clock. Null: an empty cell.
 */
type CellType = 'text' | 'number' | 'money' | 'percent' | 'date' | 'instant' | 'flag';

export type CellValue = string | number | boolean | null;

export type ExportColumn<R> = { header: string; type: CellType; of: (row: R) => CellValue };

/** A table whose rows come as they are read: in batches, each once. */
export type Table<R> = { columns: readonly ExportColumn<R>[]; batches: AsyncIterable<readonly R[]> };

/** Characters that no spreadsheet should be given: what XML cannot carry, and half characters. */
// eslint-disable-next-line no-control-regex -- exactly those are meant
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

export const printable = (text: string): string => text.replace(UNPRINTABLE, '');

/**
 * Whether a spreadsheet would run a text as a formula: it begins with one of its signs, after whatever spaces and
 * invisible characters a program may skip (security.md K8).
 */
export const isFormula = (text: string): boolean =>
  /^[\p{White_Space}\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(text);
