import { expect, test } from 'vitest';
import { changesOf } from './cell-changes.ts';
import type { CellValue, GridColumn } from './columns.ts';

type Row = { readonly key: string; readonly place: string | null };
const clock = { now: new Date('2026-11-23T00:00:00Z'), timeZone: 'Australia/Sydney' };
const names = new Map([
  ['id-1', 'Open Motors'],
  ['id-2', 'Closed Motors'],
]);
const place: GridColumn<Row> = {
  id: 'place',
  header: 'Place',
  type: 'select',
  get: ({ place: value }) => value,
  options: [{ value: 'id-1', label: 'Open Motors' }],
  format: (value: CellValue) => names.get(String(value)) ?? 'Open Motors',
};

const pasted = (value: string | null, text: string) => {
  const record = { key: 'row', place: value };
  return changesOf([{ key: 'row', column: place, text }], () => record, clock);
};

test('pasting a cell’s own text leaves it unchanged, also when the option is no longer offered', () => {
  expect(pasted('id-2', 'Closed Motors ')).toMatchObject({ changes: [], refused: [] });
});

test('an option that is no longer offered is refused in another cell', () => {
  expect(pasted('id-1', 'Closed Motors')).toMatchObject({
    changes: [],
    refused: [{ text: 'Closed Motors' }],
  });
});

test('an empty cell accepts its display text as a value', () => {
  expect(pasted(null, 'Open Motors').changes).toMatchObject([{ before: null, after: 'id-1' }]);
});
