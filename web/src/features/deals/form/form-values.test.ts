import type { Deal } from '@forecourt/contract/deals';
import { expect, it } from 'vitest';
import { parseNumber } from '../custom/custom-values.ts';
import type { DealRow } from '../deal-row.ts';
import { formChanges, formErrors, formValues, type CustomControl } from './form-values.ts';

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

it('a form changes nothing when it is saved as it was opened', () => {
  expect(formChanges(row, formValues(row), formValues(row))).toEqual([]);
});

it('the form of a row reads amounts, phone numbers and times as cells do', () => {
  const initial = formValues(row);
  const values = { ...initial, saleAmount: '$1,300', customerNumber: '0412 345 678', followUpAt: '' };
  expect(formChanges(row, initial, values)).toEqual([
    { field: 'customerNumber', before: null, after: '(0412) 345 678' },
    { field: 'saleAmount', before: 1200.5, after: 1300 },
    { field: 'followUpAt', before: '2026-11-23T04:30:00.000Z', after: null },
  ]);
});

it('the form of a row shows and reads times on the clock of the company, wherever the phone is', () => {
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

it('the form of a row refuses a follow-up at a time that the clocks of the company skip', () => {
  const values = { ...formValues(row), followUpAt: '2026-10-04T02:30' };
  expect(formErrors(values, () => true, 'Australia/Sydney')).toEqual({
    followUpAt: 'The clocks go forward then and skip this time',
  });
  expect(formErrors(values, () => true, 'Australia/Perth')).toEqual({});
});

it('the form of a row reports missing and invalid values before anything is stored', () => {
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

const control = (type: string, key = 'custom1', rest = {}): CustomControl =>
  ({
    field: { key, name: 'Mileage', type, isRequired: true, editable: true, defaultValue: null, ...rest },
    column: { type: 'number', parse: parseNumber, toText: String, get: () => null },
  }) as unknown as CustomControl;

it('the form of a row reads custom fields as their cells do', () => {
  const custom = [control('number'), control('date', 'custom2', { isRequired: false })];
  const here: DealRow = { ...row, deal: { ...row.deal, custom: { custom1: 12.5 } } as unknown as Deal };
  const initial = formValues(here, '', custom);
  expect([initial.custom1, initial.custom2]).toEqual(['12.5', '']);
  expect(formChanges(here, initial, initial, '', custom)).toEqual([]);
  const values = { ...initial, custom1: '1,000', custom2: '2026-11-20' };
  expect(formChanges(here, initial, values, '', custom)).toEqual([
    { field: 'custom1', before: 12.5, after: 1000 },
    { field: 'custom2', before: null, after: '2026-11-20' },
  ]);
  const wrong = { ...initial, custom1: 'many', custom2: '20/20/2026' };
  expect(formErrors(wrong, () => true, '', custom)).toMatchObject({
    custom1: 'Please enter a valid number',
    custom2: 'Please enter a valid date',
  });
});

it('requires a custom field without a default', () => {
  const errorOf = (rest: object) => {
    const custom = [control('number', 'custom1', rest)];
    return formErrors({ ...formValues(row), custom1: '' }, () => true, '', custom)['custom1'];
  };
  expect(errorOf({})).toBe('Mileage is required');
  expect(errorOf({ defaultValue: 7 })).toBeUndefined();
  expect(errorOf({ editable: false })).toBeUndefined();
  expect(errorOf({ isRequired: false })).toBeUndefined();
});

it('the form of a row sends the fields that were changed only, as they are stored', () => {
  // The control has no seconds.
  const exact: DealRow = { ...row, deal: { ...row.deal!, followUpAt: '2026-11-23T04:30:15.000Z' } };
  const locked = control('number', 'custom1', { editable: false });
  const custom = [locked, control('select', 'custom2'), control('date', 'custom3')];
  const initial = formValues(exact, '', custom);
  const values = { ...initial, vehicle: ' Corolla ', costAmount: '1,000', custom1: '7', custom2: 'o1' };
  expect(formChanges(exact, initial, values, '', custom)).toEqual([
    { field: 'vehicle', before: null, after: 'Corolla' },
    { field: 'costAmount', before: null, after: 1000 },
    { field: 'custom2', before: null, after: 'o1' },
  ]);
});

it('the form of a row leaves out custom fields that are not a value, or as they were', () => {
  const custom = [control('number')];
  const here: DealRow = { ...row, deal: { ...row.deal, custom: { custom1: 12.5 } } as unknown as Deal };
  const initial = { ...formValues(here, '', custom), custom1: '13' };
  expect(formChanges(here, initial, { ...initial, custom1: 'many' }, '', custom)).toEqual([]);
  expect(formChanges(here, initial, initial, '', custom)).toEqual([]);
});

it('accepts spaces around amounts, a choice and an empty date; spaces are no required value', () => {
  const custom = [control('select'), control('date', 'custom2', { isRequired: false })];
  const initial = { ...formValues(row, '', custom), saleAmount: ' 5 ', custom1: 'o1' };
  const errorsOf = (values: object) => formErrors({ ...initial, ...values }, () => true, '', custom);
  expect(errorsOf({})).toEqual({});
  expect(errorsOf({ saleAmount: ' ' })).toEqual({});
  expect(errorsOf({ custom1: ' ' })).toEqual({ custom1: 'Mileage is required' });
});
