import { hash } from 'node:crypto';

const LINE_END = 0x0a;

/**
 * A digest of rows of COPY text in any order: PostgreSQL may put a loaded row into an earlier page with space, so that a
 * table returns its rows in another order than the file. Equal rows count as often as they occur.
 */
export function createRowsDigest() {
  const sums = new BigUint64Array(4);
  let rest = Buffer.alloc(0);

  return {
    update(piece: Buffer): void {
      const text = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      let from = 0;
      for (let end = text.indexOf(LINE_END); end >= 0; end = text.indexOf(LINE_END, from)) {
        const bytes = hash('sha256', text.subarray(from, end), 'buffer');
        // Sums wrap around at 2 ** 64.
        for (let word = 0; word < sums.length; word += 1) sums[word]! += bytes.readBigUInt64LE(word * 8);
        from = end + 1;
      }
      rest = Buffer.from(text.subarray(from));
    },

    /** Returns the digest of all complete rows, and of what follows the last one. */
    digest: (): string => [...sums, rest.toString('hex')].join(' '),
  };
}
