import { dealColumns } from '@forecourt/contract/deal-fields';
import type { Deal } from '@forecourt/contract/deals';
import { expect, test } from 'vitest';
import { figuresOfRows, withCommission } from './figures-of-rows.ts';

const statuses = [
  { name: 'Deal', countsForCommission: true },
  { name: 'Called', countsForCommission: false },
] as never;
const all = { columns: [...dealColumns], statuses };
const without = (...hidden: string[]) => ({
  columns: dealColumns.filter((column) => !hidden.includes(column)),
  statuses,
});
const deal = (status: string, saleAmount: number | null, commission: number | null = null) =>
  ({ status, saleAmount, grossProfit: saleAmount === null ? null : saleAmount - 0.1, commission }) as Deal;

test('the figures of a month add up its rows to the cent; commission of the statuses that count', () => {
  const rows = [deal('Deal', 0.3, 0.1), deal('Deal', 0.6, 0.2), deal('Called', 5, 1), deal('Deal', null)];
  expect(figuresOfRows(rows, all)).toEqual({
    total: 4,
    saleAmount: 5.9,
    grossProfit: 5.6,
    commission: 0.3,
    withoutRate: 0,
  });
  expect(figuresOfRows([...rows, deal('Deal', 7)], all)).toMatchObject({ commission: 0.3, withoutRate: 1 });
  expect(figuresOfRows([deal('Deal', 7)], all)).toMatchObject({ commission: null, withoutRate: 1 });
});

test('the figures of a month have none of a hidden column, and are left to the server where commission depends on one', () => {
  const rows = [deal('Deal', 100, 10)];
  expect(figuresOfRows(rows, without('commission', 'grossProfit'))).toEqual({ total: 1, saleAmount: 100 });
  expect(figuresOfRows(rows, without('status'))).toBeUndefined();
  expect(figuresOfRows(rows, without('saleAmount'))).toBeUndefined();
  expect(figuresOfRows(rows, without('status', 'commission'))).toMatchObject({ saleAmount: 100 });
});

test('the figures of a month without an amount that counts have the commission of the server: 0 or not set', () => {
  const none = figuresOfRows([deal('Called', 5, 1)], all);
  expect(none).toEqual({ total: 1, saleAmount: 5, grossProfit: 4.9, withoutRate: 0 });
  const loaded = { total: 0, commission: null, withoutRate: 0 };
  expect(withCommission(none, loaded)).toEqual({ ...none, commission: null });
  expect(withCommission(none, { ...loaded, commission: 0 })).toEqual({ ...none, commission: 0 });
  for (const other of [undefined, { ...loaded, commission: 5 }, { ...loaded, withoutRate: 1 }])
    expect(withCommission(none, other)).toBeUndefined();
  const [some, hidden] = [
    figuresOfRows([deal('Deal', 7)], all),
    figuresOfRows([deal('Deal', 7)], without('commission')),
  ];
  expect([withCommission(some, loaded), withCommission(hidden, undefined)]).toEqual([some, hidden]);
});
