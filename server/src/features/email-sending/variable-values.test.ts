import type { Deal } from '@forecourt/contract/deals';
import type { LinkedData, TemplateVariable } from '@forecourt/contract/email-templates';
import { expect, test } from 'vitest';
import { resolveVariables, type Subjects } from './variable-values.ts';

const variable = (
  key: string,
  linkedData: LinkedData | null,
  changes: Partial<TemplateVariable> = {},
): TemplateVariable => ({
  key,
  label: key,
  category: 'other',
  defaultValue: '',
  description: '',
  linkedData,
  required: false,
  ...changes,
});
const deal = {
  customerName: 'Ann',
  saleAmount: 1234.5,
  deliveryDate: '2026-12-01',
  notes: 'a\nb',
  customerEmail: '',
};
const subjects: Subjects = {
  // A deal as somebody sees it who may not see its number.
  deal: deal as Deal,
  deals: [deal as Deal],
  dealership: { name: 'Harbour', address: undefined },
  contact: { name: 'Sam' },
  sender: { name: 'Kim', email: 'kim@example.com' },
  company: { name: 'Forecourt' },
  today: '2026-11-20',
};
const valueOf = (
  linkedData: LinkedData | null,
  changes: Partial<TemplateVariable> = {},
  given: Record<string, string> = {},
) => resolveVariables([variable('x', linkedData, changes)], given, subjects).values.get('x');

test.each<[LinkedData, string]>([
  ['deal.customerName', 'Ann'],
  ['deal.saleAmount', '$1,234.50'],
  ['deal.deliveryDate', '1 December 2026'],
  ['deal.notes', 'a\nb'],
  ['deal.customerEmail', ''],
  ['deal.dealNumber', ''],
  ['dealership.name', 'Harbour'],
  ['dealership.address', ''],
  ['contact.name', 'Sam'],
  ['sender.email', 'kim@example.com'],
  ['company.name', 'Forecourt'],
  ['today', '20 November 2026'],
])('%s reads %j', (linkedData, value) => {
  expect(valueOf(linkedData)).toBe(value);
});

test('a given value comes first, then the linked one, then the default; blank counts as not given', () => {
  expect(valueOf('deal.customerName', { defaultValue: 'D' }, { x: 'Given' })).toBe('Given');
  expect(valueOf('deal.customerName', { defaultValue: 'D' }, { x: '  ' })).toBe('Ann');
  expect(valueOf('deal.dealNumber', { defaultValue: 'D' })).toBe('D');
  expect(valueOf(null, { defaultValue: 'D' })).toBe('D');
});

test('required variables without a value are told', () => {
  const variables = [variable('a', 'deal.dealNumber', { required: true }), variable('b', 'deal.dealNumber')];
  expect(resolveVariables(variables, {}, subjects).missing.map(({ key }) => key)).toEqual(['a']);
});

test('names with an underscore are dropped, undeclared ones refused by name', () => {
  expect(resolveVariables([], { _secret: 'x' }, subjects).values.size).toBe(0);
  expect(() =>
    resolveVariables([variable('a', null)], { a: '1', nope: '2', constructor: '3' }, subjects),
  ).toThrow(
    expect.objectContaining({
      details: expect.objectContaining({
        errors: { 'variables.nope': expect.any(String), 'variables.constructor': expect.any(String) },
      }),
    }),
  );
});
