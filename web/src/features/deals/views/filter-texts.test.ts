import type { FilterCondition } from '@forecourt/contract/deal-filter-fields';
import { expect, test } from 'vitest';
import type { DealOptions } from '../deal-fields.ts';
import { partText } from './filter-texts.ts';

const named = (...names: string[]) => names.map((name) => ({ _id: `id of ${name}`, name }));
const options = {
  statuses: named('Called', 'To Call', 'Deal', 'No deal'),
  dealerships: named('Harbour'),
  owners: named('Kim'),
  items: named('Dash cam', 'Tint'),
  people: named('Lee'),
  customFields: [
    { key: 'custom1', name: 'Finance', type: 'select', options: [{ id: 'o1', name: 'Loan' }] },
    { key: 'custom2', name: 'Extras', type: 'multiSelect', options: [{ id: 'o1', name: 'Mats' }] },
    { key: 'custom3', name: 'Handler', type: 'person' },
    { key: 'custom4', name: 'Paid', type: 'checkbox' },
    { key: 'custom5', name: 'Mileage', type: 'number' },
    { key: 'custom6', name: 'Deposit', type: 'currency' },
    { key: 'custom7', name: 'Share', type: 'percent' },
    { key: 'custom8', name: 'Service', type: 'date' },
    { key: 'custom9', name: 'Colour', type: 'text' },
  ],
} as unknown as DealOptions;

const ids = (...names: string[]) => names.map((name) => `id of ${name}`);

test.each<[string, FilterCondition]>([
  ['Status is Called or To Call', { field: 'status', operator: 'isAnyOf', value: ids('Called', 'To Call') }],
  ['Status is not Called', { field: 'status', operator: 'isNoneOf', value: ids('Called') }],
  [
    'Status is Called, To Call or 2 more',
    { field: 'status', operator: 'isAnyOf', value: ids('Called', 'To Call', 'Deal', 'No deal') },
  ],
  ['Items include Dash cam', { field: 'items', operator: 'isAnyOf', value: ids('Dash cam') }],
  [
    'Items do not include Dash cam or Tint',
    { field: 'items', operator: 'isNoneOf', value: ids('Dash cam', 'Tint') },
  ],
  ['Items are empty', { field: 'items', operator: 'isEmpty' }],
  ['Not sent', { field: 'emailState', operator: 'isAnyOf', value: ['notSent'] }],
  ['Failed email', { field: 'emailState', operator: 'isAnyOf', value: ['failed'] }],
  ['Changed since sent', { field: 'emailState', operator: 'isAnyOf', value: ['changed'] }],
  ['Email is Sent or Failed', { field: 'emailState', operator: 'isAnyOf', value: ['sent', 'failed'] }],
  ['Email is Sent', { field: 'emailState', operator: 'isAnyOf', value: ['sent'] }],
  ['Email is not Failed', { field: 'emailState', operator: 'isNoneOf', value: ['failed'] }],
  ['Email is Not sent or Sent', { field: 'emailState', operator: 'isAnyOf', value: ['notSent', 'sent'] }],
  ['Overdue follow-up', { field: 'isOverdue', operator: 'isTrue' }],
  ['Not shared with me', { field: 'isSharedWithMe', operator: 'isFalse' }],
  ['Customer contains “o’b”', { field: 'customerName', operator: 'contains', value: 'o’b' }],
  ['Notes is empty', { field: 'notes', operator: 'isEmpty' }],
  ['Sale amount more than $500', { field: 'saleAmount', operator: 'moreThan', value: 500 }],
  ['Sale amount is $1,234.50', { field: 'saleAmount', operator: 'is', value: 1234.5 }],
  ['Sale amount is not $500', { field: 'saleAmount', operator: 'isNot', value: 500 }],
  ['Commission rate less than 4.25%', { field: 'commissionRate', operator: 'lessThan', value: 4.25 }],
  ['Gross profit between -$5 and $0', { field: 'grossProfit', operator: 'between', value: [-5, 0] }],
  ['Delivery date is 20/11/2026', { field: 'deliveryDate', operator: 'is', value: '2026-11-20' }],
  ['Delivery date before 20/11/2026', { field: 'deliveryDate', operator: 'before', value: '2026-11-20' }],
  ['Created in the last 7 days', { field: 'createdAt', operator: 'inLastDays', value: 7 }],
  ['Finance is Loan', { field: 'custom1', operator: 'isAnyOf', value: ['o1'] }],
  ['Finance is not Loan', { field: 'custom1', operator: 'isNoneOf', value: ['o1'] }],
  ['Finance is empty', { field: 'custom1', operator: 'isEmpty' }],
  ['Extras includes Mats', { field: 'custom2', operator: 'isAnyOf', value: ['o1'] }],
  ['Handler is Kim', { field: 'custom3', operator: 'isAnyOf', value: ids('Kim') }],
  ['Paid: yes', { field: 'custom4', operator: 'isTrue' }],
  ['Mileage more than 12,000.5', { field: 'custom5', operator: 'moreThan', value: 12_000.5 }],
  ['Deposit is $500.00', { field: 'custom6', operator: 'is', value: 500 }],
  ['Share between -1.5% and 2%', { field: 'custom7', operator: 'between', value: [-1.5, 2] }],
  ['Service before 20/11/2026', { field: 'custom8', operator: 'before', value: '2026-11-20' }],
  ['Colour contains “red”', { field: 'custom9', operator: 'contains', value: 'red' }],
  ['Follow-up is today', { field: 'followUpAt', operator: 'inNextDays', value: 1 }],
])('a condition is shown in words: %s', (text, condition) => {
  expect(partText(condition, options)).toBe(text);
});

test('a group is its conditions with the word between them', () => {
  const conditions: FilterCondition[] = [
    { field: 'isUnsaved', operator: 'isTrue' },
    { field: 'emailState', operator: 'isAnyOf', value: ['notSent'] },
  ];
  expect(partText({ match: 'any', conditions }, options)).toBe('Unsaved or Not sent');
  expect(partText({ match: 'all', conditions }, options)).toBe('Unsaved and Not sent');
});
