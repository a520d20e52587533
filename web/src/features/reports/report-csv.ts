/** Excel takes a file for UTF-8 when it begins with this. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A cell that a spreadsheet would run as a formula is read as text instead. Numbers are no formulas. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Rows as a file that spreadsheets open right; the first one is the head. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  BYTE_ORDER_MARK + rows.map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
