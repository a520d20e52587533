import type { Block, Inline, SimpleBlock, TemplateDocument } from '@forecourt/contract/email-templates';
import { PLACEHOLDER } from '@forecourt/contract/template-limits';

/** A piece of literal text, or the key of a variable. */
export type Piece = { text: string } | { key: string };

/**
 * Splits a text at its placeholders, in one linear pass: values are not scanned again (docs/product/email.md,
 * Templates; there is no template language).
 */
export function splitPlaceholders(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    pieces.push({ key: match[1]! });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

const keysIn = (text: string): string[] =>
  splitPlaceholders(text).flatMap((piece) => ('key' in piece ? [piece.key] : []));

const inlinesOf = (block: SimpleBlock): Inline[] => {
  if (block.type === 'rule' || block.type === 'image') return [];
  if (block.type === 'table')
    return block.rows.flatMap(({ cells }) => cells.flatMap(({ content }) => content));
  return 'items' in block ? block.items.flatMap((item) => item.content) : block.content;
};

const keysOfInline = (inline: Inline): string[] => {
  if (inline.type === 'variable') return [inline.key];
  return inline.type === 'text' ? keysIn(inline.text) : [];
};

const keysOfBlock = (block: Block): string[] =>
  block.type === 'conditional'
    ? [block.key, ...block.blocks.flatMap(keysOfBlock)]
    : inlinesOf(block).flatMap(keysOfInline);

/** Returns every key used in a subject and a document, without duplicates, in order. */
export const keysUsed = (subject: string, document: TemplateDocument) => ({
  subject: [...new Set(keysIn(subject))],
  document: [...new Set(document.blocks.flatMap(keysOfBlock))],
});
