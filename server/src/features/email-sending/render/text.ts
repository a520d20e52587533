import type { Block, Inline, TemplateDocument } from '@forecourt/contract/email-templates';
import { linkTarget, plainText } from './escaping.ts';
import { fill, Output, valueOf } from './output.ts';

type Values = Map<string, string>;

/** The same message for those who read plain text: blocks with an empty line between them. */
export function renderText(document: TemplateDocument, values: Values): string {
  const output = new Output();
  for (const [index, block] of document.blocks.entries()) {
    if (index > 0) output.write('\n\n');
    writeBlock(output, block, values);
  }
  output.write('\n');
  return output.toString();
}

function writeBlock(output: Output, block: Block, values: Values): void {
  if (block.type === 'rule') return output.write('----------');
  if (!('items' in block)) return writeInlines(output, block.content, values);
  for (const [index, { content }] of block.items.entries()) {
    if (index > 0) output.write('\n');
    output.write(block.type === 'bulletList' ? '- ' : `${index + 1}. `);
    writeInlines(output, content, values);
  }
}

function writeInlines(output: Output, content: Inline[], values: Values): void {
  for (const inline of content) {
    if (inline.type === 'lineBreak') output.write('\n');
    else {
      if (inline.type === 'variable') output.write(plainText(valueOf(values, inline.key)));
      else fill(output, inline.text, values, plainText);
      output.write(targetBehind(inline));
    }
  }
}

/** Where a link leads, unless its own text says so. */
function targetBehind(inline: Exclude<Inline, { type: 'lineBreak' }>): string {
  const link = inline.marks?.find((mark) => mark.type === 'link');
  if (!link || linkTarget(link.href) === null) return '';
  const address = link.href.replace(/^(mailto|tel):/i, '');
  return inline.type === 'text' && inline.text.trim() === address ? '' : ` (${address})`;
}
