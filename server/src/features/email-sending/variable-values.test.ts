import type { CustomFieldType, CustomKey } from '@forecourt/contract/custom-field-types';
import { viewColumns } from '@forecourt/contract/deal-fields';
import type { Deal } from '@forecourt/contract/deals';
import { FixedLink, type LinkedData, type TemplateVariable } from '@forecourt/contract/email-templates';
import { expect, test } from 'vitest';
import type { CustomFieldDefinition } from '../custom-fields/custom-fields.service.ts';
import { sampleSubjects } from './sample-values.ts';
import { dealFieldsIn } from './used-variables.ts';
import { resolveVariables } from './variable-values.ts';
import { customTexts, linkedValue, type Subjects } from './variables.ts';

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
  items: [
    { itemId: 'i1', name: 'Paint protection', quantity: 2, unitPrice: 400 },
    { itemId: 'i2', name: 'Window tint', quantity: 1, unitPrice: 434.5 },
  ],
  costAmount: 0,
  grossProfit: -1.5,
  commissionRate: 7.5,
  commission: null,
  followUpAt: '2026-11-20T22:30:00Z',
  ownerName: 'Kim',
  month: '2026-11',
};
const subjects: Subjects = {
  // A deal for a viewer without its number.
  deal: deal as Deal,
  deals: [deal as Deal],
  dealership: { name: 'Harbour', address: undefined },
  contact: { name: 'Sam' },
  sender: { name: 'Kim', email: 'kim@example.com' },
  company: { name: 'Forecourt' },
  today: '2026-11-20',
  timeZone: 'Australia/Sydney',
};
const valueOf = (
  linkedData: LinkedData | null,
  changes: Partial<TemplateVariable> = {},
  given: Record<string, string> = {},
) => resolveVariables([variable('x', linkedData, changes)], given, subjects).values.get('x');

test('the longest sample of a deal has every field', () => {
  const sample = sampleSubjects('longest', subjects);
  expect(FixedLink.options.filter((link) => linkedValue(link).text(sample) === '')).toEqual([]);
});

test('custom fields have the formats of their types, and a hidden or empty one has the default', () => {
  const field = (key: CustomKey, type: CustomFieldType): CustomFieldDefinition => ({
    id: key,
    key,
    name: key,
    type,
    help: '',
    options: [
      { id: 'o1', name: 'Cash', active: true },
      { id: 'o2', name: 'Loan', active: false },
    ],
    isRequired: false,
    defaultValue: null,
    visibleTo: 'everybody',
    editableBy: 'everybody',
    active: true,
    order: 1,
    version: 1,
    createdAt: '',
    updatedAt: '',
  });
  const types = [
    'text',
    'number',
    'currency',
    'percent',
    'date',
    'checkbox',
    'multiSelect',
    'person',
  ] as const;
  const values = ['Blue', 1234.5, 99.9, 7.25, '2026-12-01', true, ['o1', 'o2'], 'u1'];
  const keys = types.map((_, index): CustomKey => `custom${index + 1}`);
  const custom = Object.fromEntries(keys.map((key, index) => [key, values[index]!]));
  const texts = customTexts(
    { custom: { ...custom, custom99: 'secret' } },
    { fields: types.map((type, index) => field(keys[index]!, type)), people: new Map([['u1', 'Kim']]) },
  );
  const about = { ...subjects, deal: { ...subjects.deal!, customTexts: texts } };
  const variables = [...keys, 'custom99' as const, 'custom98' as const].map((key) =>
    variable(key, `deal.${key}`, { defaultValue: 'none' }),
  );
  expect([...resolveVariables(variables, {}, about).values.values()]).toEqual([
    'Blue',
    '1,234.5',
    '$99.90',
    '7.25%',
    '1 December 2026',
    'Yes',
    'Cash, Loan',
    'Kim',
    'none',
    'none',
  ]);
  expect(linkedValue('deal.custom1').changesWith).toEqual(['custom1']);
});

