import type { Setting } from '@forecourt/contract/settings';
import { describe, expect, test } from 'vitest';
import { changesOf, failureOf, formatSetting, settingErrors, valuesOf } from './settings-values.ts';

const NEW = 'commission.newSales';
const MOVE = 'dataEntry.moveEditedToCurrentMonth';

const setting = (settingName: string, value: Setting['value'], version: number | null): Setting => ({
  settingName,
  value,
  dataType: typeof value === 'number' ? 'number' : 'boolean',
  category: typeof value === 'number' ? 'commission' : 'dataEntry',
  description: '',
  userId: 'company',
  inherited: version === null,
  version,
  updatedAt: null,
});
const settings = [setting(NEW, 4.5, 2), setting('commission.usedSales', 3, null), setting(MOVE, false, null)];

test('a rate without a value is an empty field, and not 0', () => {
  const unset = { ...setting(NEW, 0, null), value: null };
  expect(valuesOf([unset], 'commission')).toEqual({ [NEW]: { own: false, value: '' } });
  expect(changesOf([unset], { [NEW]: { own: true, value: '0' } })).toEqual([{ setting: unset, value: 0 }]);
});

test('a section has its settings and no others', () => {
  expect(valuesOf(settings, 'commission')).toEqual({
    [NEW]: { own: true, value: '4.5' },
    'commission.usedSales': { own: false, value: '3' },
  });
  expect(Object.keys(valuesOf(settings, 'dataEntry'))).toEqual([MOVE]);
});

describe('the changes of a save', () => {
  const changes = (values: Parameters<typeof changesOf>[1]) =>
    changesOf(settings, values).map(({ setting: { settingName }, value }) => [settingName, value]);

  test('the changes of a save is nothing while nothing differs, however it is written', () => {
    expect(changes(valuesOf(settings, 'commission'))).toEqual([]);
    expect(changes({ [NEW]: { own: true, value: '4.50' } })).toEqual([]);
  });

  test('the changes of a save is a number for what was typed, also where it is the one that is inherited', () => {
    expect(changes({ [NEW]: { own: true, value: '5.25' } })).toEqual([[NEW, 5.25]]);
    expect(changes({ 'commission.usedSales': { own: true, value: '3' } })).toEqual([
      ['commission.usedSales', 3],
    ]);
    expect(changes({ [MOVE]: { own: true, value: true } })).toEqual([[MOVE, true]]);
  });

  test('the changes of a save removes the own value of a user who returns to the default', () => {
    expect(changes({ [NEW]: { own: false, value: '4' } })).toEqual([[NEW, undefined]]);
  });

  test('the changes of a save returns the failure message of the catalogue', () => {
    const failures = (values: Parameters<typeof changesOf>[1]) => changesOf(settings, values).map(failureOf);
    expect(failures({ [NEW]: { own: true, value: '5' } })).toEqual([
      'Failed to update setting: commission.newSales',
    ]);
    expect(failures({ [NEW]: { own: false, value: '5' } })).toEqual([
      'Failed to delete setting: commission.newSales',
    ]);
    expect(failures({ [MOVE]: { own: true, value: true } })).toEqual(['Failed to create setting']);
  });
});

test.each(['', '-1', '-0.01', '100.01', '4.505', '12.345', '8,5', '8 %', '1e1', '0x8', 'much'])(
  '%j is refused as a percentage',
  (value) => {
    expect(settingErrors({ [NEW]: { own: true, value } })).toHaveProperty([NEW]);
  },
);
test.each(['0', '100', ' 4.5 ', '33.33', '.5', '8.'])('%j is accepted as a percentage', (value) => {
  expect(settingErrors({ [NEW]: { own: true, value } })).toEqual({});
});
test('an inherited value is not validated', () => {
  expect(settingErrors({ [NEW]: { own: false, value: '' } })).toEqual({});
});

test('values of settings are formatted as text', () => {
  const values = [4.5, 0, 100, null, true, false];
  expect(values.map(formatSetting)).toEqual(['4.5%', '0%', '100%', 'Not set', 'On', 'Off']);
});
