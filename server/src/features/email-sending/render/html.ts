import type { Inline } from '@forecourt/contract/email-templates';
import { writeButtonHtml } from './button.ts';
import { attribute, htmlText, linkTarget } from './escaping.ts';
import { writeImageHtml } from './image.ts';
import { fillInline, Output, type Values } from './output.ts';
import { writeTableHtml, type RenderedBlock } from './table-of-deals.ts';
import { writeTable } from './table.ts';

type Mark = NonNullable<Extract<Inline, { type: 'text' }>['marks']>[number];

const MARK_TAGS = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' } as const;
const HEADING_SIZES = { 1: 24, 2: 20, 3: 17 } as const;

/**
 * Renders one table of at most 600 px, which fits a phone. It sets no text colours, so that light and dark mode of the
 * mail program stay readable.
 */
export function renderHtml(blocks: RenderedBlock[], values: Values, title: string): string {
  const output = new Output();
  output.write(
    '<!doctype html><html lang="en-AU"><head><meta charset="utf-8">' +
      '<meta name="viewport" content="width=device-width, initial-scale=1">' +
      '<meta name="color-scheme" content="light dark">' +
      `<title>${attribute(title)}</title></head><body style="margin:0;padding:0">` +
      '<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" border="0" ' +
      'style="width:100%;max-width:600px;margin:0 auto"><tbody><tr><td style="padding:16px;' +
      'font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5;overflow-wrap:anywhere">',
  );
  for (const block of blocks) writeBlock(output, block, values);
  output.write('</td></tr></tbody></table></body></html>');
  return output.toString();
}

function writeBlock(output: Output, block: RenderedBlock, values: Values): void {
  switch (block.type) {
    case 'paragraph':
      return writeElement(output, 'p', 'margin:0 0 16px', block.content, values);
    case 'heading': {
      const size = HEADING_SIZES[block.level];
      return writeElement(
        output,
        `h${block.level}`,
        `margin:0 0 12px;font-size:${size}px;line-height:1.3`,
        block.content,
        values,
      );
    }
    case 'bulletList':
    case 'orderedList': {
      const tag = block.type === 'bulletList' ? 'ul' : 'ol';
      output.write(`<${tag} style="margin:0 0 16px;padding:0 0 0 24px">`);
      for (const { content } of block.items) writeElement(output, 'li', 'margin:0 0 4px', content, values);
      return output.write(`</${tag}>`);
    }
    case 'button':
      return writeButtonHtml(output, block, values);
    case 'table':
      return writeTable(
        output,
        block.rows.map(({ cells }) => cells),
        block.hasHeader,
        ({ content }) => writeInlines(output, content, values),
      );
    case 'note':
      return output.write(`<p style="margin:0 0 16px">${htmlText(block.text)}</p>`);
    case 'valueTable':
      return writeTableHtml(output, block);
    case 'image':
      return writeImageHtml(output, block);
    case 'rule':
      return output.write('<hr style="border:0;border-top:1px solid;opacity:0.3;margin:16px 0">');
  }
}

function writeElement(output: Output, tag: string, style: string, content: Inline[], values: Values): void {
  output.write(`<${tag} style="${style}">`);
  writeInlines(output, content, values);
  output.write(`</${tag}>`);
}

function writeInlines(output: Output, content: Inline[], values: Values): void {
  for (const inline of content) writeInline(output, inline, values);
}

function writeInline(output: Output, inline: Inline, values: Values): void {
  if (inline.type === 'lineBreak') return output.write('<br>');
  const tags = (inline.marks ?? []).map(tagsOf);
  for (const { opening } of tags) output.write(opening);
  fillInline(output, inline, values, htmlText);
  for (const { closing } of tags.toReversed()) output.write(closing);
}

function tagsOf(mark: Mark): { opening: string; closing: string } {
  if (mark.type !== 'link') {
    const tag = MARK_TAGS[mark.type];
    return { opening: `<${tag}>`, closing: `</${tag}>` };
  }
  const target = linkTarget(mark.href);
  return target === null
    ? { opening: '', closing: '' }
    : { opening: `<a href="${target}" rel="noopener noreferrer" target="_blank">`, closing: '</a>' };
}
