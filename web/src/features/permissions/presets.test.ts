import { expect, test } from 'vitest';
import { presetKeys, presetOf, presets } from './presets.ts';
import { flagKeys, type FlagKey } from './record-values.ts';

const on = (preset: keyof typeof presets): FlagKey[] => flagKeys.filter((key) => presets[preset][key]);

test('a preset says something about every flag and is told by its flags', () => {
  for (const preset of presetKeys) {
    expect(Object.keys(presets[preset]).sort()).toEqual([...flagKeys].sort());
    expect(presetOf(presets[preset])).toBe(preset);
  }
  expect(presetOf({ ...presets.clerk, 'features.bulkEdit': true })).toBeUndefined();
});

test('a team lead may all that a clerk may', () => {
  expect(on('teamLead')).toEqual(expect.arrayContaining(on('clerk')));
});

test('who only reads changes nothing and takes nothing out', () => {
  expect(on('readOnly').filter((key) => /add|edit|delete|change|manage|export/i.test(key))).toEqual([]);
});

test('no preset gives what opens nothing', () => {
  for (const key of ['pages.userManagement', 'pages.backups', 'pages.dealerships'] as const) {
    expect(presetKeys.filter((preset) => presets[preset][key])).toEqual([]);
  }
});
