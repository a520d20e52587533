import { spawn } from 'node:child_process';
import { readSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import bzip2 from 'unbzip2-stream/lib/bzip2.js';
import { ScriptError } from './script-reader.ts';

/** The format of a file, detected from its first bytes. */
type FileFormat = 'gzip' | 'bzip2' | 'custom' | 'plain';

const MAGIC: [FileFormat | 'unsupported', Buffer][] = [
  ['gzip', Buffer.from([0x1f, 0x8b])],
  ['bzip2', Buffer.from('BZh')],
  ['custom', Buffer.from('PGDMP')],
  ['unsupported', Buffer.from('PK')],
  ['unsupported', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['unsupported', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a])],
  ['unsupported', Buffer.from('7z')],
];

const SAMPLE_BYTES = 4096;
const PIECE_BYTES = 256 * 1024;
/** The unit of bzip2's block size. */
const BLOCK_UNIT_BYTES = 100_000;

/** Maximum ratio of output to input (docs/product/security.md, Unpacking is bounded). */
const MAX_RATIO = 200;

function formatOf(sample: Buffer): FileFormat {
  const format = MAGIC.find(([, magic]) => sample.subarray(0, magic.length).equals(magic))?.[0];
  if (format === 'unsupported')
    throw new ScriptError('It is packed in a way that is not read here. Use gzip or bzip2.');
  if (format) return format;
  if (sample.length === 0) throw new ScriptError('It is empty.');
  if (sample.includes(0)) throw new ScriptError('It is neither SQL nor a dump of PostgreSQL.');
  return 'plain';
}

function sampleOf(fd: number): Buffer {
  const sample = Buffer.alloc(SAMPLE_BYTES);
  return sample.subarray(0, readSync(fd, sample, 0, SAMPLE_BYTES, 0));
}

const isPlain = (piece: Buffer): boolean => {
  try {
    return formatOf(piece.subarray(0, SAMPLE_BYTES)) === 'plain';
  } catch {
    return false;
  }
};

export type OpenFile = { fd: number; size: number };

type Options = {
  /** Maximum bytes of output. */
  totalLimit: number;
  freeBytes: number;
  /** Called with the number of bytes read so far. */
  onRead: (read: number) => void;
  /** Called with the pid of the child process, which would outlive this thread; null after it exited. */
  onChild: (pid: number | null) => void;
};

/**
 * Yields the plain SQL of a backup file. Detects gzip, bzip2, plain SQL, and pg_dump's custom format, which pg_restore
 * converts to SQL if it is installed. Output is limited to the size of genuine files. Throws ScriptError if the file
 * cannot be decompressed. Blocks its thread, so it runs in a separate one (read-backup.ts).
 */
export async function* decompress(file: OpenFile, options: Options): AsyncGenerator<Buffer> {
  const { totalLimit, freeBytes } = options;
  let bytes = 0;
  try {
    for await (const piece of decompressed(file, options)) {
      if (bytes === 0 && !isPlain(piece)) throw new ScriptError('What is packed in it is no plain SQL.');
      bytes += piece.length;
      const isBomb = bytes > freeBytes && bytes > file.size * MAX_RATIO;
      if (isBomb || bytes > totalLimit)
        throw new ScriptError('The unpacked file is larger than any backup can be.');
      yield piece;
    }
  } catch (error) {
    throw readable(error as Error);
  }
}

function decompressed(
  file: OpenFile,
  { onRead, onChild }: Options,
): AsyncIterable<Buffer> | Iterable<Buffer> {
  const format = formatOf(sampleOf(file.fd));
  if (format === 'custom') return fromDump(file, onRead, onChild);
  const pieces = piecesOf(file, onRead);
  const gunzip = format === 'gzip' ? createGunzip({ chunkSize: PIECE_BYTES }) : undefined;
  onChild(null);
  if (format === 'bzip2') return bunzip2(pieces);
  // The callback is empty because the iterator of the pipeline throws the errors.
  return gunzip ? pipeline(Readable.from(pieces), gunzip, () => {}) : pieces;
}

/** Reads the file from its beginning and leaves it open. */
function* piecesOf({ fd }: OpenFile, onRead: Options['onRead']): Generator<Buffer> {
  for (let read = 0; ;) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const length = readSync(fd, piece, 0, PIECE_BYTES, read);
    if (length === 0) return;
    onRead((read += length));
    yield piece.subarray(0, length);
  }
}

/** Reads bits from chunks on demand of the decoder: `null` skips the rest of the byte. */
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
    for (let missingBits = count ?? 0; missingBits > 0;) {
      if (left === 0) {
        if (!fill()) throw new Error('The file ends in the middle of a block');
        byte = piece[at++]!;
        left = 8;
      }
      const some = Math.min(missingBits, left);
      left -= some;
      missingBits -= some;
      result = (result << some) | ((byte >> left) & ((1 << some) - 1));
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
 * Decompresses bzip2 block by block. A block expands to 46 MB at most, and the next one is read only after its output
 * was consumed. Blocks the thread.
 */
function* bunzip2(pieces: Iterator<Buffer>): Generator<Buffer> {
  const bits = bitsOf(pieces);
  const out = gather();
  try {
    while (bits.fill()) {
      const blockBytes = BLOCK_UNIT_BYTES * bzip2.header(bits.take);
      const block = new Int32Array(blockBytes);
      let checksum: number | null = 0;
      while (checksum !== null) {
        checksum = bzip2.decompress(bits.take, out.add, block, blockBytes, checksum);
        yield* out.taken();
      }
    }
  } catch (error) {
    throw Object.assign(error as Error, { code: 'Z_BZIP2' });
  }
}

/** Replaces technical errors of zlib and bzip2 by messages for users. */
const readable = (error: Error & { code?: string }): Error =>
  error.code?.startsWith('Z_') ? new ScriptError('It is damaged or cut off and cannot be unpacked.') : error;

/** Replaces the pid while the process is being started. */
export const STARTING = 0;

/** Runs pg_restore as a converter: it reads the open file and writes SQL, without connecting to a database. */
async function* fromDump(
  { fd }: OpenFile,
  onRead: Options['onRead'],
  onChild: Options['onChild'],
): AsyncGenerator<Buffer> {
  onChild(STARTING);
  const child = spawn('pg_restore', ['--data-only', '--no-owner', '--file=-'], {
    stdio: [fd, 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', () =>
      reject(
        new ScriptError(
          'It is a dump in the custom format of pg_dump, and pg_restore is not installed on the server. Install it, or make the dump with --format=plain.',
        ),
      ),
    );
    child.once('close', resolve).once('exit', () => onChild(null));
  });
  onChild(child.pid ?? null);
  ended.catch(() => {});
  try {
    for await (const piece of child.stdout!) {
      onRead(0);
      yield piece as Buffer;
    }
    if ((await ended) !== 0)
      throw new ScriptError('pg_restore cannot read it: it is damaged, cut off or too new.');
  } finally {
    child.kill('SIGKILL');
  }
}
