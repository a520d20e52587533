import type { RevertRow } from '@forecourt/contract/deal-changes';
import { expect, test } from 'vitest';
import { emptyChoice, isIncluded, revertBodyOf, sortRows } from './revert-choice.ts';

const row = (_id: string, part: Partial<RevertRow>): RevertRow => ({
  _id,
  version: 3,
  month: '2026-11',
  isDeleted: false,
  effect: 'changed',
  fullEffect: 'changed',
  changes: [],
  left: [],
  reason: null,
  emailedAt: null,
  ...part,
});
const later = { field: 'notes', before: 'Met', after: 'Rang', by: 'Ada', at: null } as const;
const plain = row('plain', {});
const both = row('both', { left: [later] });
const kept = row('kept', { effect: null, left: [later] });
const refused = row('refused', { effect: null, fullEffect: null, reason: 'You may not delete this row.' });
const rows = sortRows([plain, refused, both, kept]);

test('the preview of a revert begins with rows that need a decision, then those that are refused', () => {
  expect(rows.map(({ _id }) => _id)).toEqual(['both', 'kept', 'refused', 'plain']);
});

test('a revert without a choice names the rows that change, and no field that was changed since', () => {
  expect(revertBodyOf(rows, emptyChoice)).toEqual({ rows: ['both', 'plain'] });
});

test('a revert leaves out unticked rows, and includes a row of which a later change is overwritten', () => {
  const overwrite = new Map([
    ['both', new Set(['notes'])],
    ['kept', new Set(['notes'])],
  ]);
  const choice = { unticked: new Set(['both']), overwrite };
  expect(isIncluded(both, choice)).toBe(false);
  expect(revertBodyOf(rows, choice)).toEqual({
    rows: ['kept', 'plain'],
    overwrite: [{ dealId: 'kept', fields: ['notes'], version: 3 }],
  });
});
