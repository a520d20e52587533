import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnRange, rowRange, scrollInto } from './window.ts';

test('mounts every visible row, and few others', () => {
  const numbers = fc.record({
    top: fc.nat(3_200_000),
    height: fc.integer({ min: 1, max: 3000 }),
    count: fc.nat(100_000),
  });
  fc.assert(
    fc.property(numbers, ({ top, height, count }) => {
      const { from, to } = rowRange(top, height, 32, count);
      const first = Math.floor(top / 32);
      const last = Math.min(count - 1, Math.ceil((top + height) / 32) - 1);
      if (first < count) expect(from).toBeLessThanOrEqual(first);
      if (last >= first) expect(to).toBeGreaterThan(last);
      expect(to - from).toBeLessThanOrEqual(Math.ceil(height / 32) + 9);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(count);
    }),
  );
});

test('mounts every visible column, in pairs', () => {
  const widths = fc.array(fc.integer({ min: 50, max: 400 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(widths, fc.nat(10_000), fc.integer({ min: 1, max: 2000 }), (sizes, left, width) => {
      const starts = [0];
      for (const size of sizes) starts.push((starts.at(-1) ?? 0) + size);
      const { from, to } = columnRange(left, width, starts);
      for (const [index, size] of sizes.entries()) {
        const start = starts[index] ?? 0;
        const inSight = start < left + width && start + size > left;
        if (inSight) expect(index >= from && index < to).toBe(true);
      }
      expect(from % 2).toBe(0);
    }),
  );
});

test('a window without columns has no range', () => {
  expect(columnRange(0, 100, [0])).toEqual({ from: 0, to: 0 });
});

test('scrolls as little as possible to show an interval', () => {
  expect(scrollInto(100, 200, 150, 180)).toBe(100);
  expect(scrollInto(100, 200, 40, 72)).toBe(40);
  expect(scrollInto(100, 200, 290, 322)).toBe(122);
});
