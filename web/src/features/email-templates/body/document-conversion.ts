import type { Block, Inline, SimpleBlock, TemplateDocument } from '@forecourt/contract/email-templates';
import { LINK_ADDRESS } from '@forecourt/contract/template-limits';
import type { JSONContent } from '@tiptap/react';

/** The order is that of the editor's schema. */
const MARKS = ['link', 'bold', 'italic', 'strike', 'underline'] as const;

type Mark = NonNullable<Extract<Inline, { type: 'text' }>['marks']>[number];
type Table = Extract<SimpleBlock, { type: 'table' }>;
type EditorMark = NonNullable<JSONContent['marks']>[number];

/** Converts a stored body to the editor's format. Adds a block to type in if there is none, and removes empty lists. */
export function toEditor({ blocks }: TemplateDocument): JSONContent {
  return { type: 'doc', content: orEmptyParagraph(blocks.flatMap(blockToEditor)) };
}

/** Converts the editor's content to the stored format. Omits empty paragraphs at the end, which the editor adds. */
export function fromEditor({ content = [] }: JSONContent): TemplateDocument {
  return { blocks: withoutEmptyEnd(content.flatMap(blockFromEditor)) };
}

const orEmptyParagraph = (content: JSONContent[]): JSONContent[] =>
  content.length === 0 ? [{ type: 'paragraph' }] : content;

function withoutEmptyEnd<T extends Block>(blocks: readonly T[]): T[] {
  const end = blocks.findLastIndex((block) => block.type !== 'paragraph' || block.content.length > 0);
  return blocks.slice(0, end + 1);
}

function blockToEditor(block: Block): JSONContent[] {
  if (block.type !== 'conditional') return simpleBlockToEditor(block);
  const content = orEmptyParagraph(block.blocks.flatMap(simpleBlockToEditor));
  return [{ type: 'conditional', attrs: { key: block.key }, content }];
}

function simpleBlockToEditor(block: SimpleBlock): JSONContent[] {
  if (block.type === 'rule') return [{ type: 'horizontalRule' }];
  if (block.type === 'paragraph') return [{ type: 'paragraph', ...inlinesToEditor(block.content) }];
  if (block.type === 'heading') {
    return [{ type: 'heading', attrs: { level: block.level }, ...inlinesToEditor(block.content) }];
  }
  if (block.type === 'button') {
    return [{ type: 'button', attrs: { href: block.href }, ...inlinesToEditor(block.content) }];
  }
  if (block.type === 'table') return [tableToEditor(block)];
  if (block.type === 'image') {
    const { imageId, alt, width } = block;
    return [{ type: 'image', attrs: { imageId, alt, width } }];
  }
  const content = block.items.map((item) => ({
    type: 'listItem',
    content: [{ type: 'paragraph', ...inlinesToEditor(item.content) }],
  }));
  return content.length === 0 ? [] : [{ type: block.type, content }];
}

const tableToEditor = ({ rows, hasHeader }: Table): JSONContent => ({
  type: 'table',
  content: rows.map(({ cells }, index) => ({
    type: 'tableRow',
    content: cells.map((cell) => ({
      type: hasHeader && index === 0 ? 'tableHeader' : 'tableCell',
      content: [{ type: 'paragraph', ...inlinesToEditor(cell.content) }],
    })),
  })),
});

const inlinesToEditor = (inlines: readonly Inline[]): { content?: JSONContent[] } =>
  inlines.length === 0 ? {} : { content: inlines.map(inlineToEditor) };

function inlineToEditor(inline: Inline): JSONContent {
  if (inline.type === 'lineBreak') return { type: 'hardBreak' };
  if (inline.type === 'text') return { type: 'text', text: inline.text, ...marksToEditor(inline.marks) };
  return { type: 'variable', attrs: { key: inline.key }, ...marksToEditor(inline.marks) };
}

