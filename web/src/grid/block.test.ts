import { expect, test } from 'vitest';
import { blockBetween, blockSpans, blockSizeText } from './block.ts';

test('a block spans from any corner to the opposite one', () => {
  const block = { top: 2, left: 1, bottom: 5, right: 4 };
  expect(blockBetween({ row: 2, column: 1 }, { row: 5, column: 4 })).toEqual(block);
  expect(blockBetween({ row: 5, column: 1 }, { row: 2, column: 4 })).toEqual(block);
});

test('its size is announced as rows by columns', () => {
  expect(blockSizeText({ top: 0, left: 0, bottom: 2, right: 3 })).toBe('3 by 4 cells selected');
  expect(blockSizeText({ top: 0, left: 0, bottom: 99_999, right: 0 })).toBe('100,000 by 1 cells selected');
});

test('rows between the edges keep their span while the block grows', () => {
  const spanOf = blockSpans({ left: 1, right: 2 });
  const small = { top: 3, left: 1, bottom: 6, right: 2 };
  const large = { ...small, bottom: 60 };
  expect(spanOf(2, small)).toBeUndefined();
  expect(spanOf(61, large)).toBeUndefined();
  expect(spanOf(3, small)).toMatchObject({ isTop: true, isBottom: false, from: 1, to: 2 });
  expect(spanOf(6, small)).toMatchObject({ isTop: false, isBottom: true });
  expect(spanOf(4, small)).toBe(spanOf(5, large));
  expect(spanOf(3, { ...small, bottom: 3 })).toMatchObject({ isTop: true, isBottom: true });
});
