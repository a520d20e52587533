import { describe, expect, test } from 'vitest';
import { customCell, isOffered, itemsValue, type DealOptions } from './deal-fields.ts';

const options = {
  statuses: [
    { name: 'Called', active: true },
    { name: 'Old', active: false },
  ],
  items: [{ _id: 'tint' }],
  people: [{ _id: 'kim' }],
  customFields: [
    { key: 'custom1', type: 'select', options: choices('red') },
    { key: 'custom2', type: 'multiSelect', options: choices('red', 'blue') },
    { key: 'custom3', type: 'person', options: [] },
    { key: 'custom4', type: 'text', options: [] },
  ],
} as unknown as DealOptions;

function choices(...active: string[]) {
  return [...active.map((id) => ({ id, active: true })), { id: 'gone', active: false }];
}

const items = (...ids: string[]) =>
  itemsValue(ids.map((itemId) => ({ itemId, name: itemId, quantity: 1, unitPrice: null })));

describe('what a cell can be given', () => {
  test.each([
    ['status', 'Called', null, true],
    ['status', 'Old', 'Called', false],
    ['status', 'Old', 'Old', true],
    ['items', items('tint'), null, true],
    ['items', items('tint', 'wax'), null, false],
    ['items', items('tint', 'wax'), items('wax'), true],
    ['items', null, items('wax'), true],
    ['custom1', 'red', null, true],
    ['custom1', 'gone', 'red', false],
    ['custom2', customCell(['red', 'blue']), null, true],
    ['custom2', customCell(['red', 'gone']), customCell(['red']), false],
    ['custom2', customCell(['gone', 'red']), customCell(['gone']), true],
    ['custom3', 'kim', null, true],
    ['custom3', 'lee', 'kim', false],
    ['custom4', 'gone', null, true],
    ['customerName', 'anything', null, true],
  ] as const)('%s: %j, where it is %j: %j', (field, value, current, expected) => {
    expect(isOffered(options, field, value, current)).toBe(expected);
  });
});
