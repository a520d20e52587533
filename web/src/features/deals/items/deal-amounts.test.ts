import { grossProfitOf, sumOfLines } from '@forecourt/contract/deal-amounts';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const MAX_CENTS = 999_999_999_999;
const cents = fc.integer({ min: -MAX_CENTS, max: MAX_CENTS });

test('a sum of lines is exact to the cent', () => {
  const lines = fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 9999 }),
      price: fc.integer({ min: 0, max: 99_999_999 }),
    }),
  );
  fc.assert(
    fc.property(lines, (all) => {
      const sum = all.reduce((total, { quantity, price }) => total + quantity * price, 0);
      expect(sumOfLines(all.map(({ quantity, price }) => ({ quantity, unitPrice: price / 100 })))).toBe(
        sum / 100,
      );
    }),
    { examples: [[[{ quantity: 1, price: 115 }]], [[{ quantity: 3, price: 29 }]], [[]]] },
  );
});

test('gross profit is exact to the cent', () => {
  fc.assert(
    fc.property(cents, cents, (sale, cost) => {
      expect(grossProfitOf(sale / 100, cost / 100)).toBe((sale - cost) / 100);
    }),
    { examples: [[30, 10]] },
  );
});

test('gross profit is unknown while sale or cost is', () => {
  expect([grossProfitOf(null, 1), grossProfitOf(1, null), grossProfitOf(0, 0)]).toEqual([null, null, 0]);
});
