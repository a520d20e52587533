import type { Deal } from '@forecourt/contract/deals';
import { expect, it } from 'vitest';
import type { DealRow } from '../deal-row.ts';
import { formChanges, formErrors, formValues } from './form-values.ts';

const row: DealRow = {
  key: 'd1',
  draft: undefined,
  deal: {
    customerName: 'Ann',
    dealershipId: 'dealer',
    saleAmount: 1200.5,
    followUpAt: '2026-11-23T04:30:00.000Z',
    notes: '',
  } as Deal,
};

it('changes nothing when a form is saved as it was opened', () => {
  expect(formChanges(row, formValues(row), formValues(row))).toEqual([]);
});

it('reads amounts, phone numbers and times as cells do', () => {
  const initial = formValues(row);
  const values = { ...initial, saleAmount: '$1,300', customerNumber: '0412 345 678', followUpAt: '' };
  expect(formChanges(row, initial, values)).toEqual([
    { field: 'customerNumber', before: null, after: '(0412) 345 678' },
    { field: 'saleAmount', before: 1200.5, after: 1300 },
    { field: 'followUpAt', before: '2026-11-23T04:30:00.000Z', after: null },
  ]);
});

it('shows and reads times on the clock of the company, wherever the phone is', () => {
  for (const [timeZone, shown] of [
    ['Australia/Sydney', '2026-11-23T15:30'],
    ['Australia/Perth', '2026-11-23T12:30'],
  ] as const) {
    const initial = formValues(row, timeZone);
    expect(initial.followUpAt).toBe(shown);
    const values = { ...initial, followUpAt: shown.replace(':30', ':45') };
    expect(formChanges(row, initial, values, timeZone)).toMatchObject([
      { after: '2026-11-23T04:45:00.000Z' },
    ]);
  }
});

it('refuses a follow-up at a time that the clocks of the company skip', () => {
  const values = { ...formValues(row), followUpAt: '2026-10-04T02:30' };
  expect(formErrors(values, () => true, 'Australia/Sydney')).toEqual({
    followUpAt: 'The clocks go forward then and skip this time',
  });
  expect(formErrors(values, () => true, 'Australia/Perth')).toEqual({});
});

it('reports missing and invalid values before anything is stored', () => {
  const values = {
    ...formValues(row),
    customerName: ' ',
    dealershipId: '',
    saleAmount: '-1',
    customerNumber: '12',
    vehicle: 'x'.repeat(121),
    notes: '\u{1F600}'.repeat(5000),
    deliveryDate: 'soon',
    followUpAt: 'soon',
  };
  expect(formErrors(values, (field) => field === 'vehicle')).not.toHaveProperty('customerName');
  expect(formErrors(values, () => true)).toEqual({
    customerName: 'Customer name is required',
    dealershipId: 'Dealership is required',
    saleAmount: 'Please enter a valid number',
    customerNumber: 'Phone number must be in format (xxxx) xxx xxx',
    vehicle: 'Must be at most 120 characters',
    deliveryDate: 'Please enter a valid date',
    followUpAt: 'Please enter a valid date and time',
  });
});
