import type { SimpleBlock, TemplateDocument } from '@forecourt/contract/email-templates';

/** Returns the blocks of a message with these values: a conditional block is replaced by its contents, or removed. */
export const shownBlocks = ({ blocks }: TemplateDocument, values: Map<string, string>): SimpleBlock[] =>
  blocks.flatMap((block) => {
    if (block.type !== 'conditional') return [block];
    return (values.get(block.key) ?? '').trim() === '' ? [] : block.blocks;
  });
