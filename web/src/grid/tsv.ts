/** Rows of cells, in the clipboard format of spreadsheets. */
export type TextTable = readonly (readonly string[])[];

const SPECIAL = /["\t\n\r]/;

/** Formats as tab-separated rows; a cell with a tab, line end or quote is quoted, as in Excel. */
export function formatTsv(table: TextTable): string {
  const text = table.map((row) => row.map(quoted).join('\t')).join('\r\n');
  // The parser ignores a final line end, because spreadsheets write one. So an empty last row needs a line end of its
  // own.
  const endsEmpty = table.length > 1 && table.at(-1)?.join('\t') === '';
  return endsEmpty ? `${text}\r\n` : text;
}

const quoted = (cell: string): string => (SPECIAL.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/**
 * Parses tab-separated text. A quote is special only at the start of a cell and only if it is closed: '6" pipe' and
 * '"big' are plain texts. Rows may differ in length.
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
  const match = QUOTED.exec(text);
  return match && { text: (match[1] ?? '').replaceAll('""', '"'), end: QUOTED.lastIndex };
}
