import { firstCharacters } from '@forecourt/contract/characters';
import type { MessageNote } from '@forecourt/contract/email-sending';
import type { SimpleBlock, TemplateDocument } from '@forecourt/contract/email-templates';
import { oneLineText } from './escaping.ts';
import { renderHtml } from './html.ts';
import { fill, Output, type Values } from './output.ts';
import { withTables, type RenderedBlock, type Tables } from './table-of-deals.ts';
import { renderText } from './text.ts';

export { TooLarge } from './output.ts';

export type Rendered = { subject: string; html: string; text: string };

/** Maximum characters of a subject, so that it fits a header line. */
const MAX_SUBJECT = 300;

/**
 * Renders a message from its template, in linear time and without a template language (docs/product/email.md,
 * Templates). Every value is escaped for its context. Throws TooLarge.
 */
export function render(
  template: { subject: string; document: TemplateDocument },
  values: Values,
  tables: Tables = new Map(),
  note?: MessageNote,
): Rendered {
  const line = new Output();
  fill(line, template.subject, values, (text) => text);
  const subject = firstCharacters(oneLineText(line.toString()), MAX_SUBJECT);
  const body = withTables(shownBlocks(template.document, values), tables);
  const blocks = note ? withNote(body, note) : body;
  return { subject, html: renderHtml(blocks, values, subject), text: renderText(blocks, values) };
}

const withNote = (body: RenderedBlock[], { text, place }: MessageNote): RenderedBlock[] =>
  place === 'above' ? [{ type: 'note', text }, ...body] : [...body, { type: 'note', text }];

/** Returns the blocks to render with these values: a conditional block is replaced by its contents or removed. */
export const shownBlocks = ({ blocks }: TemplateDocument, values: Values): SimpleBlock[] =>
  blocks.flatMap((block) => {
    if (block.type !== 'conditional') return [block];
    return (values.get(block.key) ?? '').trim() === '' ? [] : block.blocks;
  });
