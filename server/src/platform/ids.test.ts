import { expect, test } from 'vitest';
import { newId } from './ids.ts';

test('ids of one millisecond sort in the order of their creation', () => {
  const ids = Array.from({ length: 10_000 }, newId);
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
});
