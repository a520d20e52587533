import { expect, test } from 'vitest';
import { countingNote, figureLabel } from './figures.ts';

const statuses = (counting: readonly string[]) =>
  ['Entered', 'Called', 'Deal', 'No deal'].map((name) => ({
    name,
    countsForCommission: counting.includes(name),
  }));

test.each([
  [['Deal'], 'Commission (Deal)', 'Commission counts deals with the status Deal only.'],
  [
    ['Called', 'Deal'],
    'Commission (Called, Deal)',
    'Commission counts deals with the status Called or Deal only.',
  ],
  [
    ['Entered', 'Called', 'Deal'],
    'Commission (3 statuses)',
    'Commission counts deals with the status Entered, Called or Deal only.',
  ],
  [[], 'Commission (no status)', 'No status counts for commission.'],
  [['Entered', 'Called', 'Deal', 'No deal'], 'Commission', 'Commission counts deals of every status.'],
])('where %j counts, the commission label includes it', (counting, label, note) => {
  expect(figureLabel('commission', statuses(counting))).toBe(label);
  expect(figureLabel('saleAmount', statuses(counting))).toBe('Sales');
  expect(countingNote(statuses(counting))).toBe(note);
});
