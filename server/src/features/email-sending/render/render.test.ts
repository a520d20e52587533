import type { TemplateDocument } from '@forecourt/contract/email-templates';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ABSENT_ID } from '../../../../test/builders.ts';
import { linkTarget } from './escaping.ts';
import { render, TooLarge } from './render.ts';

const text = (content: string, marks?: object[]) =>
  ({ type: 'text', text: content, ...(marks && { marks }) }) as const;
const documentOf = (...blocks: object[]) => ({ blocks }) as TemplateDocument;
const withText = (content: string) => documentOf({ type: 'paragraph', content: [text(content)] });
const bodyOf = (html: string) => /<td [^>]*>(.*)<\/td>/s.exec(html)![1]!;
const tagsOf = (html: string) => html.match(/<[^>]*>?/g);

test('renders a whole document as HTML and plain text', () => {
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

test('renders one table without colours, for light and dark mail programs', () => {
  const { html } = render({ subject: 's', document: withText('x') }, new Map());
  expect(html.match(/<table/g)).toHaveLength(1);
  expect(html).toContain('max-width:600px');
  expect(html).not.toMatch(/[^-]color:|background|<style|<script|url\(/);
});

test('renders a conditional block when its variable has a value, without a gap otherwise', () => {
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

test('renders a button as a table cell with both colours, and as text with its address', () => {
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

test('renders the address of a button with an empty text', () => {
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

test('renders a table with borders visible in light and dark, and as text with bars', () => {
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

test('the renderer does not expand placeholders in values', () => {
  const values = new Map([
    ['a', '{{b}}'],
    ['b', 'secret'],
  ]);
  expect(render({ subject: '{{a}}', document: withText('{{a}}') }, values)).toMatchObject({
    subject: '{{b}}',
    text: '{{b}}\n',
  });
});

test('the renderer leaves a placeholder without a variable unchanged', () => {
  expect(
    render({ subject: '{{nope}} {{ a }} {{}}', document: withText('x') }, new Map([['a', '1']])).subject,
  ).toBe('{{nope}} {{ a }} {{}}');
});

test('renders the subject as one line for any values', () => {
  const values = new Map([['a', 'x\r\nBcc: thief@example.com\u0000\u2028y']]);
  expect(render({ subject: 'Hi {{a}}', document: withText('x') }, values).subject).toBe(
    'Hi x Bcc: thief@example.com y',
  );
});

test('truncates a long subject between characters', () => {
  const values = new Map([['a', `${'x'.repeat(296)}😀😀 tail`]]);
  const { subject } = render({ subject: 'Hi {{a}}', document: withText('x') }, values);
  expect(subject).toBe(`Hi ${'x'.repeat(296)}😀`);
});

test('the renderer removes NUL and lone surrogates, which a database rejects', () => {
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
])('the renderer does not render a link to %j', (href) => {
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

test('hostile values never create or break a tag, in any place', () => {
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

test('hostile text of the template itself never creates or breaks a tag, in any place', () => {
  const documentWith = (content: string) =>
    documentOf(
      { type: 'button', href: 'https://example.com', content: [text(content)] },
      tableOf(true, [cell(text(content))], [cell(text(content, [{ type: 'bold' }]))]),
      { type: 'image', imageId: ABSENT_ID, alt: content, width: 100 },
    );
  const outline = (content: string) =>
    tagsOf(render({ subject: content, document: documentWith(content) }, new Map()).html)!
      .filter((tag) => tag !== '<br>')
      .map((tag) => tag.replace(/ alt="[^"<>]*"/, ''));
  const harmless = outline('x');
  fc.assert(
    fc.property(hostile, (content) => {
      expect(outline(content)).toEqual(harmless);
    }),
  );
});

test('the renderer parses 256 KB of braces in one pass', () => {
  for (const content of [
    '{'.repeat(256 * 1024),
    '{{a'.repeat(87_000),
    '{{a}}}'.repeat(43_000),
    '}}{{'.repeat(65_000),
  ]) {
    // With quadratic time this would take minutes: longer than the limit of a test.
    const { subject } = render({ subject: content, document: withText(content) }, new Map([['a', 'x']]));
    expect(subject.length).toBeLessThanOrEqual(content.length);
  }
});

test('the renderer rejects a message above its limit before it is built', () => {
  // Longer than any text can be.
  const value = 'x'.repeat(20_000);
  const many = () =>
    render({ subject: '', document: withText('{{a}}'.repeat(50_000)) }, new Map([['a', value]]));
  expect(many).toThrow(TooLarge);
});

test.each([
  [
    'above',
    '<p style="margin:0 0 16px">Hi &lt;b&gt; &amp; {{name}}<br>two</p><p',
    'Hi <b> & {{name}}\ntwo\n\nBody\n',
  ],
  [
    'below',
    '</p><p style="margin:0 0 16px">Hi &lt;b&gt; &amp; {{name}}<br>two</p>',
    'Body\n\nHi <b> & {{name}}\ntwo\n',
  ],
] as const)(
  'what the sender adds %s the body is escaped, and no placeholder in it is replaced',
  (place, html, plain) => {
    const note = { text: 'Hi <b> & {{name}}\ntwo', place };
    const rendered = render(
      { subject: 's', document: withText('Body') },
      new Map([['name', 'Ann']]),
      new Map(),
      note,
    );
    expect(bodyOf(rendered.html)).toContain(html);
    expect(rendered.text).toBe(plain);
  },
);
