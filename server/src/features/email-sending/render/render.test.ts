import type { TemplateDocument } from '@forecourt/contract/email-templates';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkTarget } from './escaping.ts';
import { render, TooLarge } from './render.ts';

const text = (words: string, marks?: object[]) =>
  ({ type: 'text', text: words, ...(marks && { marks }) }) as const;
const documentOf = (...blocks: object[]) => ({ blocks }) as TemplateDocument;
const withText = (words: string) => documentOf({ type: 'paragraph', content: [text(words)] });
const bodyOf = (html: string) => /<td [^>]*>(.*)<\/td>/s.exec(html)![1]!;
const tagsOf = (html: string) => html.match(/<[^>]*>?/g);

test('a whole document becomes HTML and plain text', () => {
  const {
    subject,
    html,
    text: plain,
  } = render(
    {
      subject: 'Deal {{no}}',
      document: documentOf(
        { type: 'heading', level: 1, content: [text('Hello {{name}}')] },
        {
          type: 'paragraph',
          content: [
            text('See ', [{ type: 'bold' }]),
            text('the site', [{ type: 'italic' }, { type: 'link', href: 'https://example.com/?a=1&b=2' }]),
            { type: 'lineBreak' },
            { type: 'variable', key: 'notes' },
          ],
        },
        { type: 'orderedList', items: [{ content: [text('one')] }, { content: [text('two')] }] },
        { type: 'bulletList', items: [{ content: [text('dot')] }] },
        { type: 'rule' },
      ),
    },
    new Map([
      ['no', '7'],
      ['name', 'Ann & Bob'],
      ['notes', 'first\nsecond'],
    ]),
  );
  expect(subject).toBe('Deal 7');
  expect(bodyOf(html)).toBe(
    '<h1 style="margin:0 0 12px;font-size:24px;line-height:1.3">Hello Ann &amp; Bob</h1>' +
      '<p style="margin:0 0 16px"><strong>See </strong><em>' +
      '<a href="https://example.com/?a=1&amp;b=2" rel="noopener noreferrer" target="_blank">the site</a></em>' +
      '<br>first<br>second</p>' +
      '<ol style="margin:0 0 16px;padding:0 0 0 24px"><li style="margin:0 0 4px">one</li><li style="margin:0 0 4px">two</li></ol>' +
      '<ul style="margin:0 0 16px;padding:0 0 0 24px"><li style="margin:0 0 4px">dot</li></ul>' +
      '<hr style="border:0;border-top:1px solid;opacity:0.3;margin:16px 0">',
  );
  expect(plain).toBe(
    'Hello Ann & Bob\n\nSee the site (https://example.com/?a=1&b=2)\nfirst\nsecond\n\n1. one\n2. two\n\n- dot\n\n----------\n',
  );
});

test('one table and no colours: dark and light are the mail program’s own', () => {
  const { html } = render({ subject: 's', document: withText('x') }, new Map());
  expect(html.match(/<table/g)).toHaveLength(1);
  expect(html).toContain('max-width:600px');
  expect(html).not.toMatch(/[^-]color:|background|<style|<script|url\(/);
});

test('what a value holds is not read again', () => {
  const values = new Map([
    ['a', '{{b}}'],
    ['b', 'secret'],
  ]);
  expect(render({ subject: '{{a}}', document: withText('{{a}}') }, values)).toMatchObject({
    subject: '{{b}}',
    text: '{{b}}\n',
  });
});

test('a placeholder without a variable stays as it is typed', () => {
  expect(
    render({ subject: '{{nope}} {{ a }} {{}}', document: withText('x') }, new Map([['a', '1']])).subject,
  ).toBe('{{nope}} {{ a }} {{}}');
});

test('a subject is one line whatever the values hold', () => {
  const values = new Map([['a', 'x\r\nBcc: thief@example.com\u0000\u2028y']]);
  expect(render({ subject: 'Hi {{a}}', document: withText('x') }, values).subject).toBe(
    'Hi x Bcc: thief@example.com y',
  );
});

test('a long subject is cut between characters', () => {
  const values = new Map([['a', `${'x'.repeat(296)}😀😀 tail`]]);
  const { subject } = render({ subject: 'Hi {{a}}', document: withText('x') }, values);
  expect(subject).toBe(`Hi ${'x'.repeat(296)}😀`);
});

test('what no database takes is left out of every form: NUL and half characters', () => {
  const values = new Map([['a', 'x\u0000\ud83dy\udc00']]);
  const {
    subject,
    html,
    text: plain,
  } = render({ subject: '{{a}}', document: withText('{{a}}\ud83d') }, values);
  expect({ subject, body: bodyOf(html), plain }).toEqual({
    subject: 'xy',
    body: '<p style="margin:0 0 16px">xy</p>',
    plain: 'xy\n',
  });
});

test.each([
  'javascript:alert(1)',
  'JAVASCRIPT:x',
  'data:text/html,x',
  ' https://x',
  'https://x" onclick="y',
  'vbscript:x',
  '//x',
  'https://a\nb',
])('a link to %j leads nowhere', (href) => {
  expect(linkTarget(href)).toBeNull();
  const { html } = render(
    {
      subject: '',
      document: documentOf({ type: 'paragraph', content: [text('x', [{ type: 'link', href }])] }),
    },
    new Map(),
  );
  expect(html).not.toContain('<a');
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.stringMatching(/^[<>"'&/{}=\r\n a-z]{0,80}$/),
  fc.constantFrom(
    '<script>',
    '"><img src=x onerror=y>',
    "' onmouseover='x",
    '</td></table>',
    '{{a}}',
    '&lt;',
    '<!--',
    ']]>',
  ),
);

test('hostile values never make or break a tag, in any place', () => {
  const document = documentOf(
    { type: 'heading', level: 2, content: [{ type: 'variable', key: 'a' }, text('{{b}}')] },
    {
      type: 'paragraph',
      content: [text('{{a}}', [{ type: 'bold' }, { type: 'link', href: 'mailto:a@b.example' }])],
    },
    {
      type: 'bulletList',
      items: [{ content: [{ type: 'variable', key: 'b', marks: [{ type: 'strike' }] }] }],
    },
  );
  const harmless = tagsOf(
    render(
      { subject: '{{a}}', document },
      new Map([
        ['a', 'x'],
        ['b', 'y'],
      ]),
    ).html,
  );
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      const { html, subject } = render(
        { subject: '{{a}}{{b}}', document },
        new Map([
          ['a', a],
          ['b', b],
        ]),
      );
      expect(tagsOf(html)!.filter((tag) => tag !== '<br>')).toEqual(harmless);
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(subject).not.toMatch(/[\u0000-\u001f\u007f]/);
    }),
  );
});

test('256 KB of braces take milliseconds', () => {
  for (const words of [
    '{'.repeat(256 * 1024),
    '{{a'.repeat(87_000),
    '{{a}}}'.repeat(43_000),
    '}}{{'.repeat(65_000),
  ]) {
    const start = performance.now();
    render({ subject: words, document: withText(words) }, new Map([['a', 'x']]));
    expect(performance.now() - start).toBeLessThan(250);
  }
});

test('a message that would grow beyond its limit is refused before it is built', () => {
  const start = performance.now();
  const many = () =>
    render({ subject: '', document: withText('{{a}}'.repeat(50_000)) }, new Map([['a', 'x'.repeat(5000)]]));
  expect(many).toThrow(TooLarge);
  expect(performance.now() - start).toBeLessThan(500);
});
