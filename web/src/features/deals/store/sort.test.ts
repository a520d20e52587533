import type { Deal } from '@forecourt/contract/deals';
import { expect, it } from 'vitest';
import { createRowStore } from '../../../grid/grid.ts';
import type { DealOptions } from '../deal-options.ts';
import type { DealRow } from '../deal-row.ts';
import { dealColumns } from '../deals.columns.tsx';
import { noFilters } from '../views/filters.ts';
import { nextDealSort, orderOf, serverOrder, windowSort, type DealSort } from './sort.ts';

const statuses = ['Entered', 'Called', 'Deal', 'No deal', 'Deal Not Entered', 'To Call'];
const columns = dealColumns(undefined, { canEditBlank: true });

function rowsOf(...deals: [key: string, status: string, day: number, sale?: number | null][]) {
  const rows = createRowStore<DealRow>((announce) => announce());
  rows.setRows(
    deals.map(([key, status, day, saleAmount = null]) => ({
      key,
      draft: undefined,
      deal: { _id: key, status, saleAmount, createdAt: new Date(2026, 10, day).toISOString() } as Deal,
    })),
  );
  return rows;
}

it('cycles through the statuses in configured order and then returns to the default', () => {
  const seen: (string | undefined)[] = [];
  let sort: DealSort | null = null;
  for (let click = 0; click < 8; click += 1) {
    sort = nextDealSort(sort, 'status', statuses);
    seen.push(sort?.first);
  }
  expect(seen).toEqual([...statuses, undefined, 'Entered']);
});

it('cycles any other column through ascending, descending and default', () => {
  const up = nextDealSort({ columnId: 'status', direction: 'other', first: 'Deal' }, 'vehicle', statuses);
  const down = nextDealSort(up, 'vehicle', statuses);
  expect([up?.direction, down?.direction]).toEqual(['ascending', 'descending']);
  expect(nextDealSort(down, 'vehicle', statuses)).toBeNull();
});

it('moves one status to the top, the others after it in configured order, newest first, without hiding rows', () => {
  const rows = rowsOf(
    ['a', 'Entered', 1],
    ['b', 'No deal', 2],
    ['c', 'Deal', 3],
    ['d', 'Deal', 4],
    ['e', 'To Call', 5],
    ['f', 'Called', 6],
  );
  const order = orderOf(rows, { columnId: 'status', direction: 'other', first: 'Deal' }, columns, statuses);
  expect(order).toEqual(['d', 'c', 'b', 'e', 'a', 'f']);
});

it('sorts newest first by default and puts empty cells last either way', () => {
  const rows = rowsOf(['a', 'Deal', 1, 30], ['b', 'Deal', 2], ['c', 'Deal', 3, 4]);
  expect(orderOf(rows, null, columns, statuses)).toEqual(['c', 'b', 'a']);
  const by = (direction: 'ascending' | 'descending') =>
    orderOf(rows, { columnId: 'saleAmount', direction }, columns, statuses);
  expect(by('ascending')).toEqual(['c', 'a', 'b']);
  expect(by('descending')).toEqual(['a', 'c', 'b']);
});

it('sends the same order to the server, without columns or statuses hidden from the user', () => {
  const options = {
    columns: ['status', 'saleAmount', 'lastEmailedAt'],
    statuses: [{ name: 'Deal' }],
  } as unknown as DealOptions;
  const orderFor = (sort: DealSort | null) => serverOrder(sort, options);
  expect(orderFor({ columnId: 'saleAmount', direction: 'descending' })).toEqual({
    sort: 'saleAmount',
    order: 'desc',
  });
  expect(orderFor({ columnId: 'emailStatus', direction: 'ascending' })).toEqual({
    sort: 'lastEmailedAt',
    order: 'asc',
  });
  const first = (name: string) => orderFor({ columnId: 'status', direction: 'other', first: name });
  expect(first('Deal')).toEqual({ sort: 'status', firstStatus: 'Deal' });
  expect(first('Gone')).toEqual({});
  expect(orderFor({ columnId: 'costAmount', direction: 'ascending' })).toEqual({});
  expect(orderFor(null)).toEqual({});
  expect(serverOrder({ columnId: 'saleAmount', direction: 'ascending' }, undefined)).toEqual({});
});

it('has an order without an index in a large month, and not in a large search of all months', () => {
  const [byName, byMonth] = ['customerName', 'month'].map((columnId): DealSort => ({
    columnId,
    direction: 'ascending',
  }));
  const month = { ...noFilters, month: '2026-11', search: '' };
  const search = { ...month, search: 'ann' };
  expect(windowSort(byName!, month)).toBe(byName);
  expect(windowSort(byName!, { ...search, inMonth: true })).toBe(byName);
  expect(windowSort(byName!, search)).toBeNull();
  expect(windowSort(byMonth!, search)).toBe(byMonth);
});

it('sorts by the displayed value: dates and times by time, texts case-insensitively, empty cells last', () => {
  const rows = createRowStore<DealRow>((announce) => announce());
  const row = (key: string, part: Partial<Deal>): DealRow => ({
    key,
    draft: undefined,
    deal: { _id: key, createdAt: '2026-11-01T00:00:00.000Z', ...part } as Deal,
  });
  rows.setRows([
    row('a', { deliveryDate: '2026-12-01', vehicle: 'b', followUpAt: '2026-12-01T09:00:00.000Z' }),
    row('b', { deliveryDate: null, vehicle: '', followUpAt: null }),
    row('c', { deliveryDate: '2026-02-11', vehicle: 'A', followUpAt: '2026-12-01T08:00:00.000Z' }),
  ]);
  const by = (columnId: string) => orderOf(rows, { columnId, direction: 'ascending' }, columns, statuses);
  expect(by('deliveryDate')).toEqual(['c', 'a', 'b']);
  expect(by('followUpAt')).toEqual(['c', 'a', 'b']);
  expect(by('vehicle')).toEqual(['c', 'a', 'b']);
  expect(by('gone')).toEqual(orderOf(rows, null, columns, statuses));
});
