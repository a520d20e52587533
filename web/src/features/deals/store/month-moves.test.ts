import type { Deal } from '@forecourt/contract/deals';
import { beforeEach, expect, test } from 'vitest';
import { createRowStore, type RowStore } from '../../../grid/grid.ts';
import type { DealRow } from '../deal-row.ts';
import { createLocalVersions, type LocalVersions } from './local-versions.ts';
import { createMonthMoves, type MonthMoves } from './month-moves.ts';

const [OCTOBER, NOVEMBER, DECEMBER] = ['2026-10', '2026-11', '2026-12'];
const deal = (part: Partial<Deal> = {}): Deal => ({ _id: 'd1', month: OCTOBER, version: 1, ...part }) as Deal;

let rows: RowStore<DealRow>;
let sent: unknown[];
let localVersions: LocalVersions;
let moves: MonthMoves;

const show = (shown: Deal): void => rows.upsert([{ key: 'k', deal: shown, draft: undefined }]);

beforeEach(() => {
  rows = createRowStore<DealRow>((announce) => announce());
  sent = [];
  localVersions = createLocalVersions();
  moves = createMonthMoves({
    rows,
    localVersions,
    put(id, version, values, changeSet, month) {
      sent.push({ id, version, values, changeSet, month });
      return Promise.resolve(deal({ version: version + 1, month: month ?? NOVEMBER }));
    },
  });
  show(deal());
});

/** Records the response to an edit that moves the row, then updates the table. */
function move(): void {
  const after = deal({ month: NOVEMBER, version: 2 });
  moves.record('k', after);
  show(after);
}

test('a move of months ignores a row whose month an edit did not change', async () => {
  moves.record('k', deal({ version: 2 }));
  rows.upsert([{ key: 'new', deal: null, draft: undefined }]);
  for (const key of ['new', 'other']) moves.record(key, deal({ month: NOVEMBER }));
  expect(['k', 'new', 'other'].map((key) => moves.has(key))).toEqual([false, false, false]);
  await moves.change('k', { vehicle: null }, true, 'undo 1');
  expect(sent).toEqual([]);
});

test('a move of months moves a row back to its month with the value, and forward again', async () => {
  move();
  expect(moves.has('k')).toBe(true);
  await moves.change('k', { vehicle: null }, true, 'undo 1');
  show(deal({ version: 3 }));
  expect(moves.has('k')).toBe(true);
  await moves.change('k', { vehicle: 'Kia' }, false, 'undo 1');
  expect(sent).toEqual([
    { id: 'd1', version: 2, values: { vehicle: null }, changeSet: 'undo 1', month: OCTOBER },
    { id: 'd1', version: 3, values: { vehicle: 'Kia' }, changeSet: 'undo 1', month: undefined },
  ]);
});

test('a move of months uses the last response for a row that has left the table', async () => {
  move();
  rows.remove(['k']);
  moves.record('k', deal({ month: NOVEMBER, version: 4 }));
  expect(moves.has('k')).toBe(true);
  await moves.change('k', {}, true, 'undo 1');
  await moves.change('k', {}, false, 'undo 1');
  expect(sent).toMatchObject([
    { version: 4, month: OCTOBER },
    { version: 5, month: undefined },
  ]);
});

test('a move of months uses the newest version written from here', async () => {
  move();
  localVersions.record(deal({ version: 7 }), 'changed');
  await moves.change('k', {}, true, 'undo 1');
  expect(sent).toMatchObject([{ version: 7 }]);
});

test('a move of months ignores a row that another user has moved since', () => {
  move();
  show(deal({ month: DECEMBER, version: 3 }));
  expect(moves.has('k')).toBe(false);
});
