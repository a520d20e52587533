import type { ImportPreviewRow } from '@forecourt/contract/deal-import';
import { expect, test } from 'vitest';
import { headersOf, withRemembered } from '../../../ui/import/matched-columns.ts';
import type { ImportedField } from './cells.ts';
import { countWrongCells, type ImportLine } from './plan.ts';
import {
  comparisonsIn,
  decisionsOf,
  leftSince,
  shownDecisions,
  withInvalidChoices,
  withPreview,
} from './update-plan.ts';

const fields = [
  { field: 'dealNumber', label: 'Deal number' },
  { field: 'customerName', label: 'Customer' },
  { field: 'customerNumber', label: 'Phone' },
  { field: 'notes', label: 'Notes' },
  { field: 'month', label: 'Month' },
  { field: 'custom1', label: 'Stock number' },
  { field: 'custom2', label: 'Paid on' },
] as const satisfies { field: ImportedField; label: string }[];
const customFields = [
  { key: 'custom1', type: 'text' },
  { key: 'custom2', type: 'date' },
] as unknown as Parameters<typeof comparisonsIn>[2];
const matchOf = (columns: Partial<Record<ImportedField, number>>) =>
  ({
    ...Object.fromEntries(fields.map(({ field }) => [field, null])),
    ...columns,
  }) as Parameters<typeof comparisonsIn>[0];

test('lines find their rows by the deal number, else by phone and customer, else by a text column of the file', () => {
  const namesIn = (columns: Parameters<typeof matchOf>[0]) =>
    comparisonsIn(matchOf(columns), fields, customFields).map(({ value }) => value);
  expect(namesIn({ notes: 0, custom1: 1, customerNumber: 2, customerName: 3, dealNumber: 4 })).toEqual([
    'dealNumber',
    'phoneAndName',
    'customerName',
    'customerNumber',
    'custom1',
  ]);
  expect(namesIn({ customerNumber: 0, custom2: 1 })).toEqual(['customerNumber']);
  expect(namesIn({ notes: 0 })).toEqual([]);
});

const line = (number: number, changes: Partial<ImportLine> = {}): ImportLine => ({
  number,
  cells: { dealNumber: `D-${number}`, notes: 'New', month: '' } as ImportLine['cells'],
  errors: {},
  leftOut: null,
  input: {},
  numbers: { phone: null, dealNumber: null },
  ...changes,
});
const ann = { _id: 'ann', month: '2026-11', customerName: 'Ann' };
const result = (changes: Partial<ImportPreviewRow>): ImportPreviewRow => ({
  kind: 'changed',
  deal: { ...ann, version: 3 },
  candidates: [],
  changes: [],
  reason: null,
  earlierRow: null,
  ...changes,
});
const presenting = {
  fields,
  compared: ['dealNumber'] as const,
  canAdd: true,
  timeZone: 'Australia/Sydney',
};
const shown = (row: ImportPreviewRow, canAdd = true) =>
  withPreview([line(2)], [row], { ...presenting, canAdd })[0]!;
const valuesOf = ({ choice }: ImportLine) => [choice?.value, choice?.options.map(({ value }) => value)];

test('a line that changes a row shows old and new value, also of a field that is not in the file', () => {
  const changes = [
    { field: 'notes' as const, before: null, after: 'New' },
    { field: 'month' as const, before: '2026-10', after: '2026-11' },
    { field: 'commission' as const, before: 1, after: 2 },
  ];
  const one = shown(result({ changes }));
  expect(one.changes).toEqual({
    notes: { before: 'empty', after: 'New' },
    month: { before: 'October 2026', after: 'November 2026' },
  });
  expect(one.cells.month).toBe('November 2026');
  expect([one.leftOut, one.isSame, ...valuesOf(one)]).toEqual([null, false, 'ann', ['ann', 'new', 'none']]);
});

test('the user chooses the row of a line that several rows match, or adds it, or leaves it out', () => {
  const candidates = [ann, { ...ann, _id: 'bob', customerName: 'Bob' }];
  const several = shown(
    result({ kind: 'ambiguous', deal: null, candidates, reason: 'Several rows match it.' }),
  );
  expect(several.leftOut).toBe('Left out. Several rows match it.');
  expect(several.candidates).toEqual(candidates);
  expect(valuesOf(several)).toEqual(['', ['', 'ann', 'bob', 'new', 'none']]);
  expect(several.choice?.options[1]?.label).toBe('Update Ann, November 2026');
  expect(valuesOf(shown(result({ candidates })))).toEqual(['ann', ['ann', 'bob', 'new', 'none']]);
  const none = result({ kind: 'unmatched', deal: null, reason: 'No row matches it.' });
  expect(valuesOf(shown(none))).toEqual(['none', ['new', 'none']]);
  expect(shown(none, false).choice).toBeUndefined();
  expect(shown(result({ kind: 'same' }))).toMatchObject({ isSame: true, leftOut: null });
});

