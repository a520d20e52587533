import { idleFlags, type FlagKey } from '@forecourt/contract/permission-needs';
import { expect, test } from 'vitest';
import { presetKeys, presetOf, presets } from './presets.ts';
import { flagKeys, type Flags } from './record-values.ts';

const on = (preset: keyof typeof presets): FlagKey[] => flagKeys.filter((key) => presets[preset][key]);

test('a preset sets every flag and is identified by its flags', () => {
  for (const preset of presetKeys) {
    expect(Object.keys(presets[preset]).sort()).toEqual([...flagKeys].sort());
    expect(presetOf(presets[preset])).toBe(preset);
  }
  expect(presetOf({ ...presets.clerk, 'features.bulkEdit': true })).toBeUndefined();
});

test('a team lead has every permission of a clerk', () => {
  expect(on('teamLead')).toEqual(expect.arrayContaining(on('clerk')));
});

test('the read-only preset neither changes nor exports', () => {
  expect(on('readOnly').filter((key) => /add|edit|delete|change|manage|export/i.test(key))).toEqual([]);
});

test('no preset turns on a flag without what it needs', () => {
  const none = Object.fromEntries(flagKeys.map((key) => [key, false])) as Flags;
  for (const preset of presetKeys) expect(idleFlags(none, presets[preset])).toEqual([]);
});

test('no preset has a flag without effect', () => {
  for (const key of ['pages.userManagement', 'pages.backups', 'pages.dealerships'] as const) {
    expect(presetKeys.filter((preset) => presets[preset][key])).toEqual([]);
  }
});
