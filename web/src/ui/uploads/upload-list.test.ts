import { MAX_ATTACHMENTS, MAX_ATTACHMENTS_BYTES } from '@forecourt/contract/attachment-limits';
import { expect, test } from 'vitest';
import { chosenFiles, sumOf } from './upload-list.ts';

const MB = 1024 * 1024;
const limits = { count: MAX_ATTACHMENTS, total: MAX_ATTACHMENTS_BYTES };
const file = (name: string, size: number) => ({ name, size });
const states = (files: ReturnType<typeof chosenFiles>) => files.map(({ name, state }) => `${name} ${state}`);

test('the list of uploads accepts 10 MB in total, and not a byte more', () => {
  expect(states(chosenFiles([], [file('a', 4 * MB), file('b', 6 * MB), file('c', 1)], limits))).toEqual([
    'a uploading',
    'b uploading',
    'c refused',
  ]);
});

test('a file over the limit is refused with a reason and does not block the others', () => {
  const first = chosenFiles([], [file('large', 10 * MB + 1), file('small', 5)], limits);
  expect(states(first)).toEqual(['large refused', 'small uploading']);
  expect(first[0]).toMatchObject({ reason: 'The files may have at most 10 MB together' });
  expect(sumOf(first)).toBe(5);
  expect(states(chosenFiles(first, [file('rest', 10 * MB - 5)], limits))).toEqual(['rest uploading']);
});

test('the list of uploads has a limit of each file', () => {
  const files = chosenFiles([], [file('a', 20 * MB), file('b', 20 * MB + 1)], { count: 5, each: 20 * MB });
  expect(files).toMatchObject([{ state: 'uploading' }, { reason: 'A file may have at most 20 MB' }]);
});

test('an empty file is refused, and the twenty-first', () => {
  expect(chosenFiles([], [file('none', 0)], limits)[0]).toMatchObject({ reason: 'The file is empty' });
  const many = chosenFiles(
    [],
    Array.from({ length: 21 }, (_, index) => file(String(index), 1)),
    limits,
  );
  expect(many.filter(({ state }) => state === 'uploading')).toHaveLength(20);
  expect(many[20]).toMatchObject({ reason: 'At most 20 files can be attached' });
});
