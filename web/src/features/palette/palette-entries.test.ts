import { expect, test } from 'vitest';
import { grouped, matching, type PaletteEntry, type PaletteGroup } from './palette-entries.ts';

const entry = (label: string, group: PaletteGroup = 'screens', note = ''): PaletteEntry => ({
  id: label,
  group,
  label,
  note,
  run: () => undefined,
});
const labels = (entries: readonly PaletteEntry[]) => entries.map(({ label }) => label);

const all = [
  entry('Email Templates'),
  entry('Data Entry'),
  entry('Harbour New Cars', 'dealerships', '1 Pier Street'),
  entry('New template', 'actions'),
];

test('every word must match, in any order, in the name or the note', () => {
  expect(labels(matching(all, 'cars harb', 9))).toEqual(['Harbour New Cars']);
  expect(labels(matching(all, 'pier', 9))).toEqual(['Harbour New Cars']);
  expect(labels(matching(all, 'pier entry', 9))).toEqual([]);
});

test('ranks names that start with the text first, then names with such a word', () => {
  expect(labels(matching(all, 'new', 9))).toEqual(['New template', 'Harbour New Cars']);
  expect(labels(matching(all, 'te', 9))).toEqual(['Email Templates', 'New template']);
});

test('limits each group, in order of first occurrence', () => {
  const many = ['Data A', 'Data B', 'Data C'].map((label) => entry(label, 'deals'));
  const found = matching([...many, ...all], 'data', 2);
  expect(labels(found)).toEqual(['Data A', 'Data B', 'Data Entry']);
  expect(grouped(found).map(([group, entries]) => [group, entries.length])).toEqual([
    ['deals', 2],
    ['screens', 1],
  ]);
});
