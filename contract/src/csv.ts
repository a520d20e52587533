/** A number is never escaped as a formula. `money` is written with two decimals. */
export type CsvCell = string | number | { readonly money: number };

/** Excel reads a file with this mark as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

// eslint-disable-next-line no-control-regex -- exactly those are meant
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

/** Removes characters that XML does not allow, and lone surrogates. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '');

/**
 * Whether a spreadsheet would evaluate a printable text as a formula: its first character is a formula sign, after
 * spaces and invisible characters that a program may skip (docs/product/security.md, No formulas in spreadsheets).
 */
export const isFormula = (text: string): boolean =>
  /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(
    text,
  );

function cellText(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return cell.money.toFixed(2);
  const text = printable(cell);
  const guarded = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Returns rows as CSV (RFC 4180). A text that is a formula gets a leading apostrophe. */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
