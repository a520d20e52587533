/** A stretch of text and in which of two texts it stands. */
export type Piece = { text: string; in: 'both' | 'before' | 'after' };

/** Beyond so many words taken out and put in, a text counts as written anew: time and memory stay small. */
const MOST_EDITS = 1000;

/** Variables, words, spaces and single marks: together the whole text. */
const wordsOf = (text: string): string[] =>
  text.match(/\{\{\w+\}\}|[\p{L}\p{M}\p{N}]+|\s+|[^\s\p{L}\p{M}\p{N}]/gu) ?? [];

/**
 * Which words went and which came from one text to the other, with as few of both as possible. Without the
 * pieces of one text, the others joined are the other text.
 */
export function wordDifference(before: string, after: string): Piece[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return joined([
    ...pieces('both', a.slice(0, start)),
    ...shortestEdit(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...pieces('both', a.slice(a.length - end)),
  ]);
}

const pieces = (where: Piece['in'], words: string[]): Piece[] => words.map((text) => ({ text, in: where }));

/** Myers' greedy algorithm: for 0, 1, 2… edits, how far into `a` each diagonal (place in a - place in b) gets. */
function shortestEdit(a: string[], b: string[]): Piece[] {
  const reach = new Int32Array(2 * MOST_EDITS + 3);
  const middle = MOST_EDITS + 1;
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits <= MOST_EDITS; edits += 1) {
    rounds.push(reach.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = middle + diagonal;
      let x = isAddition(reach, at, diagonal, edits) ? reach[at + 1]! : reach[at - 1]! + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      reach[at] = x;
      if (x >= a.length && x - diagonal >= b.length) return wayBack(a, b, rounds);
    }
  }
  return [...pieces('before', a), ...pieces('after', b)];
}

/** Whether the best way onto a diagonal in this round adds a word; otherwise it takes one out. */
const isAddition = (reach: Int32Array, at: number, diagonal: number, edits: number): boolean =>
  diagonal === -edits || (diagonal !== edits && reach[at - 1]! < reach[at + 1]!);

/** From the end of both texts back to their start, one edit for each round. */
function wayBack(a: string[], b: string[], rounds: Int32Array[]): Piece[] {
  const found: Piece[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = rounds.length - 1; edits > 0; edits -= 1) {
    const reach = rounds[edits]!;
    const at = x - y + edits + 1;
    const adds = isAddition(reach, at, x - y, edits);
    const fromX = reach[adds ? at + 1 : at - 1]!;
    const fromY = fromX - (x - y) - (adds ? 1 : -1);
    for (; x > fromX && y > fromY; x -= 1, y -= 1) found.push({ text: a[x - 1]!, in: 'both' });
    found.push(adds ? { text: b[y - 1]!, in: 'after' } : { text: a[x - 1]!, in: 'before' });
    [x, y] = [fromX, fromY];
  }
  for (; x > 0; x -= 1) found.push({ text: a[x - 1]!, in: 'both' });
  return found.toReversed();
}

/** Neighbours of one kind become one piece. */
function joined(all: Piece[]): Piece[] {
  const whole: Piece[] = [];
  for (const piece of all) {
    const last = whole.at(-1);
    if (last?.in === piece.in) last.text += piece.text;
    else whole.push({ ...piece });
  }
  return whole;
}
