import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCount, formatMoney } from './numbers.ts';

const money = new Intl.NumberFormat('en-AU', { style: 'currency', currency: 'AUD' });
const count = new Intl.NumberFormat('en-AU');

test('money and counts match en-AU, for any number', () => {
  const cents = fc.integer({ min: -1e12, max: 1e12 }).map((all) => all / 100);
  const number = fc.oneof(fc.integer(), cents, fc.double({ noNaN: true }), fc.constantFrom(0, 999.995, 1e21));
  fc.assert(
    fc.property(number, (value) => {
      // A minus before nothing would only be noise.
      const said = Object.is(value, -0) ? 0 : value;
      expect(formatMoney(value)).toBe(money.format(said));
      expect(formatCount(value)).toBe(count.format(said));
    }),
    { numRuns: 2000 },
  );
});