test.each<[LinkedData, string]>([
  ['deal.customerName', 'Ann'],
  ['deal.saleAmount', '$1,234.50'],
  ['deal.deliveryDate', '1 December 2026'],
  ['deal.items', '2 x Paint protection, Window tint'],
  ['deal.itemsWithPrices', '2 x Paint protection ($400.00 each), Window tint ($434.50)'],
  ['deal.itemsTable', '2 x Paint protection ($400.00 each), Window tint ($434.50)'],
  ['deal.costAmount', '$0.00'],
  ['deal.grossProfit', '-$1.50'],
  ['deal.commissionRate', '7.5%'],
  ['deal.commission', ''],
  ['deal.followUpAt', '21 November 2026 at 9:30 am'],
  ['deal.owner', 'Kim'],
  ['deal.month', 'November 2026'],
  ['deal.notes', 'a\nb'],
  ['deal.customerEmail', ''],
  ['deal.dealNumber', ''],
  ['dealership.name', 'Harbour'],
  ['dealership.address', ''],
  ['contact.name', 'Sam'],
  ['sender.email', 'kim@example.com'],
  ['company.name', 'Forecourt'],
  ['today', '20 November 2026'],
])('the variable %s has the value %j', (linkedData, value) => {
  expect(valueOf(linkedData)).toBe(value);
});

test('every column of a deal can be a variable', () => {
  const linkable = new Set(
    FixedLink.options.map((link) => link.replace('dealership.name', 'deal.dealershipId')),
  );
  expect(viewColumns.filter((column) => !linkable.has(`deal.${column}`))).toEqual([]);
});

test('a link to a table of items or deals has a table, unless a value is given or it is empty', () => {
  const tableOf = (linkedData: LinkedData, given = {}, about = subjects) =>
    resolveVariables([variable('x', linkedData)], given, about).tables.get('x');
  expect(tableOf('deal.itemsTable')).toEqual({
    headings: ['Item', 'Quantity', 'Price', 'Amount'],
    rows: [
      ['Paint protection', '2', '$400.00', '$800.00'],
      ['Window tint', '1', '$434.50', '$434.50'],
    ],
  });
  expect(tableOf('deals.tableWithItems')?.headings).toEqual(['Customer', 'Items', 'Delivery', 'Amount']);
  expect(tableOf('deals.table')?.headings).toEqual(['Customer', 'Delivery', 'Amount']);
  expect(tableOf('deal.itemsTable', { x: 'Given' })).toBeUndefined();
  expect(
    tableOf('deal.itemsTable', {}, { ...subjects, deal: { ...deal, items: [] } as never }),
  ).toBeUndefined();
  expect(tableOf('deals.tableWithItems', {}, { ...subjects, deals: [] })).toBeUndefined();
});

test('a message is outdated when a field that its text depends on changes', () => {
  const fieldsOf = (linkedData: LinkedData) =>
    dealFieldsIn({
      name: '',
      status: 'active',
      subject: '{{x}}',
      document: { blocks: [] },
      variables: [variable('x', linkedData)],
    });
  expect(fieldsOf('deal.itemsTable')).toEqual(['items']);
  expect(fieldsOf('deal.owner')).toEqual(['owner']);
  expect(fieldsOf('deal.grossProfit')).toEqual(['saleAmount', 'costAmount']);
  expect(fieldsOf('deal.commission')).toContain('dealershipId');
  expect(fieldsOf('deals.tableWithItems')).toContain('items');
  expect(fieldsOf('deals.table')).not.toContain('items');
  for (const link of ['dealership.name', 'dealership.address', 'contact.name'] as const)
    expect(fieldsOf(link)).toEqual(['dealershipId']);
  expect(fieldsOf('sender.name')).toEqual([]);
});

test('a given value takes precedence over the linked one, then the default; blank counts as missing', () => {
  expect(valueOf('deal.customerName', { defaultValue: 'D' }, { x: 'Given' })).toBe('Given');
  expect(valueOf('deal.customerName', { defaultValue: 'D' }, { x: '  ' })).toBe('Ann');
  expect(valueOf('deal.dealNumber', { defaultValue: 'D' })).toBe('D');
  expect(valueOf(null, { defaultValue: 'D' })).toBe('D');
});

test('required variables without a value are returned', () => {
  const variables = [variable('a', 'deal.dealNumber', { required: true }), variable('b', 'deal.dealNumber')];
  expect(resolveVariables(variables, {}, subjects).missing.map(({ key }) => key)).toEqual(['a']);
});

test('undeclared names are rejected by name', () => {
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
