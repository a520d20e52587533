import type { SimpleBlock, TemplateDocument } from '@forecourt/contract/email-templates';
import { keysInText, keysOfBlock } from '@forecourt/contract/template-keys';
import { PLACEHOLDER } from '@forecourt/contract/template-limits';

export type Piece = { text: string } | { key: string };

/**
 * Splits a text at its placeholders in one linear pass. Values are not scanned again (docs/product/email.md, Templates;
 * there is no template language).
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

/** Returns all blocks of a document, including those inside conditionals. */
export const simpleBlocksOf = ({ blocks }: TemplateDocument): SimpleBlock[] =>
  blocks.flatMap((block) => (block.type === 'conditional' ? block.blocks : [block]));

/** Returns the keys used in a subject and a document in reading order, without duplicates. */
export const keysUsed = (subject: string, document: TemplateDocument) => ({
  subject: [...new Set(keysInText(subject))],
  document: [...new Set(document.blocks.flatMap(keysOfBlock))],
});
