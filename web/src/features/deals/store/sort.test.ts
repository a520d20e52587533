import type { Deal } from '@forecourt/contract/deals';
import { expect, it } from 'vitest';
import { createRowStore, type GridColumn } from '../../../grid/grid.ts';
import type { DealOptions } from '../deal-fields.ts';
import type { DealRow } from '../deal-row.ts';
import type { DealSort } from '../deal-view.ts';
import { dealColumns } from '../deals.columns.tsx';
import { nextDealSort, orderOf, serverOrder, windowSort } from './sort.ts';

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
  const seen: (string | null | undefined)[] = [];
  let sort: DealSort | null = null;
  for (let click = 0; click < 8; click += 1) {
    sort = nextDealSort(sort, 'status', statuses);
    seen.push(sort && sort.first);
  }
  expect(seen).toEqual([...statuses, null, 'Entered']);
});

it('cycles any other column through ascending, descending and default', () => {
  const up = nextDealSort({ columnId: 'status', direction: 'other', first: 'Deal' }, 'vehicle', statuses);
  const down = nextDealSort(up, 'vehicle', statuses);
  expect([up?.direction, down?.direction]).toEqual(['ascending', 'descending']);
  expect(nextDealSort(down, 'vehicle', statuses)).toBeNull();
});

it('an order by status moves one status to the top, the others after it in configured order, newest first, without hiding rows', () => {
  const rows = rowsOf(
    ['a', 'Entered', 1],
    ['b', 'No deal', 2],
    ['c', 'Deal', 3],
    ['d', 'Deal', 4],
    ['e', 'To Call', 5],
    ['f', 'Called', 6],
  );
  const orderFrom = (first: string) =>
    orderOf(rows, { columnId: 'status', direction: 'other', first }, columns, statuses);
  expect(orderFrom('Deal')).toEqual(['d', 'c', 'b', 'e', 'a', 'f']);
  // A stored order can name a status that was renamed or deleted since.
  expect(orderFrom('Gone')).toEqual(orderOf(rows, null, columns, statuses));
});

it('an order sorts newest first by default and puts empty cells last either way', () => {
  const rows = rowsOf(['a', 'Deal', 1, 30], ['b', 'Deal', 2], ['c', 'Deal', 3, 4]);
  expect(orderOf(rows, null, columns, statuses)).toEqual(['c', 'b', 'a']);
  const by = (direction: 'ascending' | 'descending') =>
    orderOf(rows, { columnId: 'saleAmount', direction }, columns, statuses);
  expect(by('ascending')).toEqual(['c', 'a', 'b']);
  expect(by('descending')).toEqual(['a', 'c', 'b']);
});

it('the server gets the same order, without columns or statuses hidden from the user', () => {
  const options = {
    columns: ['status', 'saleAmount', 'lastEmailedAt'],
    statuses: [{ name: 'Called' }, { name: 'Deal' }],
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

it('the screen has an order without an index in a large month, and not in a large search of all months', () => {
  const [byName, byMonth] = ['customerName', 'month'].map((columnId): DealSort => ({
    columnId,
    direction: 'ascending',
  }));
  const month = { month: '2026-11', search: '', filter: null };
  const search = { ...month, search: 'ann' };
  expect(windowSort(byName!, month)).toBe(byName);
  expect(windowSort(byName!, { ...search, inMonth: true })).toBe(byName);
  expect(windowSort(byName!, search)).toBeNull();
  expect(windowSort(byMonth!, search)).toBe(byMonth);
});

it('an order sorts by the displayed value: dates and times by time, texts case-insensitively, empty cells last', () => {
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

it('an order sorts options by their label, items by their text, other values as they are, and times across offsets', () => {
  const rows = createRowStore<DealRow>((announce) => announce());
  const values = { a: 'x1', b: 'x2', c: '' };
  const row = (key: string): DealRow => ({
    key,
    draft: undefined,
    deal: { _id: key, createdAt: '' } as Deal,
  });
  rows.setRows(Object.keys(values).map(row));
  const by = (part: Partial<GridColumn<DealRow>>, texts: Record<string, string> = values) => {
    const get = ({ key }: DealRow): string => texts[key]!;
    const column = { id: 'any', header: 'Any', type: 'text', get, ...part } as GridColumn<DealRow>;
    return orderOf(rows, { columnId: 'any', direction: 'ascending' }, [column], statuses);
  };
  const backwards = (value: unknown): string => (value === '' ? '0' : value === 'x1' ? '2' : '1');
  expect(by({})).toEqual(['a', 'b', 'c']);
  expect(by({ format: backwards })).toEqual(['a', 'b', 'c']);
  expect(by({ type: 'select' })).toEqual(['a', 'b', 'c']);
  expect(by({ type: 'select', format: backwards })).toEqual(['b', 'a', 'c']);
  expect(by({ toText: backwards })).toEqual(['b', 'a', 'c']);
  const times = {
    a: '2026-11-20T09:00:00+11:00',
    b: '2026-11-20T01:00:00.000Z',
    c: '2026-11-19T23:00:00.000Z',
  };
  expect(by({ type: 'datetime' }, times)).toEqual(['a', 'c', 'b']);
});
