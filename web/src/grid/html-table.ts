import type { TextTable } from './tsv.ts';

/** A cell of a copied table. Text is marked, so that a spreadsheet preserves '0042' and does not compute '=1+1'. */
export interface HtmlCell {
  readonly text: string;
  readonly isText: boolean;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Returns the table as HTML, which Excel, Google Sheets and mail programs read from the clipboard. */
export function formatHtmlTable(rows: readonly (readonly HtmlCell[])[]): string {
  const lines = rows.map((cells) => `<tr>${cells.map(htmlCell).join('')}</tr>`);
  return `<meta charset="utf-8"><table>${lines.join('')}</table>`;
}

function htmlCell({ text, isText }: HtmlCell): string {
  const escaped = text
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
    // HTML would collapse these spaces.
    .replaceAll(/\t| (?= )|^ | $/gm, '&nbsp;')
    .replaceAll(/\r\n|[\r\n]/g, '<br style="mso-data-placement:same-cell">');
  return isText ? `<td style="mso-number-format:'\\@'">${escaped}</td>` : `<td>${escaped}</td>`;
}

/** Limit of invalid column spans. */
const LARGEST_SPAN = 1000;

/**
 * Parses the first table of copied HTML, as Excel, Google Sheets, LibreOffice and web pages write it; null if there is
 * none. A merged cell is returned as its text followed by empty cells; hidden rows are omitted.
 */
export function parseHtmlTable(html: string): TextTable | null {
  if (!/<table[\s>]/i.test(html)) return null;
  // A document created by DOMParser runs no scripts and loads no resources.
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table');
  const trs = [...(table?.rows ?? [])].filter((row) => row.style.display !== 'none');
  if (trs.length === 0) return null;
  const rows: string[][] = trs.map(() => []);
  for (const [at, tr] of trs.entries()) {
    const row = rows[at] ?? [];
    let column = 0;
    for (const cell of tr.cells) {
      while (row[column] !== undefined) column += 1;
      const height = Math.min(cell.rowSpan || 1, trs.length - at);
      const width = Math.min(cell.colSpan || 1, LARGEST_SPAN);
      for (const below of rows.slice(at, at + height)) {
        for (let across = 0; across < width; across++) below[column + across] = '';
      }
      row[column] = textOf(cell)
        .replaceAll(/^[ \n]+|[ \n]+$/g, '')
        .replaceAll('\u00A0', ' ');
      column += width;
    }
  }
  return rows.map((row) => Array.from(row, (text) => text ?? ''));
}

/** Only elements are line breaks; line breaks of the source are spaces, because Excel wraps its source anywhere. */
function textOf(node: Node): string {
  let text = '';
  for (const child of node.childNodes) {
    if (child instanceof Text) text += child.data.replaceAll(/[ \t\r\n]+/g, ' ');
    else if (child.nodeName === 'BR') text = `${text.replace(/ +$/, '')}\n`;
    else if (child.nodeName === 'P' || child.nodeName === 'DIV')
      text += `${text === '' ? '' : '\n'}${textOf(child).trim()}`;
    else text += textOf(child);
  }
  return text.replaceAll('\n ', '\n');
}
