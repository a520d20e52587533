import type { Item } from '@forecourt/contract/items';
import { expect, test } from 'vitest';
import { inputOf, itemErrors, valuesOf } from './item-values.ts';

const item = { name: 'Tint', category: 'Protection', price: 499.5, cost: null, active: false } as Item;

test('what is sent is what was loaded, with the version it was loaded with', () => {
  expect(inputOf(valuesOf(item), 3)).toEqual({ ...item, version: 3 });
});

test('a new one is active, with its amounts open', () => {
  const values = valuesOf(undefined);
  expect(inputOf({ ...values, name: 'Tint' }, undefined)).toEqual({
    name: 'Tint',
    category: '',
    price: null,
    cost: null,
    active: true,
  });
});

test('amounts are taken as people write them', () => {
  expect(inputOf({ ...valuesOf(item), price: ' $1,234.50 ', cost: '0' }, 1)).toMatchObject({
    price: 1234.5,
    cost: 0,
  });
});

test.each([
  [{ name: ' ' }, { name: 'Item name is required' }],
  [{ price: '-1' }, { price: 'Please enter a valid number' }],
  [{ cost: '1.005' }, { cost: 'Please enter a valid number' }],
  [{ price: '', cost: '' }, {}],
])('%o is told as %o', (given, errors) => {
  expect(itemErrors({ ...valuesOf(item), ...given })).toEqual(errors);
});
