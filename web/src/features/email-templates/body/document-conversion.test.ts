import {
  TemplateDocument,
  type Block,
  type Inline,
  type SimpleBlock,
} from '@forecourt/contract/email-templates';
import { VARIABLE_KEY } from '@forecourt/contract/template-limits';
import { getSchema } from '@tiptap/react';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyExtensions } from './body-extensions.ts';
import { fromEditor, toEditor } from './document-conversion.ts';

type Unmarked = Extract<SimpleBlock, { type: 'button' }>['content'][number];

const schema = getSchema(bodyExtensions);

/** Through the editor's schema, which rejects invalid content and joins equal neighbours. */
function throughEditor(document: TemplateDocument): TemplateDocument {
  const node = schema.nodeFromJSON(toEditor(document));
  node.check();
  return fromEditor(node.toJSON());
}

const href = fc.constantFrom(
  'https://example.com/a?b=1',
  'http://example.com',
  'mailto:kim@example.com',
  'tel:0412345678',
);
const marks = fc
  .record({ link: fc.option(href), rest: fc.subarray(['bold', 'italic', 'strike', 'underline'] as const) })
  .map(({ link, rest }) => [
    ...(link === null ? [] : [{ type: 'link' as const, href: link }]),
    ...rest.map((type) => ({ type })),
  ]);
const withMarks = <T extends object>(inline: T) =>
  marks.map((given) => (given.length === 0 ? inline : { ...inline, marks: given }));
const text = fc
  .string({ minLength: 1, unit: 'grapheme' })
  .chain((words) => withMarks({ type: 'text' as const, text: words }));
const variableKey = fc.stringMatching(VARIABLE_KEY);
const variable = variableKey.chain((key) => withMarks({ type: 'variable' as const, key }));
const lineBreak = fc.constant({ type: 'lineBreak' as const });
const sameMarks = (a: Inline, b: Inline): boolean =>
  a.type === 'text' && b.type === 'text' && JSON.stringify(a.marks) === JSON.stringify(b.marks);
/** Two equal neighbours would be joined to one text. */
const inlines = fc
  .array(fc.oneof(text, variable, lineBreak), { maxLength: 6 })
  .map((list: Inline[]) =>
    list.filter((inline, index) => index === 0 || !sameMarks(list[index - 1]!, inline)),
  );
const exactly = <T>(length: number, of: fc.Arbitrary<T>) =>
  fc.array(of, { minLength: length, maxLength: length });
/** A button's text has no formats and no line breaks. */
const unmarked = (inline: Inline): Unmarked[] => {
  if (inline.type === 'lineBreak') return [];
  return inline.type === 'text'
    ? [{ type: 'text', text: inline.text }]
    : [{ type: 'variable', key: inline.key }];
};
const joined = (list: Unmarked[]): Unmarked[] =>
  list.filter(({ type }, index) => type !== 'text' || list[index - 1]?.type !== 'text');
const simpleBlock: fc.Arbitrary<SimpleBlock> = fc.oneof(
  inlines.map((content) => ({ type: 'paragraph' as const, content })),
  fc.record({
    type: fc.constant('heading' as const),
    level: fc.constantFrom(1 as const, 2 as const, 3 as const),
    content: inlines,
  }),
  fc.record({
    type: fc.constantFrom('bulletList' as const, 'orderedList' as const),
    items: fc.array(fc.record({ content: inlines }), { minLength: 1, maxLength: 4 }),
  }),
  fc.constant({ type: 'rule' as const }),
  fc
    .tuple(fc.boolean(), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }))
    .chain(([hasHeader, width, height]) =>
      fc.record({
        type: fc.constant('table' as const),
        hasHeader: fc.constant(hasHeader),
        rows: exactly(height, fc.record({ cells: exactly(width, fc.record({ content: inlines })) })),
      }),
    ),
  fc.record({
    type: fc.constant('image' as const),
    imageId: fc.uuid(),
    alt: fc.constantFrom('Logo', 'Café “Blue” & Söhne'),
    width: fc.integer({ min: 16, max: 568 }),
  }),
  fc.record({
    type: fc.constant('button' as const),
    href,
    content: inlines.map((list) => joined(list.flatMap(unmarked))),
  }),
);
/** A last block other than a paragraph, so that none is left out. */
const ended = <T>(blocks: T[]): (T | { type: 'rule' })[] =>
  blocks.length === 0 ? [] : [...blocks, { type: 'rule' }];
const conditional = fc.record({
  type: fc.constant('conditional' as const),
  key: variableKey,
  blocks: fc.array(simpleBlock, { maxLength: 3 }).map(ended),
});
const block: fc.Arbitrary<Block> = fc.oneof({ weight: 4, arbitrary: simpleBlock }, conditional);
const bodies = fc
  .array(block, { maxLength: 6 })
  .map((blocks): TemplateDocument => ({ blocks: ended(blocks) }));

test('a stored body is unchanged by the editor, and valid by the contract', () => {
  fc.assert(
    fc.property(bodies, (document) => {
      const back = throughEditor(document);
      expect(back).toEqual(document);
      expect(TemplateDocument.safeParse(back).success).toBe(true);
    }),
  );
});

test('empty paragraphs remain between others and are removed at the end', () => {
  const empty: Block = { type: 'paragraph', content: [] };
  const full: Block = { type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] };
  expect(throughEditor({ blocks: [empty, full, empty, full, empty, empty] })).toEqual({
    blocks: [empty, full, empty, full],
  });
});

test('an empty list and an empty body become an empty paragraph', () => {
  expect(throughEditor({ blocks: [{ type: 'bulletList', items: [] }] })).toEqual({ blocks: [] });
  expect(toEditor({ blocks: [] })).toEqual({ type: 'doc', content: [{ type: 'paragraph' }] });
});

test('marks are in the order of the schema, each once', () => {
  const marked = [{ type: 'underline' as const }, { type: 'bold' as const }, { type: 'bold' as const }];
  expect(
    throughEditor({ blocks: [{ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: marked }] }] }),
  ).toEqual({
    blocks: [
      {
        type: 'paragraph',
        content: [{ type: 'text', text: 'x', marks: [{ type: 'bold' }, { type: 'underline' }] }],
      },
    ],
  });
});

test('a link with another address is left out', () => {
  const script = {
    type: 'text',
    text: 'x',
    marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }],
  };
  expect(fromEditor({ type: 'doc', content: [{ type: 'paragraph', content: [script] }] })).toEqual({
    blocks: [{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }],
  });
});

test('a button with another address is left out, and its text has no formats', () => {
  const button = (to: string) => ({
    type: 'button',
    attrs: { href: to },
    content: [{ type: 'text', text: 'x', marks: [{ type: 'bold' }] }],
  });
  const [script, page] = ['javascript:alert(1)', 'https://example.com'];
  expect(fromEditor({ type: 'doc', content: [button(script), button(page)] })).toEqual({
    blocks: [{ type: 'button', href: page, content: [{ type: 'text', text: 'x' }] }],
  });
});
