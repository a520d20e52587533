import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

export type ZipEntry = { name: string; content: AsyncIterable<Buffer> | Iterable<Buffer> };

/** The limit of the zip format without extensions. No spreadsheet program reads a larger sheet. */
const MAX_BYTES = 0xffff_ffff;

/** A constant date, so that the same rows result in the same file. */
const DAY = new Date(1980, 0, 1);
const DEFLATE = 8;
const NOTHING = new Uint8Array();

/**
 * Streams a zip file in constant memory (write-excel-file builds the whole sheet first). fflate writes the format; Node
 * compresses outside the event loop. Throws a RangeError beyond 4 GB.
 */
export async function* zipFile(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  let written: Buffer[] = [];
  let size = 0;
  const zip = new Zip((error, { buffer, byteOffset, length }) => {
    if (error) throw error;
    size += length;
    written.push(Buffer.from(buffer, byteOffset, length));
  });
  const take = (): Buffer[] => {
    if (size > MAX_BYTES) throw new RangeError('A zip file holds at most 4 GB');
    const taken = written;
    written = [];
    return taken;
  };

  for (const { name, content } of entries) {
    const entry: ZipInputFile = { filename: name, compression: DEFLATE, mtime: DAY, crc: 0, size: 0 };
    zip.add(entry);
    const deflate = createDeflateRaw({ level: 1 });
    const packing = pipeline(Readable.from(measured(entry, content), { objectMode: true }), deflate);
    // Avoids an unhandled rejection when the reader stops early.
    packing.catch(() => {});
    for await (const piece of deflate as AsyncIterable<Buffer<ArrayBuffer>>) {
      entry.ondata!(null, piece, false);
      yield* take();
    }
    await packing;
    entry.ondata!(null, NOTHING, true);
  }
  zip.end();
  yield* take();
}

async function* measured(entry: ZipInputFile, content: ZipEntry['content']): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    entry.crc = crc32(piece, entry.crc);
    entry.size += piece.length;
    if (entry.size > MAX_BYTES) throw new RangeError('A file in a zip file holds at most 4 GB');
    yield piece;
  }
}