test('the user leaves out or adds a line that the server refuses, also if the chosen row no longer matches', () => {
  const refused = (changes: Partial<ImportPreviewRow>) =>
    shown(result({ kind: 'refused', reason: 'Refused.', ...changes }));
  expect(valuesOf(refused({}))).toEqual(['ann', ['ann', 'new', 'none']]);
  const gone = refused({ deal: null });
  expect(valuesOf(gone)).toEqual(['', ['', 'new', 'none']]);
  expect(gone.choice?.options[0]?.label).toBe('Not decided');
  const candidates = [ann, { ...ann, _id: 'bob' }];
  expect(valuesOf(refused({ deal: null, candidates }))).toEqual(['', ['', 'ann', 'bob', 'new', 'none']]);
});

test('a line for the same row as an earlier one names it, and is added as a new row or left out', () => {
  const twice = result({ kind: 'refused', deal: null, candidates: [ann], reason: 'Twice.', earlierRow: 0 });
  const [, second] = withPreview([line(4), line(6)], [result({}), twice], presenting);
  expect(second!.leftOut).toBe('Left out. Line 4 is for the same row.');
  expect(valuesOf(second!)).toEqual(['', ['', 'ann', 'new', 'none']]);
});

test('a line with an invalid cell is corrected or left out, and then its cell no longer blocks the import', () => {
  const lines = [line(2), line(3, { errors: { notes: 'Must be plain text' } })];
  const [valid, invalid] = withInvalidChoices(lines, new Map());
  expect(valid).toBe(lines[0]);
  expect([invalid!.leftOut, ...valuesOf(invalid!)]).toEqual([null, '', ['', 'none']]);
  const [, left] = withInvalidChoices(lines, new Map([[3, 'none']]));
  expect([left!.leftOut, ...valuesOf(left!)]).toEqual(['Left out', 'none', ['', 'none']]);
  expect([countWrongCells([invalid!]), countWrongCells([left!])]).toEqual([1, 0]);
});

test('the cell by which a line finds its row can be edited in a line without a row', () => {
  const editableIn = (changes: Partial<ImportPreviewRow>) => shown(result(changes)).editable;
  expect(editableIn({})).toBeUndefined();
  for (const kind of ['unmatched', 'ambiguous', 'new', 'none', 'refused'] as const)
    expect(editableIn({ kind, deal: null })).toEqual(['dealNumber']);
});

test('the user takes back that a line with one matching row is left out or added', () => {
  const all = ['ann', 'new', 'none'];
  for (const kind of ['none', 'new'] as const)
    expect(valuesOf(shown(result({ kind, deal: null, candidates: [ann] })))).toEqual([kind, all]);
});

test('a preview gets what the user decided, and an import does with each line only what the preview showed', () => {
  const lines = [line(2), line(3), line(4), line(5)];
  const decisions = new Map([
    [3, 'new'],
    [4, 'bob'],
    [5, ''],
  ]);
  expect(decisionsOf(lines, decisions)).toEqual([
    { row: 1, deal: 'new' },
    { row: 2, deal: 'bob' },
  ]);
  const preview = [
    result({}),
    result({ kind: 'new', deal: null }),
    result({ kind: 'same', deal: { ...ann, _id: 'bob', version: 7 } }),
    result({ kind: 'ambiguous', deal: null, candidates: [ann], reason: 'Several rows match it.' }),
    result({ kind: 'new', deal: null, candidates: [ann] }),
    result({ kind: 'unmatched', deal: null, reason: 'No row matches it.' }),
    result({ kind: 'refused', reason: 'Only its owner may change it.' }),
    result({ kind: 'none', deal: null, candidates: [ann] }),
  ];
  expect(shownDecisions(preview)).toEqual([
    { row: 0, deal: 'ann', version: 3 },
    { row: 1, deal: 'newIfUnmatched' },
    { row: 2, deal: 'bob', version: 7 },
    { row: 3, deal: 'none' },
    { row: 4, deal: 'new' },
    { row: 5, deal: 'none' },
    { row: 6, deal: 'none' },
    { row: 7, deal: 'none' },
  ]);
  const left = [
    { row: 0, reason: 'Ada changed Notes of this row since.' },
    { row: 3, reason: 'Several rows match it.' },
  ];
  // The other one was announced.
  expect(leftSince(left, lines, preview)).toEqual([
    { line: 2, reason: 'Ada changed Notes of this row since.' },
  ]);
});

test('the columns of a dealership’s last file are found by their headers, if the file has them', () => {
  const header = ['Vertrag', 'Bemerkung', 'Notes'];
  const match = matchOf({ notes: 2, customerName: 1 });
  expect(headersOf(match, header)).toEqual({ notes: 'Notes', customerName: 'Bemerkung' });
  const remembered = { dealNumber: 'Vertrag', notes: 'Bemerkung', month: 'Monat', vehicle: 'Vertrag' };
  expect(withRemembered(match, remembered, header, new Set())).toMatchObject({
    dealNumber: 0,
    notes: 1,
    // Its column is that of another field now.
    customerName: null,
    month: null,
  });
  // Fields that the user has matched keep their columns, and the others do not get these.
  const own = matchOf({ notes: 0, customerName: 2 });
  expect(withRemembered(own, remembered, header, new Set(['notes']))).toMatchObject({
    notes: 0,
    dealNumber: null,
    customerName: 2,
  });
});
