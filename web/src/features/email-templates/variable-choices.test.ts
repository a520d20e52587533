import { LinkedData, type TemplateVariable } from '@forecourt/contract/email-templates';
import { expect, test } from 'vitest';
import { offeredVariables } from './variable-choices.ts';

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
    offeredVariables(variables, query)
      .map(({ label }) => label)
      .filter((label) => variables.some((each) => each.label === label));
  expect(labels('NO')).toEqual(['Notes']);
  expect(labels('name')).toEqual(['Customer name', 'Dealership name']);
  expect(labels('dealership n')).toEqual(['Dealership name']);
  expect(labels('')).toHaveLength(3);
});

test('offers fields that the template does not declare, and a custom variable where nothing matches', () => {
  const declared = [variable('buyer', 'Buyer', 'deal.customerName')];
  const offered = (query: string) => offeredVariables(declared, query);
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
  expect(offeredVariables([], '')).toHaveLength(LinkedData.options.length);
});
