import { expect, test } from 'vitest';
import { cellKey, withRefusals } from './cell-texts.ts';

const lines = [
  { number: 2, errors: {} },
  { number: 3, errors: { name: 'Required' } },
  { number: 33, errors: {} },
];

test('the server’s refusals are added to the errors of their cells; other lines remain the same', () => {
  const marked = withRefusals(lines, { [cellKey(3, 'phone')]: 'No', [cellKey(33, 'name')]: 'Taken' });
  expect(marked.map(({ errors }) => errors)).toEqual([
    {},
    { name: 'Required', phone: 'No' },
    { name: 'Taken' },
  ]);
  expect(marked[0]).toBe(lines[0]);
  expect(withRefusals(lines, {})).toBe(lines);
});
