import type {
  Block,
  Inline,
  TemplateDocument,
  TemplateVariable,
  TemplateVersionContent,
} from '@forecourt/contract/email-templates';
import { hashKey } from '@tanstack/react-query';
import { texts } from '../../texts/template-versions.ts';

/** Returns the content of a version as comparable texts, without formatting. */
export const versionTexts = ({ subject, document, variables }: TemplateVersionContent) => ({
  subject,
  body: bodyText(document),
  variables: variables.map(variableText).join('\n'),
});

/** Returns whether two versions with equal texts differ in formatting: bold words, for example. */
export const differsInForm = (before: TemplateVersionContent, after: TemplateVersionContent): boolean =>
  hashKey([before.document, before.variables]) !== hashKey([after.document, after.variables]);

const bodyText = ({ blocks }: TemplateDocument): string => blocks.flatMap(linesOf).join('\n');

function linesOf(block: Block): string[] {
  switch (block.type) {
    case 'paragraph':
      return [inlineText(block.content)];
    case 'heading':
      return [`${'#'.repeat(block.level)} ${inlineText(block.content)}`];
    case 'bulletList':
      return block.items.map(({ content }) => `• ${inlineText(content)}`);
    case 'orderedList':
      return block.items.map(({ content }, index) => `${index + 1}. ${inlineText(content)}`);
    case 'rule':
      return ['———'];
    case 'conditional':
      return [texts.onlyWith(block.key), ...block.blocks.flatMap(linesOf).map((line) => `    ${line}`)];
    case 'button':
      return [`[${inlineText(block.content)}] (${block.href})`];
    case 'table':
      return block.rows.map(({ cells }) => cells.map(({ content }) => inlineText(content)).join(' | '));
    case 'image':
      break;
  }
  return [texts.image(block.alt)];
}

const inlineText = (content: readonly Inline[]): string => content.map(wordsOf).join('');

function wordsOf(inline: Inline): string {
  if (inline.type === 'lineBreak') return '\n';
  const words = inline.type === 'variable' ? `{{${inline.key}}}` : inline.text;
  const link = inline.marks?.find((mark) => mark.type === 'link');
  return link ? `${words} (${link.href})` : words;
}

const variableText = ({ key, label, linkedData, defaultValue, required }: TemplateVariable): string =>
  [
    `{{${key}}} ${label}`,
    linkedData ? texts.filledFrom(linkedData) : '',
    defaultValue ? texts.byDefault(defaultValue) : '',
    required ? texts.required : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
