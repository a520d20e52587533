import type { SimpleBlock, TemplateDocument } from '@forecourt/contract/email-templates';

/** What a message with these values is made of: a conditional block gives way to what is in it, or to nothing. */
export const shownBlocks = ({ blocks }: TemplateDocument, values: Map<string, string>): SimpleBlock[] =>
  blocks.flatMap((block) => {
    if (block.type !== 'conditional') return [block];
    return (values.get(block.key) ?? '').trim() === '' ? [] : block.blocks;
  });
