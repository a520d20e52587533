import { spawn } from 'node:child_process';
import { readSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { bunzip2 } from './bzip2.ts';
import { ScriptError } from './script-reader.ts';

/** The format of a file by its first bytes, independent of its name. */
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

/** The most output in multiples of the input, beyond the free bytes (docs/product/security.md, Unpacking is bounded). */
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
  /** The most bytes of output, and of any small file. */
  totalLimit: number;
  freeBytes: number;
  /** Called with the bytes of the file read so far. */
  onRead: (read: number) => void;
  /** Called with the id of the helper process, which would outlive this thread; null when it has ended. */
  onChild: (pid: number | null) => void;
};

/**
 * Yields the plain SQL of a backup file, recognised by content: gzip, bzip2, plain, or a custom-format dump, which
 * pg_restore converts to text where it is installed. Limits the output to that of genuine files. Throws ScriptError
 * when it cannot be decompressed. For a separate thread (read-backup.ts): it blocks.
 */
export async function* decompress(file: OpenFile, options: Options): AsyncGenerator<Buffer> {
  const { totalLimit, freeBytes } = options;
  let bytes = 0;
  try {
    for await (const piece of decompressed(file, options)) {
      if (bytes === 0 && !isPlain(piece)) throw new ScriptError('What is packed in it is no plain SQL.');
      bytes += piece.length;
      const isBomb = bytes > freeBytes && bytes > file.size * MAX_RATIO;
      if (isBomb || bytes > totalLimit) throw new ScriptError('It unpacks to more than any backup would.');
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
  if (format === 'bzip2') {
    onChild(null);
    return unpackedBlocks(piecesOf(file, onRead));
  }
  if (format === 'custom') return fromDump(file, onRead, onChild);
  const pieces = piecesOf(file, onRead);
  // Its errors appear at the end of the pipeline.
  if (format !== 'gzip') {
    onChild(null);
    return pieces;
  }
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  onChild(null);
  return pipeline(Readable.from(pieces), gunzip, () => {});
}

/** Reads the file from its beginning, and leaves it open. */
function* piecesOf({ fd }: OpenFile, onRead: Options['onRead']): Generator<Buffer> {
  for (let read = 0; ;) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const length = readSync(fd, piece, 0, PIECE_BYTES, read);
    if (length === 0) return;
    onRead((read += length));
    yield piece.subarray(0, length);
  }
}

function* unpackedBlocks(pieces: Iterator<Buffer>): Generator<Buffer> {
  try {
    yield* bunzip2(pieces);
  } catch (error) {
    throw Object.assign(error as Error, { code: 'Z_BZIP2' });
  }
}

/** Replaces the technical errors of zlib and bzip2. */
const readable = (error: Error & { code?: string }): Error =>
  error.code?.startsWith('Z_') ? new ScriptError('It is damaged or cut off and cannot be unpacked.') : error;

/** In place of the id of a process that is being started. */
export const STARTING = 0;

/** Runs pg_restore as a converter: it reads the open file, writes its data as text, and connects to no database. */
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
