import type { Inline, SimpleBlock } from '@forecourt/contract/email-templates';
import { splitPlaceholders } from '../../email-templates/email-templates.service.ts';
import type { ValueTable } from '../variables.ts';
import { htmlText, plainText } from './escaping.ts';
import type { Output } from './output.ts';
import { writeTable } from './table.ts';

export type Tables = ReadonlyMap<string, ValueTable>;

/** A block without conditions. Tables of values and the sender's note are blocks of their own. */
export type RenderedBlock =
  | SimpleBlock
  | ({ type: 'valueTable' } & ValueTable)
  | { type: 'note'; text: string };

/** Splits paragraphs at variables that are tables, so that each table is a block. Elsewhere they are text. */
export const withTables = (blocks: SimpleBlock[], tables: Tables): RenderedBlock[] =>
  tables.size === 0
    ? blocks
    : blocks.flatMap((block) =>
        block.type === 'paragraph' ? splitAtTables(block.content, tables) : [block],
      );

function splitAtTables(content: Inline[], tables: Tables): RenderedBlock[] {
  const parts: RenderedBlock[] = [];
  let line: Inline[] = [];
  const endLine = (): void => {
    const [from, to] = [line.findIndex(isNotBlank), line.findLastIndex(isNotBlank)];
    if (from >= 0) parts.push({ type: 'paragraph', content: line.slice(from, to + 1) });
    line = [];
  };
  for (const inline of content.flatMap(pieces)) {
    const table = inline.type === 'variable' ? tables.get(inline.key) : undefined;
    if (!table) {
      line.push(inline);
      continue;
    }
    endLine();
    parts.push({ type: 'valueTable', ...table });
  }
  if (parts.length === 0) return [{ type: 'paragraph', content }];
  endLine();
  return parts;
}

/** Splits a text at placeholders that were typed instead of inserted. */
function pieces(inline: Inline): Inline[] {
  if (inline.type !== 'text') return [inline];
  const { text: _text, ...rest } = inline;
  return splitPlaceholders(inline.text).map((piece) =>
    'key' in piece ? { ...rest, type: 'variable', key: piece.key } : { ...rest, text: piece.text },
  );
}

const isNotBlank = (inline: Inline): boolean =>
  inline.type === 'variable' || (inline.type === 'text' && inline.text.trim() !== '');

export const writeTableHtml = (output: Output, { headings, rows }: ValueTable): void =>
  writeTable(output, [headings, ...rows], true, (cell) => output.write(htmlText(cell)));

/** Writes a line per row: `- Customer: Ann Example, Deal number: 17`. */
export function writeTableText(output: Output, { headings, rows }: ValueTable): void {
  for (const [index, row] of rows.entries()) {
    if (index > 0) output.write('\n');
    const cells = row.flatMap((text, at) => (text === '' ? [] : [`${headings[at]}: ${text}`]));
    output.write(`- ${plainText(cells.join(', '))}`);
  }
}
