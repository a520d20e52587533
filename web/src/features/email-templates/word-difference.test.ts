import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordDifference, type Piece } from './word-difference.ts';

const side = (pieces: Piece[], other: Piece['in']): string =>
  pieces
    .filter((piece) => piece.in !== other)
    .map(({ text }) => text)
    .join('');

/** The minimum number of removed and added words, by a table of longest common subsequences. */
function fewestEdits(a: string[], b: string[]): number {
  const longest = Array.from({ length: a.length + 1 }, () => Array<number>(b.length + 1).fill(0));
  for (const [i, word] of a.entries()) {
    for (const [j, other] of b.entries()) {
      longest[i + 1]![j + 1] =
        word === other ? longest[i]![j]! + 1 : Math.max(longest[i]![j + 1]!, longest[i + 1]![j]!);
    }
  }
  return a.length + b.length - 2 * longest[a.length]![b.length]!;
}

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'dear', '{{name}}'), { maxLength: 30 });
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  words.map((list) => list.join(' ')),
  fc.stringMatching(/^[a-c{} \n.,]{0,60}$/),
);

describe('the difference of two texts', () => {
  test('the difference of two texts contains both texts', () => {
    fc.assert(
      fc.property(anything, anything, (before, after) => {
        const pieces = wordDifference(before, after);
        expect(side(pieces, 'after')).toBe(before);
        expect(side(pieces, 'before')).toBe(after);
      }),
    );
  });

  test('the difference of two texts is minimal', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        const changed = wordDifference(a.join(','), b.join(',')).filter((piece) => piece.in !== 'both');
        const count = changed.flatMap(({ text }) => text.match(/\{\{\w+\}\}|\w+|,/g) ?? []).length;
        const tokens = (list: string[]) => list.flatMap((word, index) => (index > 0 ? [',', word] : [word]));
        expect(count).toBe(fewestEdits(tokens(a), tokens(b)));
      }),
    );
  });

  test('the difference of two texts of equal texts is one piece, of empty ones is empty', () => {
    expect(wordDifference('Dear Ann', 'Dear Ann')).toEqual([{ text: 'Dear Ann', in: 'both' }]);
    expect(wordDifference('', '')).toEqual([]);
  });

  test('the difference of two texts compares words, and a variable is one word', () => {
    expect(wordDifference('Dear {{customerName}}, hello', 'Dear {{contactName}}, hi')).toEqual([
      { text: 'Dear ', in: 'both' },
      { text: '{{customerName}}', in: 'before' },
      { text: '{{contactName}}', in: 'after' },
      { text: ', ', in: 'both' },
      { text: 'hello', in: 'before' },
      { text: 'hi', in: 'after' },
    ]);
  });

  test('the difference of two texts of two long texts without a common word is both texts', () => {
    const [before, after] = ['old '.repeat(20_000), 'new-'.repeat(20_000)];
    expect(wordDifference(before, after)).toEqual([
      { text: before, in: 'before' },
      { text: after, in: 'after' },
    ]);
  });
});
