import { expect, test } from 'vitest';
import type { DealRow } from './deal-row.ts';
import { marksOf, placeOf, presenceClass } from './presence.ts';

const [kim, lee] = [
  { _id: '01930000-0000-7000-8000-000000000001', name: 'Kim Clerk' },
  { _id: '01930000-0000-7000-8000-000000000002', name: 'Lee Long' },
] as const;
const saved = { key: 'k', deal: { _id: 'd-1', month: '2025-05' } } as DealRow;
const columnIds = ['customerName', 'emailStatus'];

test('one is in the cell of a saved row, in that row’s month, and otherwise in the month alone', () => {
  const cell = { key: 'k', columnId: 'emailStatus' };
  expect(placeOf('2026-11', cell, saved)).toEqual({
    month: '2025-05',
    dealId: 'd-1',
    column: 'lastEmailedAt',
  });
  expect(placeOf('2026-11', cell, { ...saved, deal: null })).toEqual({ month: '2026-11' });
  expect(placeOf('2026-11', null, undefined)).toEqual({ month: '2026-11' });
});

test('marks are at the rows’ keys and the grid’s columns; two people in one cell share it', () => {
  const inCell = (dealId: string, column: 'customerName' | 'lastEmailedAt' | 'notes') => ({
    cell: { dealId, column },
  });
  const marks = marksOf(
    [
      { ...kim, ...inCell('d-1', 'lastEmailedAt') },
      { ...lee, ...inCell('d-1', 'lastEmailedAt') },
      { ...lee, ...inCell('d-2', 'notes') },
      { ...lee, cell: null },
    ],
    (id) => (id === 'd-1' ? 'typed-here' : id),
    columnIds,
  );
  expect([...marks.keys()]).toEqual(['typed-here']);
  expect(marks.get('typed-here')!.get('emailStatus')).toEqual({
    label: 'KC LL',
    title: 'Kim Clerk is here, Lee Long is here',
    className: presenceClass(kim),
  });
});
