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

test('a conditional block is there when its variable has a value, and leaves no gap when it has none', () => {
  const document = documentOf(
    { type: 'paragraph', content: [text('Before')] },
    {
      type: 'conditional',
      key: 'notes',
      blocks: [
        { type: 'heading', level: 3, content: [text('Notes')] },
        { type: 'paragraph', content: [{ type: 'variable', key: 'notes' }] },
      ],
    },
    { type: 'paragraph', content: [text('After')] },
  );
  const textWith = (values: [string, string][]) => render({ subject: '', document }, new Map(values)).text;
  expect(textWith([['notes', 'Call late']])).toBe('Before\n\nNotes\n\nCall late\n\nAfter\n');
  for (const none of ['', '  \n'])
    expect(textWith([['notes', none]]), JSON.stringify(none)).toBe('Before\n\nAfter\n');
  expect(textWith([])).toBe('Before\n\nAfter\n');
  const { html } = render({ subject: '', document }, new Map([['notes', '']]));
  expect(bodyOf(html)).toBe('<p style="margin:0 0 16px">Before</p><p style="margin:0 0 16px">After</p>');
});

const buttonOf = (href: string, ...content: object[]) => documentOf({ type: 'button', href, content });
const withoutLinks = (html: string) => html.replaceAll(/<a href="[^"]*"/g, '<a');

test('a button is a table cell with both of its colours, and text with its address', () => {
  const document = buttonOf('https://example.com/offer?a=1&b=2', text('See '), {
    type: 'variable',
    key: 'what',
  });
  const { html, text: plain } = render({ subject: '', document }, new Map([['what', 'the <offer>']]));
  expect(bodyOf(html)).toBe(
    '<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px"><tbody><tr>' +
      '<td bgcolor="#1f4f8f" style="border-radius:6px;background-color:#1f4f8f;mso-padding-alt:12px 24px">' +
      '<a href="https://example.com/offer?a=1&amp;b=2" rel="noopener noreferrer" target="_blank" ' +
      'style="display:inline-block;padding:12px 24px;border-radius:6px;background-color:#1f4f8f;color:#ffffff;' +
      'font-weight:bold;text-decoration:none">See the &lt;offer&gt;</a></td></tr></tbody></table>',
  );
  expect(plain).toBe('See the <offer>: https://example.com/offer?a=1&b=2\n');
});

test('a button whose text comes to nothing shows its address', () => {
  const document = buttonOf('mailto:kim@example.com', text(' {{none}}\n'));
  const { html, text: plain } = render({ subject: '', document }, new Map([['none', '']]));
  expect(withoutLinks(html)).toContain('>kim@example.com</a>');
  expect(plain).toBe('kim@example.com\n');
});

const cell = (...content: object[]) => ({ content });
const tableOf = (hasHeader: boolean, ...rows: object[][]) => ({
  type: 'table',
  hasHeader,
  rows: rows.map((cells) => ({ cells })),
});

test('a table has lines that are seen in light and dark, and is text with bars', () => {
  const document = documentOf(
    tableOf(
      true,
      [cell(text('What')), cell(text('Price'))],
      [cell({ type: 'variable', key: 'item' }), cell(text('$5', [{ type: 'bold' }]))],
    ),
  );
  const { html, text: plain } = render({ subject: '', document }, new Map([['item', 'A\n<b>']]));
  const style = 'style="padding:6px 8px;border:1px solid #8c8c8c;text-align:left;vertical-align:top"';
  expect(bodyOf(html)).toBe(
    '<div style="margin:0 0 16px;overflow-x:auto"><table cellpadding="0" cellspacing="0" border="0" ' +
      'style="width:100%;border-collapse:collapse;font-size:15px;line-height:1.4;overflow-wrap:normal"><tbody>' +
      `<tr><th scope="col" ${style}>What</th><th scope="col" ${style}>Price</th></tr>` +
      `<tr><td ${style}>A<br>&lt;b&gt;</td><td ${style}><strong>$5</strong></td></tr></tbody></table></div>`,
  );
  expect(plain).toBe('What | Price\n----------\nA <b> | $5\n');
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
  expect(render({ subject: '', document: buttonOf(href, text('x')) }, new Map()).html).not.toContain('<a');
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
    { type: 'button', href: 'https://example.com', content: [{ type: 'variable', key: 'a' }, text('{{b}}')] },
    {
      type: 'conditional',
      key: 'c',
      blocks: [
        { type: 'paragraph', content: [text('{{a}}{{b}}')] },
        tableOf(true, [cell({ type: 'variable', key: 'a' })], [cell(text('{{b}}'))]),
      ],
    },
  );
  const harmless = tagsOf(
    render(
      { subject: '{{a}}', document },
      new Map([
        ['a', 'x'],
        ['b', 'y'],
        ['c', 'z'],
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
          ['c', 'z'],
        ]),
      );
      expect(tagsOf(html)!.filter((tag) => tag !== '<br>')).toEqual(harmless);
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(subject).not.toMatch(/[\u0000-\u001f\u007f]/);
    }),
  );
});

test('hostile words of the template itself never make or break a tag, in any place', () => {
  const documentWith = (words: string) =>
    documentOf(
      { type: 'button', href: 'https://example.com', content: [text(words)] },
      tableOf(true, [cell(text(words))], [cell(text(words, [{ type: 'bold' }]))]),
      { type: 'image', imageId: '01930000-0000-7000-8000-00000000ffff', alt: words, width: 100 },
    );
  const outline = (words: string) =>
    tagsOf(render({ subject: words, document: documentWith(words) }, new Map()).html)!
      .filter((tag) => tag !== '<br>')
      .map((tag) => tag.replace(/ alt="[^"<>]*"/, ''));
  const harmless = outline('x');
  fc.assert(
    fc.property(hostile, (words) => {
      expect(outline(words)).toEqual(harmless);
    }),
  );
});

test('256 KB of braces are read in one pass', () => {
  for (const words of [
    '{'.repeat(256 * 1024),
    '{{a'.repeat(87_000),
    '{{a}}}'.repeat(43_000),
    '}}{{'.repeat(65_000),
  ]) {
    const start = performance.now();
    render({ subject: words, document: withText(words) }, new Map([['a', 'x']]));
    // Where the work grew with the square of the length this would be minutes.
    expect(performance.now() - start).toBeLessThan(5000);
  }
});

test('a message that would grow beyond its limit is refused before it is built', () => {
  const start = performance.now();
  const many = () =>
    render({ subject: '', document: withText('{{a}}'.repeat(50_000)) }, new Map([['a', 'x'.repeat(5000)]]));
  expect(many).toThrow(TooLarge);
  expect(performance.now() - start).toBeLessThan(500);
});
