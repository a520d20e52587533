import { FixedLink, type LinkedData, type TemplateVariable } from '@forecourt/contract/email-templates';
import { expect, test } from 'vitest';
import { offeredVariables } from './variable-choices.ts';
import { undeclaredFields } from './variables/variable-catalogue.ts';

const variable = (
  key: string,
  label: string,
  linkedData: LinkedData | null = null,
  category: TemplateVariable['category'] = 'deal',
): TemplateVariable => ({
  key,
  label,
  category,
  defaultValue: '',
  description: '',
  linkedData,
  required: false,
});

test('names that start with the typed text are first', () => {
  const variables = [
    variable('customerName', 'Customer name'),
    variable('notes', 'Notes'),
    variable('dealershipName', 'Dealership name'),
  ];
  const labels = (query: string) =>
    offeredVariables(variables, undeclaredFields(variables, []), query)
      .map(({ label }) => label)
      .filter((label) => variables.some((each) => each.label === label));
  expect(labels('NO')).toEqual(['Notes']);
  expect(labels('name')).toEqual(['Customer name', 'Dealership name']);
  expect(labels('dealership n')).toEqual(['Dealership name']);
  expect(labels('')).toHaveLength(3);
});

test('offers fields that the template does not declare, and a custom variable where nothing matches', () => {
  const declared = [variable('buyer', 'Buyer', 'deal.customerName')];
  const offered = (query: string) => offeredVariables(declared, undeclaredFields(declared, []), query);
  const labels = (query: string) => offered(query).map(({ label }) => label);
  expect(labels('buy')).toEqual(['Buyer']);
  expect(labels('items')).toEqual([
    'Items',
    'Items with prices',
    'Table of items with prices',
    'Table of deals with items',
  ]);
  // The template already has a variable for the field of Buyer.
  expect(labels('')).not.toContain('Customer name');
  expect(labels('')[0]).toBe('Buyer');
  expect(offered('Rego number')).toEqual([variable('regoNumber', 'Rego number', null, 'other')]);
  expect(offered('17')).toEqual([]);
  expect(undeclaredFields([], [])).toHaveLength(FixedLink.options.length);
});

test('offers custom fields of deals beside the other fields, with a key from the name where it is free', () => {
  const field = (key: `custom${number}`, name: string) => ({
    key,
    name,
    type: 'text' as const,
    help: '',
    options: [],
    isRequired: false,
    defaultValue: null,
    editable: true,
  });
  const fields = [field('custom3', 'Finance company'), field('custom4', 'Notes'), field('custom5', '贷款')];
  const offered = undeclaredFields([variable('x', 'Lender', 'deal.custom9')], fields);
  const custom = offered.filter(({ linkedData }) => linkedData?.startsWith('deal.custom'));
  expect(custom.filter(({ label }) => fields.some(({ name }) => name === label))).toEqual([
    variable('financeCompany', 'Finance company', 'deal.custom3'),
    variable('custom4', 'Notes', 'deal.custom4'),
    variable('custom5', '贷款', 'deal.custom5'),
  ]);
  const declared = [variable('lender', 'Lender', 'deal.custom3')];
  expect(undeclaredFields(declared, fields).map(({ label }) => label)).not.toContain('Finance company');
});
