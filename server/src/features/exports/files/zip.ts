import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

export type ZipEntry = { name: string; content: AsyncIterable<Buffer> | Iterable<Buffer> };

/** What the plain zip format can count to; no spreadsheet program reads a sheet that is larger. */
const MOST_BYTES = 0xffff_ffff;

/** 1 January 1980, the first day that the format knows: the same rows always make the same file. */
const DATE = 0x0021;
/** Sizes follow the content, and names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;

type Written = { name: Buffer; at: number; crc: number; packed: number; plain: number };

/** The fields that the local and the central header have in common. */
function common({ name, crc, packed, plain }: Written): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(FLAGS, 2);
  fields.writeUInt16LE(DEFLATE, 4);
  fields.writeUInt16LE(DATE, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(packed, 14);
  fields.writeUInt32LE(plain, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

const numbers = (...values: number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => buffer.writeUInt32LE(value, index * 4));
  return buffer;
};

const LOCAL = numbers(0x0403_4b50);
const CENTRAL = Buffer.concat([numbers(0x0201_4b50), Buffer.from([20, 0])]);
const CENTRAL_REST = 14;

/**
 * A zip file as it grows: nothing of it is kept, so it needs no more memory for a million rows than for one
 * (write-excel-file builds the whole sheet first). Throws a RangeError beyond 4 GB.
 */
export async function* zipFile(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let at = 0;
  const sent = (piece: Buffer): Buffer => {
    at += piece.length;
    if (at > MOST_BYTES) throw new RangeError('A zip file holds at most 4 GB');
    return piece;
  };

  for (const { name, content } of entries) {
    const entry: Written = { name: Buffer.from(name), at, crc: 0, packed: 0, plain: 0 };
    yield sent(Buffer.concat([LOCAL, common(entry), entry.name]));
    const deflate = createDeflateRaw({ level: 1 });
    const packing = pipeline(Readable.from(measured(entry, content), { objectMode: true }), deflate);
    // Whoever stops reading in the middle is told so here, and nowhere else.
    packing.catch(() => {});
    for await (const piece of deflate as AsyncIterable<Buffer>) {
      entry.packed += piece.length;
      yield sent(piece);
    }
    await packing;
    yield sent(numbers(0x0807_4b50, entry.crc, entry.packed, entry.plain));
    written.push(entry);
  }

  const start = at;
  for (const entry of written) {
    const rest = Buffer.alloc(CENTRAL_REST);
    rest.writeUInt32LE(entry.at, CENTRAL_REST - 4);
    yield sent(Buffer.concat([CENTRAL, common(entry), rest, entry.name]));
  }
  const end = Buffer.concat([numbers(0x0605_4b50, 0, 0, at - start, start), Buffer.alloc(2)]);
  end.writeUInt16LE(written.length, 8);
  end.writeUInt16LE(written.length, 10);
  yield end;
}

async function* measured(entry: Written, content: ZipEntry['content']): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    entry.crc = crc32(piece, entry.crc);
    entry.plain += piece.length;
    if (entry.plain > MOST_BYTES) throw new RangeError('A file in a zip file holds at most 4 GB');
    yield piece;
  }
}
