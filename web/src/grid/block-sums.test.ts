import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockSums } from './block-sums.ts';
import type { GridColumn } from './columns.ts';
import { createRowStore } from './row-store.ts';

interface Row {
  readonly key: string;
  readonly sale: number | null;
  readonly quantity?: number;
  readonly name?: string;
}
const sale: GridColumn<Row> = { id: 'sale', header: 'Sale', type: 'currency', get: (row) => row.sale };
const quantity: GridColumn<Row> = {
  id: 'quantity',
  header: 'Quantity',
  type: 'number',
  get: (row) => row.quantity ?? null,
};
const name: GridColumn<Row> = { id: 'name', header: 'Name', type: 'text', get: (row) => row.name ?? null };

function storeOf(rows: readonly Row[]) {
  const store = createRowStore<Row>(() => undefined);
  store.setRows(rows);
  return store;
}

test('blockSums counts texts, adds up numbers and ignores empty cells', () => {
  const store = storeOf([
    { key: 'a', sale: 0.1, quantity: 2, name: 'Ava' },
    { key: 'b', sale: 0.2 },
    { key: 'c', sale: null, name: '' },
  ]);
  expect(blockSums(store, ['a', 'b', 'c'], [sale, name])).toEqual({
    count: 3,
    numbers: 2,
    sum: 0.3,
    isMoney: true,
  });
  expect(blockSums(store, ['a'], [sale, quantity])).toMatchObject({ sum: 2.1, isMoney: false });
  expect(blockSums(store, ['gone'], [sale])).toMatchObject({ count: 0, numbers: 0, sum: 0 });
});

test('numbers of four decimals add up exactly, also large and negative ones', () => {
  const numbers = [999_999_999_999.1234, -999_999_999_999.1234, 0.0001, 0.0002];
  const rows = numbers.map((number, at) => ({ key: String(at), sale: null, quantity: number }));
  const keys = rows.map(({ key }) => key);
  expect(blockSums(storeOf(rows), keys, [quantity]).sum).toBe(0.0003);
});

test('the sums of a block add up to the cent', () => {
  const cents = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(cents, (amounts) => {
      const rows = amounts.map((amount, at) => ({ key: String(at), sale: amount / 100 }));
      const total = amounts.reduce((sum, amount) => sum + amount, 0);
      const { sum } = blockSums(
        storeOf(rows),
        rows.map(({ key }) => key),
        [sale],
      );
      expect(Math.round(sum * 100)).toBe(total);
    }),
  );
});
