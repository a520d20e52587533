import { expect, test } from 'vitest';
import { createRowsDigest } from './rows-digest.ts';

const digestOf = (...pieces: string[]): string => {
  const digest = createRowsDigest();
  for (const piece of pieces) digest.update(Buffer.from(piece));
  return digest.digest();
};

test('a digest of rows is the same in any order and any pieces', () => {
  const whole = digestOf('1\ta\n2\tb\n2\tb\n');
  expect(digestOf('2\tb\n1', '\ta', '\n2\tb\n')).toBe(whole);
  expect(digestOf('', '2\tb\n2\tb\n1\ta\n')).toBe(whole);
});

test.each(['1\ta\n2\tb\n', '1\ta\n2\tb\n2\tc\n', '1\ta\n1\ta\n2\tb\n', '1\ta\n2\tb\n2\tb\nrest', ''])(
  'a digest of rows differs from that of other rows, %j',
  (text) => {
    expect(digestOf(text)).not.toBe(digestOf('1\ta\n2\tb\n2\tb\n'));
  },
);