function marksToEditor(marks: readonly Mark[] = []): { marks?: EditorMark[] } {
  const known = MARKS.flatMap((type): EditorMark[] => {
    const mark = marks.find((candidate) => candidate.type === type);
    if (mark === undefined) return [];
    return [mark.type === 'link' ? { type, attrs: { href: mark.href } } : { type }];
  });
  return known.length === 0 ? {} : { marks: known };
}

function blockFromEditor(node: JSONContent): Block[] {
  if (node.type !== 'conditional') return simpleBlockFromEditor(node);
  const blocks = withoutEmptyEnd((node.content ?? []).flatMap(simpleBlockFromEditor));
  return [{ type: 'conditional', key: String(node.attrs?.['key']), blocks }];
}

function simpleBlockFromEditor({ type, attrs, content = [] }: JSONContent): SimpleBlock[] {
  if (type === 'horizontalRule') return [{ type: 'rule' }];
  if (type === 'paragraph') return [{ type, content: inlinesFromEditor(content) }];
  if (type === 'heading') {
    return [{ type, level: levelOf(attrs?.['level']), content: inlinesFromEditor(content) }];
  }
  if (type === 'button') return buttonFromEditor(String(attrs?.['href']), content);
  if (type === 'image') return imageFromEditor(attrs);
  if (type === 'table') return [tableFromEditor(content)];
  if (type !== 'bulletList' && type !== 'orderedList') return [];
  return [
    { type, items: content.map((item) => ({ content: inlinesFromEditor(item.content?.[0]?.content) })) },
  ];
}

function tableFromEditor(rows: readonly JSONContent[]): Table {
  const hasHeader = rows[0]?.content?.every(({ type }) => type === 'tableHeader') ?? false;
  const cellsOf = (row: JSONContent) => (row.content ?? []).map((cell) => ({ content: linesOf(cell) }));
  return { type: 'table', hasHeader, rows: rows.map((row) => ({ cells: cellsOf(row) })) };
}

const imageFromEditor = (attrs: JSONContent['attrs']): SimpleBlock[] => [
  {
    type: 'image',
    imageId: String(attrs?.['imageId']),
    alt: String(attrs?.['alt']),
    width: Number(attrs?.['width']),
  },
];

const linesOf = ({ content = [] }: JSONContent): Inline[] =>
  content.flatMap((paragraph, index) => [
    ...(index === 0 ? [] : [{ type: 'lineBreak' as const }]),
    ...inlinesFromEditor(paragraph.content),
  ]);

/** Omits formats, which pasted content may have, because the text of a button has none. */
function buttonFromEditor(href: string, nodes: readonly JSONContent[]): SimpleBlock[] {
  const content = inlinesFromEditor(nodes).flatMap((inline) => {
    if (inline.type === 'lineBreak') return [];
    const { marks: _, ...plain } = inline;
    return [plain];
  });
  return LINK_ADDRESS.test(href) ? [{ type: 'button', href, content }] : [];
}

const levelOf = (level: unknown): 1 | 2 | 3 => (level === 1 || level === 2 ? level : 3);

const inlinesFromEditor = (nodes: readonly JSONContent[] = []): Inline[] => nodes.flatMap(inlineFromEditor);

function inlineFromEditor({ type, text = '', attrs, marks }: JSONContent): Inline[] {
  if (type === 'text') return [{ type, text, ...marksFromEditor(marks) }];
  if (type === 'variable') return [{ type, key: String(attrs?.['key']), ...marksFromEditor(marks) }];
  return type === 'hardBreak' ? [{ type: 'lineBreak' }] : [];
}

function marksFromEditor(marks: readonly EditorMark[] = []): { marks?: Mark[] } {
  const known = MARKS.flatMap((type): Mark[] => {
    const mark = marks.find((candidate) => candidate.type === type);
    if (mark === undefined) return [];
    if (type !== 'link') return [{ type }];
    const href: unknown = mark.attrs?.['href'];
    return typeof href === 'string' && LINK_ADDRESS.test(href) ? [{ type, href }] : [];
  });
  return known.length === 0 ? {} : { marks: known };
}
