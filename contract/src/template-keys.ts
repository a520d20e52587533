import type { Block, EmailTemplateInput, Inline, SimpleBlock } from './email-templates.ts';
import { PLACEHOLDER } from './template-limits.ts';

/** Returns the keys written as `{{key}}` in a text; a key that occurs twice is returned twice. */
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

/** Returns the keys used in a block in reading order; a key that occurs twice is returned twice. */
export const keysOfBlock = (block: Block): string[] =>
  block.type === 'conditional'
    ? [block.key, ...block.blocks.flatMap(keysOfBlock)]
    : inlinesOf(block).flatMap(keysOfInline);

/** Returns malformed placeholders, such as `{{name` or `{{ name }}`. */
const brokenIn = (text: string): string[] =>
  text.replaceAll(PLACEHOLDER, '\n').match(/\{\{[^{}\n]{0,40}\}{0,2}/g) ?? [];

const simpleBlocksOf = (block: Block): SimpleBlock[] =>
  block.type === 'conditional' ? block.blocks : [block];

/** Returns the addresses and descriptions of a block. Placeholders in them are not replaced. */
const unreplacedIn = (block: SimpleBlock): string[] => [
  ...(block.type === 'image' ? [block.alt] : []),
  ...(block.type === 'button' ? [block.href] : []),
  ...inlinesOf(block).flatMap((inline) =>
    'marks' in inline ? (inline.marks ?? []).flatMap((mark) => ('href' in mark ? [mark.href] : [])) : [],
  ),
];

const namesOf = (names: readonly string[]): string => [...new Set(names)].join(', ');
const areNot = (names: readonly string[]): string => (new Set(names).size === 1 ? 'is not' : 'are not');

type Content = Pick<EmailTemplateInput, 'subject' | 'document' | 'variables'>;

/** Returns the problems with placeholders that prevent a template from being active, with the field of each. */
export function placeholderProblems({ subject, document, variables }: Content) {
  const declared = new Set(variables.map(({ key }) => key));
  const blocks = document.blocks.flatMap(simpleBlocksOf);
  const texts = blocks.flatMap(inlinesOf).flatMap((inline) => (inline.type === 'text' ? [inline.text] : []));
  const problems: { field: 'subject' | 'document' | 'variables'; message: string }[] = [];
  const add = (field: (typeof problems)[number]['field'], names: readonly string[], what: string): void => {
    if (names.length > 0) problems.push({ field, message: `${namesOf(names)} ${areNot(names)} ${what}` });
  };
  const undeclared = (keys: readonly string[]): string[] =>
    keys.filter((key) => !declared.has(key)).map((key) => `{{${key}}}`);
  const asVariables = (keys: readonly string[]): string =>
    new Set(keys).size === 1 ? 'a declared variable' : 'declared variables';

  for (const [field, keys, written] of [
    ['subject', keysInText(subject), [subject]],
    ['document', document.blocks.flatMap(keysOfBlock), texts],
  ] as const) {
    const unknown = undeclared(keys);
    add(field, unknown, asVariables(unknown));
    add(field, written.flatMap(brokenIn), 'complete: a variable is written as {{key}}');
  }
  const braces = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => text.match(/\{\{[^{}]*\}{0,2}/g) ?? []);
  add(
    'document',
    braces(blocks.flatMap(unreplacedIn)),
    'replaced in a link or in the description of an image',
  );
  add('variables', braces(variables.map(({ defaultValue }) => defaultValue)), 'replaced in a default value');
  return problems;
}
