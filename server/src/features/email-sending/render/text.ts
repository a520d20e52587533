import type { Inline, SimpleBlock } from '@forecourt/contract/email-templates';
import { readableAddress, writeButtonText } from './button.ts';
import { linkTarget, oneLineText, plainText } from './escaping.ts';
import { writeImageText } from './image.ts';
import { fillInline, Output, type Values } from './output.ts';
import { writeTableText, type RenderedBlock } from './table-of-deals.ts';

type Table = Extract<SimpleBlock, { type: 'table' }>;

/** Renders the message as plain text: blocks separated by an empty line. */
export function renderText(blocks: RenderedBlock[], values: Values): string {
  const output = new Output();
  for (const [index, block] of blocks.entries()) {
    if (index > 0) output.write('\n\n');
    writeBlock(output, block, values);
  }
  output.write('\n');
  return output.toString();
}

function writeBlock(output: Output, block: RenderedBlock, values: Values): void {
  if (block.type === 'rule') return output.write('----------');
  if (block.type === 'button') return writeButtonText(output, block, values);
  if (block.type === 'note') return output.write(plainText(block.text));
  if (block.type === 'valueTable') return writeTableText(output, block);
  if (block.type === 'image') return writeImageText(output, block);
  if (block.type === 'table') return writeTable(output, block, values);
  if (!('items' in block)) return writeInlines(output, block.content, values);
  for (const [index, { content }] of block.items.entries()) {
    if (index > 0) output.write('\n');
    output.write(block.type === 'bulletList' ? '- ' : `${index + 1}. `);
    writeInlines(output, content, values);
  }
}

/** Writes a line per row, with bars between the cells. */
function writeTable(output: Output, { rows, hasHeader }: Table, values: Values): void {
  for (const [index, { cells }] of rows.entries()) {
    if (index > 0) output.write('\n');
    const line = cells.map(({ content }) => {
      const cell = new Output();
      writeInlines(cell, content, values);
      return oneLineText(cell.toString());
    });
    output.write(line.join(' | '));
    if (hasHeader && index === 0) output.write('\n----------');
  }
}

function writeInlines(output: Output, content: Inline[], values: Values): void {
  for (const inline of content) {
    if (inline.type === 'lineBreak') output.write('\n');
    else {
      fillInline(output, inline, values, plainText);
      output.write(targetBehind(inline));
    }
  }
}

/** Returns the target of a link unless the link text contains it. */
function targetBehind(inline: Exclude<Inline, { type: 'lineBreak' }>): string {
  const link = inline.marks?.find((mark) => mark.type === 'link');
  if (!link || linkTarget(link.href) === null) return '';
  const address = readableAddress(link.href);
  return inline.type === 'text' && inline.text.trim() === address ? '' : ` (${address})`;
}
