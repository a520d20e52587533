import { customFieldTypes } from '@forecourt/contract/custom-field-types';
import { builtInColumnNames, CustomFieldInput, type CustomField } from '@forecourt/contract/custom-fields';
import { errorsByField, validate } from '@forecourt/contract/validate';
import { describe, expect, test } from 'vitest';
import { texts } from '../../texts/deals.ts';
import { fieldErrors, inputOf, newOption, valuesOf, withType, type FieldValues } from './field-values.ts';

const field = {
  name: 'Fuel',
  type: 'multiSelect',
  help: 'Of the car',
  options: [
    { id: 'o2', name: 'Petrol', active: true },
    { id: 'o1', name: 'Diesel', active: false },
  ],
  isRequired: true,
  defaultValue: ['o2'],
  visibleTo: 'everybody',
  editableBy: 'administrators',
  active: false,
  version: 3,
} as const satisfies Partial<CustomField> as unknown as CustomField;

const added = (changes: Partial<FieldValues>) =>
  inputOf({ ...valuesOf(undefined), name: 'New', ...changes }, undefined);
const option = (name: string) => ({ ...newOption(), name });

test('what is sent is what was loaded, with its version, also of a retired field', () => {
  expect(inputOf(valuesOf(field), field)).toEqual(field);
});

test('a new field is an optional text for everybody, in use', () => {
  const input = added({});
  expect(input).toEqual({
    name: 'New',
    type: 'text',
    help: '',
    options: [],
    isRequired: false,
    defaultValue: null,
    visibleTo: 'everybody',
    editableBy: 'everybody',
    active: true,
  });
  expect(validate(CustomFieldInput, input).issues).toBeUndefined();
});

test('new options get the next ids as defaults, and empty lines are not sent', () => {
  const [steam, gas] = [option('Steam'), option('Gas')];
  const { options, ...values } = valuesOf(field);
  const input = inputOf(
    { ...values, options: [steam, ...options, option(' '), gas], defaultValue: [gas.key, 'o2'] },
    field,
  );
  expect(input.options).toEqual([
    { name: 'Steam', active: true },
    ...field.options,
    { name: 'Gas', active: true },
  ]);
  expect(input.defaultValue).toEqual(['o4', 'o2']);
  expect(added({ type: 'select', options: [steam, gas], defaultValue: [gas.key] }).defaultValue).toBe('o2');
});

describe('the default', () => {
  test.each<[FieldValues['type'], string, unknown]>([
    ['text', 'x', 'x'],
    ['text', ' ', null],
    ['number', '-1,234.5678', -1234.5678],
    ['currency', '$1,234.50', 1234.5],
    ['percent', '12.5 %', 12.5],
    ['date', '2026-11-20', '2026-11-20'],
    ['checkbox', 'true', true],
    ['link', 'example.com', 'example.com'],
  ])('the default value of a %s: %j is sent as %j', (type, text, sent) => {
    expect(added({ type, defaultValue: [text] }).defaultValue).toBe(sent);
    expect(fieldErrors({ ...valuesOf(undefined), type, defaultValue: [text] })).toEqual({});
  });

  test('the default value that is no number is refused', () => {
    for (const text of ['much', '1.2.3', '-'])
      expect(fieldErrors({ ...valuesOf(undefined), type: 'number', defaultValue: [text] })).toEqual({
        defaultValue: 'Please enter a valid number',
      });
  });
});

test('a custom field of choices needs an option', () => {
  const values = { ...valuesOf(undefined), type: 'select' as const };
  expect(fieldErrors({ ...values, options: [option('')] })).toEqual({ options: 'Add at least one option' });
  expect(fieldErrors({ ...values, options: [option('A')] })).toEqual({});
});

test('another type drops what it does not have, and a select begins with an empty option', () => {
  const values = { ...valuesOf(undefined), isRequired: true, defaultValue: ['x'] };
  expect(withType(values, 'checkbox')).toMatchObject({ isRequired: false, defaultValue: [] });
  expect(withType(values, 'select').options).toMatchObject([{ name: '', isSaved: false }]);
  for (const type of customFieldTypes)
    expect(added({ ...withType(withType(values, 'select'), type) }).options).toEqual([]);
});

test.each([
  [{ name: ' ' }, { name: 'Field name is required' }],
  [{ name: 'a'.repeat(61) }, { name: 'Must be at most 60 characters' }],
  [
    { type: 'select', options: [option('a'.repeat(61))] },
    { 'options.0.name': 'Must be at most 60 characters' },
  ],
] as const)('a custom field with %o is refused with %o', (given, errors) => {
  const { issues = [] } = validate(CustomFieldInput, added(given));
  expect(errorsByField(issues)).toEqual(errors);
});

test('no custom field can be named as a column of Data Entry', () => {
  const names = Object.values(texts.columns).map((name) => name.toLowerCase());
  expect(names.filter((name) => !builtInColumnNames.includes(name))).toEqual([]);
});
