import { expect, test } from 'vitest';
import { foreignChanges, type ComparedField } from './foreign-changes.ts';

type Values = { name: string; notes: string };
const fields: readonly ComparedField<Values>[] = [
  { field: 'name', label: 'Name' },
  { field: 'notes', label: 'Notes', text: () => 'changed', exact: ({ notes }) => notes },
];
const base = { name: 'North', notes: 'a' };

test('what only they changed can be taken over', () => {
  expect(foreignChanges(fields, base, { name: 'South', notes: 'b' }, base)).toEqual([
    { field: 'name', label: 'Name', theirs: 'South', isDisputed: false },
    { field: 'notes', label: 'Notes', theirs: 'changed', isDisputed: false },
  ]);
});

test('what both changed in different ways is disputed', () => {
  expect(foreignChanges(fields, base, { ...base, name: 'South' }, { ...base, name: 'East' })).toEqual([
    { field: 'name', label: 'Name', theirs: 'South', isDisputed: true },
  ]);
});

test('what only I changed, or both changed in the same way, is none of theirs', () => {
  expect(foreignChanges(fields, base, base, { name: 'East', notes: 'c' })).toEqual([]);
  expect(foreignChanges(fields, base, { ...base, name: 'South' }, { ...base, name: 'South' })).toEqual([]);
});
