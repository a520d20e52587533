import type { Block, Inline, SimpleBlock } from './email-templates.ts';
import { PLACEHOLDER } from './template-limits.ts';

/** Returns the keys written as `{{key}}` in a text, once per occurrence. */
export const keysInText = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, key]) => key ?? '');

const inlinesOf = (block: SimpleBlock): Inline[] => {
  if (block.type === 'rule' || block.type === 'image') return [];
  if (block.type === 'table')
    return block.rows.flatMap(({ cells }) => cells.flatMap(({ content }) => content));
  return 'items' in block ? block.items.flatMap(({ content }) => content) : block.content;
};

const keysOfInline = (inline: Inline): string[] => {
  if (inline.type === 'variable') return [inline.key];
  return inline.type === 'text' ? keysInText(inline.text) : [];
};

/** Returns the keys used in a block, once per occurrence, in reading order. */
export const keysOfBlock = (block: Block): string[] =>
  block.type === 'conditional'
    ? [block.key, ...block.blocks.flatMap(keysOfBlock)]
    : inlinesOf(block).flatMap(keysOfInline);
