import { VariableKey } from '@forecourt/contract/email-templates';
import { keysInText } from '@forecourt/contract/template-keys';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countKeys, keyFromLabel, renameInText } from './variable-keys.ts';

test('the reader of variables returns the keys of a subject once per occurrence', () => {
  expect(keysInText('{{name}} and {{name}} of {{dealership}}')).toEqual(['name', 'name', 'dealership']);
});

test.each(['{{}}', '{{1st}}', '{{ name }}', '{{na-me}}', '{name}'])(
  'the text %o contains no variable',
  (text) => {
    expect(keysInText(text)).toEqual([]);
  },
);

test('the reader of variables counts chips and typed placeholders in every kind of block', () => {
  const counts = countKeys('For {{name}}', {
    blocks: [
      { type: 'paragraph', content: [{ type: 'variable', key: 'name' }, { type: 'lineBreak' }] },
      { type: 'rule' },
      { type: 'bulletList', items: [{ content: [{ type: 'text', text: 'see {{vehicle}}' }] }] },
      {
        type: 'conditional',
        key: 'notes',
        blocks: [
          {
            type: 'button',
            href: 'https://example.com',
            content: [{ type: 'variable', key: 'name' }],
          },
        ],
      },
    ],
  });
  expect([...counts]).toEqual([
    ['name', 3],
    ['vehicle', 1],
    ['notes', 1],
  ]);
});

test('a rename of a variable changes whole keys only', () => {
  expect(renameInText('{{name}} {{nameLong}}', 'name', 'buyer')).toBe('{{buyer}} {{nameLong}}');
});

test.each([
  ['Rego number', 'regoNumber'],
  ['GST (10%)', 'gST10'],
  ['Café', 'cafe'],
  ['2nd buyer', 'ndBuyer'],
  ['…', ''],
])('the label %o becomes the variable %o', (label, key) => {
  expect(keyFromLabel(label)).toBe(key);
});

test('the key of a label is valid or empty', () => {
  fc.assert(
    fc.property(fc.string(), (label) => {
      const key = keyFromLabel(label);
      expect(key === '' || VariableKey.safeParse(key).success).toBe(true);
    }),
  );
});
