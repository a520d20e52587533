import type { Deal } from '@forecourt/contract/deals';
import { expect, it } from 'vitest';
import { createRowStore } from '../../grid/grid.ts';
import type { DealOptions } from './deal-options.ts';
import { nextDealSort, orderOf, serverOrder, type DealSort } from './deal-order.ts';
import type { DealRow } from './deal-row.ts';
import { dealColumns } from './deals.columns.tsx';

const statuses = ['Entered', 'Called', 'Deal', 'No deal', 'Deal Not Entered', 'To Call'];
const columns = dealColumns(undefined, { mayEditBlank: true });

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

it('cycles through the statuses in configured order and then back to the default', () => {
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

it('brings one status to the top, the others following in configured order, newest first, hiding nothing', () => {
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

it('says the same order to the server, and nothing of what does not exist for this person', () => {
  const options = {
    columns: ['status', 'saleAmount', 'lastEmailedAt'],
    statuses: [{ name: 'Deal' }],
  } as unknown as DealOptions;
  const asked = (sort: DealSort | null) => serverOrder(sort, options);
  expect(asked({ columnId: 'saleAmount', direction: 'descending' })).toEqual({
    sort: 'saleAmount',
    order: 'desc',
  });
  expect(asked({ columnId: 'emailStatus', direction: 'ascending' })).toEqual({
    sort: 'lastEmailedAt',
    order: 'asc',
  });
  const first = (name: string) => asked({ columnId: 'status', direction: 'other', first: name });
  expect(first('Deal')).toEqual({ sort: 'status', firstStatus: 'Deal' });
  expect(first('Gone')).toEqual({});
  expect(asked({ columnId: 'costAmount', direction: 'ascending' })).toEqual({});
  expect(asked(null)).toEqual({});
  expect(serverOrder({ columnId: 'saleAmount', direction: 'ascending' }, undefined)).toEqual({});
});
