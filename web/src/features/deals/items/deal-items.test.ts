import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemsValue, linesOf, type DealLine } from '../deal-fields.ts';
import { formatItems, formatPricedItems, lastItem, parseItems, sentItems, sumOf } from './deal-items.ts';

const offered = [
  { _id: 'tint', name: 'Tint', price: 499.5 },
  { _id: 'tint-pro', name: 'Tint, professional', price: 900 },
  { _id: 'cam', name: 'Dash cam', price: 250 },
  { _id: 'dent', name: 'Dent repair', price: null },
];
const line = (itemId: string, name: string, quantity = 1): DealLine => ({
  itemId,
  name,
  quantity,
  unitPrice: null,
});
const TINT = line('tint', 'Tint');
const TWO_CAMS = line('cam', 'Dash cam', 2);

describe('items formatted for a cell', () => {
  test('items formatted for a cell have their quantity after the name if it is above one', () => {
    expect(formatItems(itemsValue([TINT, TWO_CAMS]))).toBe('Tint, Dash cam ×2');
    expect([formatItems(null), formatItems(''), itemsValue([])]).toEqual(['', '', null]);
  });

  test('items formatted for a cell have their prices where they are compared', () => {
    const items = [
      { ...TINT, unitPrice: 499.5 },
      { ...TWO_CAMS, unitPrice: 250 },
    ];
    expect(formatPricedItems(items)).toBe('Tint at $499.50, Dash cam ×2 at $250.00');
  });

  test('items formatted for a cell are sent without names, and with a price where one is known', () => {
    const value = itemsValue([TINT, { ...TWO_CAMS, unitPrice: 200 }]);
    expect(sentItems(value)).toEqual([
      { itemId: 'tint', quantity: 1 },
      { itemId: 'cam', quantity: 2, unitPrice: 200 },
    ]);
  });

  test('items formatted for a cell are summed in whole cents, and not while a price is unknown', () => {
    expect(sumOf([{ quantity: 3, unitPrice: 0.1 }])).toBe(0.3);
    expect(sumOf([TINT])).toBeNull();
  });
});

describe('parsed items', () => {
  test.each([
    ['Tint, Dash cam ×2', [TINT, TWO_CAMS]],
    ['tint; dash cam x2', [TINT, TWO_CAMS]],
    [' das * 2 , tint ', [TWO_CAMS, TINT]],
    ['Tint, professional', [line('tint-pro', 'Tint, professional')]],
    ['Tint x9999', [line('tint', 'Tint', 9999)]],
    ['Tint, professional x3, Tint', [line('tint-pro', 'Tint, professional', 3), TINT]],
    ['Tint, ', [TINT]],
    [', Tint,, dash', [TINT, line('cam', 'Dash cam')]],
  ])('the text of items is parsed: %s', (text, lines) => {
    expect(parseItems(text, offered)).toEqual({ ok: true, value: itemsValue(lines) });
  });

  test.each([
    ['Wax', 'There is no item called “Wax”'],
    ['Tint, Wax x2', 'There is no item called “Wax”'],
    ['Tint\nWax', 'There is no item called “Tint\nWax”'],
    ['d', 'Several items begin with “d”'],
    ['Tint x0', 'Please enter a whole number from 1 to 9999'],
    ['Tint x10000', 'Please enter a whole number from 1 to 9999'],
  ])('%s is refused', (text, message) => {
    expect(parseItems(text, offered)).toEqual({ ok: false, message });
  });

  test('parsed items are at most as many as a deal can have', () => {
    const text = (count: number) => Array.from({ length: count }, () => 'Tint').join(', ');
    expect(parseItems(text(50), offered).ok).toBe(true);
    expect(parseItems(text(51), offered)).toEqual({ ok: false, message: 'A deal has at most 50 items' });
  });

  test('parsed items keep the names and prices that they have in the row, one line each', () => {
    const own = { ...TWO_CAMS, name: 'Camera', unitPrice: 200 };
    const retired = { ...line('wax', 'Wax'), unitPrice: 30 };
    const present = itemsValue([own, retired, { ...own, unitPrice: 210 }]);
    const parsed = (text: string) => {
      const result = parseItems(text, offered, present);
      return result.ok ? linesOf(result.value) : result.message;
    };
    expect(parsed('Camera, Wax, Camera, tint')).toEqual([
      { ...own, quantity: 1 },
      retired,
      { ...own, quantity: 1, unitPrice: 210 },
      TINT,
    ]);
    expect(parsed('dash x3, dash, dash')).toEqual([
      { ...own, quantity: 3 },
      { ...own, quantity: 1, unitPrice: 210 },
      line('cam', 'Dash cam'),
    ]);
    expect(parsed('wa x2')).toEqual([{ ...retired, quantity: 2 }]);
  });

  test('a formatted text is parsed to the same items', () => {
    const any = fc.array(
      fc.record({ item: fc.constantFrom(...offered), quantity: fc.integer({ min: 1, max: 9999 }) }),
      { minLength: 1, maxLength: 50 },
    );
    fc.assert(
      fc.property(any, (chosen) => {
        const lines = chosen.map(({ item, quantity }) => line(item._id, item.name, quantity));
        const parsed = parseItems(formatItems(itemsValue(lines)), offered);
        expect(parsed.ok && linesOf(parsed.value)).toEqual(lines);
      }),
    );
  });
});

describe('the item that is being typed at the end of a text', () => {
  test.each([
    ['', '', '', ''],
    ['ti', '', 'ti', ''],
    ['Tint, ', 'Tint, ', '', ''],
    ['Tint, das', 'Tint, ', 'das', ''],
    ['dash x', '', 'dash', ' x'],
    ['Tint; dash cam x2', 'Tint; ', 'dash cam', ' x2'],
    ['dash, tint, prof', 'dash, ', 'tint, prof', ''],
    ['wa', '', 'wa', ''],
    ['Tint, wax', 'Tint, ', 'wax', ''],
  ])('the item that is being typed at the end of a text of %j', (text, before, typed, after) => {
    expect(lastItem(text, offered)).toEqual({ before, typed, after });
  });
});
