import type { SimpleBlock, TemplateDocument } from '@forecourt/contract/email-templates';

/** Returns all blocks of a document, also conditional ones. */
export const simpleBlocksOf = ({ blocks }: TemplateDocument): SimpleBlock[] =>
  blocks.flatMap((block) => (block.type === 'conditional' ? block.blocks : [block]));
