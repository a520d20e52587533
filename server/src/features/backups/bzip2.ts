import bzip2 from 'unbzip2-stream/lib/bzip2.js';

const PIECE_BYTES = 256 * 1024;
const UNIT_BYTES = 100_000;

/** Reads bits from chunks as requested by the decoder: `null` skips the rest of a byte. */
function bitsOf(pieces: Iterator<Buffer>) {
  let piece: Buffer = Buffer.alloc(0);
  let at = 0;
  let byte = 0;
  let left = 0;

  /** Returns false at the end of the file. */
  function fill(): boolean {
    if (at < piece.length) return true;
    const next = pieces.next();
    if (next.done) return false;
    piece = next.value;
    at = 0;
    return true;
  }

  function take(count: number | null): number {
    let result = 0;
    if (count === null) left = 0;
    else {
      for (let wanted = count; wanted > 0;) {
        if (left === 0) {
          if (!fill()) throw new Error('The file ends in the middle of a block');
          byte = piece[at++]!;
          left = 8;
        }
        const some = Math.min(wanted, left);
        left -= some;
        wanted -= some;
        result = (result << some) | ((byte >> left) & ((1 << some) - 1));
      }
    }
    return result;
  }
  return { take, fill };
}

/** Collects single bytes into chunks. */
function gather() {
  let pieces: Buffer[] = [];
  let piece = Buffer.allocUnsafe(PIECE_BYTES);
  let size = 0;
  const cut = (): void => {
    pieces.push(piece.subarray(0, size));
    piece = Buffer.allocUnsafe(PIECE_BYTES);
    size = 0;
  };
  const add = (byte: number): void => {
    if (size === PIECE_BYTES) cut();
    piece[size++] = byte;
  };
  const taken = (): Buffer[] => {
    if (size > 0) cut();
    const all = pieces;
    pieces = [];
    return all;
  };
  return { add, taken };
}

/**
 * Decompresses bzip2 block by block: a block expands to 46 MB at most, and none is read before the previous one was
 * consumed. Blocks the thread while it decompresses one.
 */
export function* bunzip2(pieces: Iterator<Buffer>): Generator<Buffer> {
  const bits = bitsOf(pieces);
  const out = gather();
  while (bits.fill()) {
    const blockBytes = UNIT_BYTES * bzip2.header(bits.take);
    const block = new Int32Array(blockBytes);
    let checksum: number | null = 0;
    while (checksum !== null) {
      checksum = bzip2.decompress(bits.take, out.add, block, blockBytes, checksum);
      yield* out.taken();
    }
  }
}
