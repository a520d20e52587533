import type { SimpleBlock, TemplateDocument } from '@forecourt/contract/email-templates';

/** All blocks of a document, also those that are shown only when a variable has a value. */
export const simpleBlocksOf = ({ blocks }: TemplateDocument): SimpleBlock[] =>
  blocks.flatMap((block) => (block.type === 'conditional' ? block.blocks : [block]));
