import { diffArrays } from 'diff';

/** A piece of text, and which of the two texts contains it. */
export type Piece = { text: string; in: 'both' | 'before' | 'after' };

/** Above this number of edits a text counts as replaced, to limit time and memory. */
const MAX_EDITS = 1000;

/** Splits a text into variables, words, spaces and punctuation marks. */
const wordsOf = (text: string): string[] =>
  text.match(/\{\{\w+\}\}|[\p{L}\p{M}\p{N}]+|\s+|[^\s\p{L}\p{M}\p{N}]/gu) ?? [];

/** Returns the removed and added words with as few edits as possible. All pieces of one text, joined, are that text. */
export function wordDifference(before: string, after: string): Piece[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_EDITS });
  const pieces =
    changes?.map(({ value, added, removed }): Piece => {
      const place = removed ? 'before' : 'both';
      return { text: value.join(''), in: added ? 'after' : place };
    }) ??
    ([
      { text: before, in: 'before' },
      { text: after, in: 'after' },
    ] satisfies Piece[]);
  return pieces.filter(({ text }) => text !== '');
}
