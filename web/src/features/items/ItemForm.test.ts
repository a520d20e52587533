import { ItemInput, type Item } from '@forecourt/contract/items';
import { errorsByField, validate } from '@forecourt/contract/validate';
import { expect, test } from 'vitest';
import { inputOf, valuesOf } from './ItemForm.tsx';

const item = {
  name: 'Tint',
  category: 'Protection',
  price: 499.5,
  cost: null,
  active: false,
  version: 3,
} as Item;

test('what is sent is what was loaded, with the version it was loaded with', () => {
  expect(inputOf(valuesOf(item), item)).toEqual(item);
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
  expect(inputOf({ ...valuesOf(item), price: ' $1,234.50 ', cost: '0' }, item)).toMatchObject({
    price: 1234.5,
    cost: 0,
  });
});

test.each([
  [{ name: ' ' }, { name: 'Item name is required' }],
  [{ name: 'a'.repeat(81) }, { name: 'Must be at most 80 characters' }],
  [{ price: '-1' }, { price: 'Please enter a valid number' }],
  [{ price: 'much' }, { price: 'Please enter a valid number' }],
  [{ cost: '1.005' }, { cost: 'Please enter a valid number' }],
  [{ price: '', cost: '' }, {}],
])('an item with %o is refused with %o', (given, errors) => {
  const { issues = [] } = validate(ItemInput, inputOf({ ...valuesOf(item), ...given }, item));
  expect(errorsByField(issues)).toEqual(errors);
});
