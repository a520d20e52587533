import type { Output } from './output.ts';

/** A grey that is visible on white and on black. */
const CELL = 'padding:6px 8px;border:1px solid #8c8c8c;text-align:left;vertical-align:top';

/**
 * Writes a table with inline styles. Words are not broken: on a narrow phone the table scrolls, or the mail program
 * zooms out.
 * @param writeCell writes the contents of a cell
 */
export function writeTable<Cell>(
  output: Output,
  rows: readonly (readonly Cell[])[],
  hasHeader: boolean,
  writeCell: (cell: Cell) => void,
): void {
  output.write(
    '<div style="margin:0 0 16px;overflow-x:auto"><table cellpadding="0" cellspacing="0" border="0" ' +
      'style="width:100%;border-collapse:collapse;font-size:15px;line-height:1.4;overflow-wrap:normal"><tbody>',
  );
  for (const [index, cells] of rows.entries()) {
    const isHeader = hasHeader && index === 0;
    const [opening, closing] = isHeader
      ? [`<th scope="col" style="${CELL}">`, '</th>']
      : [`<td style="${CELL}">`, '</td>'];
    output.write('<tr>');
    for (const cell of cells) {
      output.write(opening);
      writeCell(cell);
      output.write(closing);
    }
    output.write('</tr>');
  }
  output.write('</tbody></table></div>');
}
