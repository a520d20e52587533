import type { EmailTemplate } from '@forecourt/contract/email-templates';
import { expect, test } from 'vitest';
import { isSame, valuesOf } from './template-values.ts';

const variable = {
  key: 'customer',
  label: 'Customer',
  category: 'deal',
  defaultValue: '',
  description: '',
  linkedData: 'deal.customerName',
  required: true,
} as const;
const template = {
  name: 'Daily',
  subject: 'About {{customer}}',
  status: 'active',
  document: { blocks: [{ type: 'paragraph', content: [{ type: 'variable', key: 'customer' }] }] },
  variables: [variable],
} as unknown as EmailTemplate;

test('a saved template is not dirty when the server orders fields differently', () => {
  const reversed = Object.fromEntries(Object.entries(variable).toReversed());
  const stored = { ...template, variables: [reversed] } as unknown as EmailTemplate;
  expect(isSame(valuesOf(template), valuesOf(stored))).toBe(true);
});

test('another text, another order of variables or another label is a change', () => {
  const values = valuesOf(template);
  const other = { ...variable, key: 'other' };
  expect(isSame(values, { ...values, subject: 'About' })).toBe(false);
  expect(isSame(values, { ...values, variables: [{ ...variable, label: 'Buyer' }] })).toBe(false);
  expect(
    isSame({ ...values, variables: [variable, other] }, { ...values, variables: [other, variable] }),
  ).toBe(false);
});
