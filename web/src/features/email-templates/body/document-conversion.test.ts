import { TemplateDocument, type Block, type Inline } from '@forecourt/contract/email-templates';
import { getSchema } from '@tiptap/react';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyExtensions } from './body-extensions.ts';
import { fromEditor, toEditor } from './document-conversion.ts';

const schema = getSchema(bodyExtensions);

/** Through the editor's own schema, which refuses what does not fit and joins equal neighbours. */
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
const variable = fc
  .stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/)
  .chain((key) => withMarks({ type: 'variable' as const, key }));
const lineBreak = fc.constant({ type: 'lineBreak' as const });
const sameMarks = (a: Inline, b: Inline): boolean =>
  a.type === 'text' && b.type === 'text' && JSON.stringify(a.marks) === JSON.stringify(b.marks);
/** Two equal neighbours would be one text. */
const inlines = fc
  .array(fc.oneof(text, variable, lineBreak), { maxLength: 6 })
  .map((list: Inline[]) =>
    list.filter((inline, index) => index === 0 || !sameMarks(list[index - 1]!, inline)),
  );
const block: fc.Arbitrary<Block> = fc.oneof(
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
);
/** A last block that is no paragraph, so that none is left out. */
const bodies = fc
  .array(block, { maxLength: 6 })
  .map((blocks): TemplateDocument => ({ blocks: blocks.length === 0 ? [] : [...blocks, { type: 'rule' }] }));

test('what is stored comes back unchanged from the editor, and the contract accepts it', () => {
  fc.assert(
    fc.property(bodies, (document) => {
      const back = throughEditor(document);
      expect(back).toEqual(document);
      expect(TemplateDocument.safeParse(back).success).toBe(true);
    }),
  );
});

test('empty paragraphs stay between others and go at the end', () => {
  const empty: Block = { type: 'paragraph', content: [] };
  const full: Block = { type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] };
  expect(throughEditor({ blocks: [empty, full, empty, full, empty, empty] })).toEqual({
    blocks: [empty, full, empty, full],
  });
});

test('an empty list and an empty body become a place to type', () => {
  expect(throughEditor({ blocks: [{ type: 'bulletList', items: [] }] })).toEqual({ blocks: [] });
  expect(toEditor({ blocks: [] })).toEqual({ type: 'doc', content: [{ type: 'paragraph' }] });
});

test('marks come in the order of the schema, each once', () => {
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

test('a link that leads anywhere else is left out', () => {
  const script = {
    type: 'text',
    text: 'x',
    marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }],
  };
  expect(fromEditor({ type: 'doc', content: [{ type: 'paragraph', content: [script] }] })).toEqual({
    blocks: [{ type: 'paragraph', content: [{ type: 'text', text: 'x' }] }],
  });
});
