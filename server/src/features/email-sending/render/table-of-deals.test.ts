import type { TemplateDocument } from '@forecourt/contract/email-templates';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { render } from './render.ts';

const table = (...rows: string[][]) => new Map([['deals', { headings: ['Customer', 'Amount'], rows }]]);
const names = new Map([['deals', 'Ann, Bob']]);
const documentOf = (...blocks: object[]) => ({ blocks }) as TemplateDocument;
const variable = { type: 'variable', key: 'deals' };
const text = (content: string) => ({ type: 'text', text: content });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const tagsOf = (html: string) => html.match(/<[^>]*>?/g)!.filter((tag) => tag !== '<br>');

test('a table splits its paragraph; blank text around it is removed', () => {
  const document = documentOf(
    paragraph(text('Before '), variable, { type: 'lineBreak' }, text('after {{deals}}')),
  );
  const { html, text: plain } = render({ subject: '', document }, names, table(['Ann', '$1.00']));
  const row = '- Customer: Ann, Amount: $1.00';
  expect(plain).toBe(`Before \n\n${row}\n\nafter \n\n${row}\n`);
  expect(html.match(/<th /g)).toHaveLength(4);
  expect(html).not.toMatch(/<p [^>]*>[^<]*<table|<p [^>]*><\/p>/);
});

test('an empty paragraph without a table is preserved', () => {
  const { html } = render({ subject: '', document: documentOf(paragraph()) }, names, table(['Ann', '']));
  expect(html).toContain('<p style="margin:0 0 16px"></p>');
});

test('in single-line contexts a table becomes the names of the customers', () => {
  const document = documentOf({ type: 'heading', level: 2, content: [variable] });
  const { subject, text: plain } = render({ subject: '{{deals}}', document }, names, table(['Ann', '']));
  expect([subject, plain]).toEqual(['Ann, Bob', 'Ann, Bob\n']);
});

test('hostile cells never create or break a tag and are not expanded', () => {
  const document = documentOf(paragraph(variable));
  const tags = tagsOf(render({ subject: '', document }, names, table(['a', 'b'])).html);
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.constantFrom('<script>', '"><img src=x onerror=y>', '</td></table>', '{{deals}}', '&lt;', '<!--'),
  );
  fc.assert(
    fc.property(hostile, hostile, (one, other) => {
      const { html } = render({ subject: '', document }, names, table([one, other]));
      expect(tagsOf(html)).toEqual(tags);
      expect(html).not.toContain('Ann, Bob');
    }),
  );
});
