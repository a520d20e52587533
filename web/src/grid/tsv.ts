/** Rows of cells as the text that spreadsheets put on the clipboard and take from it. */
export type TextTable = readonly (readonly string[])[];

const SPECIAL = /["\t\n\r]/;

/** Cells between tabs, rows between line ends; a cell that holds one of these or a quote is quoted, as Excel does it. */
export function formatTsv(table: TextTable): string {
  const text = table.map((row) => row.map(quoted).join('\t')).join('\r\n');
  // The line end that spreadsheets put last is read as no row, so a last row that looks like none needs one.
  const endsEmpty = table.length > 1 && table.at(-1)?.join('\t') === '';
  return endsEmpty ? `${text}\r\n` : text;
}

const quoted = (cell: string): string => (SPECIAL.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Reads such a text. A quote means something at the beginning of a cell only, and only when another one ends it: '6" pipe'
 * and '"big' are texts like any other. Rows may differ in length.
 */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  for (;;) {
    const cell = quotedCell(text, at) ?? plainCell(text, at);
    rows.at(-1)?.push(cell.text);
    at = cell.end;
    if (at >= text.length) return rows;
    if (text[at] === '\t') at += 1;
    else {
      at += text.startsWith('\r\n', at) ? 2 : 1;
      if (at >= text.length) return rows;
      rows.push([]);
    }
  }
}

type Cell = { readonly text: string; readonly end: number };

const CELL_END = /[\t\n\r]/g;
const QUOTED = /"((?:[^"]|"")*)"(?=[\t\n\r]|$)/y;

function plainCell(text: string, from: number): Cell {
  CELL_END.lastIndex = from;
  const end = CELL_END.exec(text)?.index ?? text.length;
  return { text: text.slice(from, end), end };
}

function quotedCell(text: string, from: number): Cell | null {
  if (text[from] !== '"') return null;
  QUOTED.lastIndex = from;
  const found = QUOTED.exec(text);
  return found && { text: (found[1] ?? '').replaceAll('""', '"'), end: QUOTED.lastIndex };
}
