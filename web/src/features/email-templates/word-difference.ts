import { diffArrays } from 'diff';

/** A piece of text, and the text or texts that contain it. */
export type Piece = { text: string; in: 'both' | 'before' | 'after' };

/** Above this number of edits a text counts as replaced: limits time and memory. */
const MAX_EDITS = 1000;

/** Splits into variables, words, spaces and single punctuation marks, without loss. */
const wordsOf = (text: string): string[] =>
  text.match(/\{\{\w+\}\}|[\p{L}\p{M}\p{N}]+|\s+|[^\s\p{L}\p{M}\p{N}]/gu) ?? [];

/**
 * Returns the removed and added words between two texts, with as few edits as possible. Without the pieces of one
 * text, the pieces joined are the other text.
 */
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
