import type { Block, Inline, SimpleBlock, TemplateDocument } from '@forecourt/contract/email-templates';

/** `{{key}}` with the shape of a variable's key; anything else between braces is ordinary text. */
const PLACEHOLDER = /\{\{([a-zA-Z][a-zA-Z0-9]{0,39})\}\}/g;

/** A stretch of text as it is typed, or the key of a variable that stands there. */
export type Piece = { text: string } | { key: string };

/**
 * Cuts a text at its placeholders, once and in linear time: what a value holds is never read again
 * (product.md section 6; there is no template language).
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

/** Every key that a subject and a document name, each once, in reading order. */
export const keysUsed = (subject: string, document: TemplateDocument) => ({
  subject: [...new Set(keysIn(subject))],
  document: [...new Set(document.blocks.flatMap(keysOfBlock))],
});
