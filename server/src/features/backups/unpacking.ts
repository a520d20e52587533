import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, pipeline, Transform, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import unbzip2 from 'unbzip2-stream';
import { ScriptError } from './script-reader.ts';

/** What a file is by its first bytes, whatever it is called. */
type Packing = 'gzip' | 'bzip2' | 'custom' | 'plain';

const MAGIC: [Packing | 'refused', Buffer][] = [
  ['gzip', Buffer.from([0x1f, 0x8b])],
  ['bzip2', Buffer.from('BZh')],
  ['custom', Buffer.from('PGDMP')],
  ['refused', Buffer.from('PK')],
  ['refused', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
  ['refused', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a])],
  ['refused', Buffer.from('7z')],
];

const SAMPLE_BYTES = 4096;
const PIECE_BYTES = 256 * 1024;

/** Past so many bytes, what comes out may be at most so many times what went in (security.md J4). */
const FREE_BYTES = 64 * 1024 * 1024;
const MOST_TIMES = 200;

function packingOf(sample: Buffer): Packing {
  const known = MAGIC.find(([, magic]) => sample.subarray(0, magic.length).equals(magic))?.[0];
  if (known === 'refused')
    throw new ScriptError('It is packed in a way that is not read here. Use gzip or bzip2.');
  if (known) return known;
  if (sample.length === 0) throw new ScriptError('It is empty.');
  if (sample.includes(0)) throw new ScriptError('It is neither SQL nor a dump of PostgreSQL.');
  return 'plain';
}

async function sampleOf(path: string): Promise<{ sample: Buffer; size: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    return { sample: buffer.subarray(0, bytesRead), size };
  } finally {
    await file.close();
  }
}

/** Counts what comes out, and ends it where no honest file would have so much; looks once whether it is text. */
function judged(packedBytes: number, totalLimit: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      if (bytes === 0 && packingIn(piece) !== 'plain') {
        return done(new ScriptError('What is packed in it is no plain SQL.'));
      }
      bytes += piece.length;
      const isBomb = bytes > FREE_BYTES && bytes > packedBytes * MOST_TIMES;
      if (isBomb || bytes > totalLimit)
        return done(new ScriptError('It unpacks to more than any backup would.'));
      return done(null, piece);
    },
  });
}

const packingIn = (piece: Buffer): Packing | 'refused' => {
  try {
    return packingOf(piece.subarray(0, SAMPLE_BYTES));
  } catch {
    return 'refused';
  }
};

type Options = {
  /** The most bytes that may come out. */
  totalLimit: number;
  /** Told of the bytes of the file that have been read, and of all. */
  onRead?: (read: number, size: number) => void;
  signal?: AbortSignal | undefined;
};

/**
 * The plain SQL in a backup file, recognised by content: gzip, bzip2, plain, or a custom-format dump, which
 * pg_restore turns into text where it is installed. Fails with ScriptError where it cannot be unpacked.
 */
export async function* openScript(path: string, options: Options): AsyncGenerator<Buffer> {
  try {
    for await (const piece of await unpack(path, options)) yield piece as Buffer;
  } catch (error) {
    throw readable(error as Error);
  }
}

async function unpack(path: string, { totalLimit, onRead, signal }: Options): Promise<Readable> {
  const { sample, size } = await sampleOf(path);
  const packing = packingOf(sample);
  const out = judged(size, totalLimit);
  // Its errors come out of `out`.
  const settled = (): void => {};
  if (packing === 'custom') return pipeline(await fromDump(path), out, settled);
  const file = createReadStream(path, { highWaterMark: PIECE_BYTES, ...(signal && { signal }) });
  let read = 0;
  file.on('data', (piece) => onRead?.((read += piece.length), size));
  if (packing === 'gzip') return pipeline(file, createGunzip({ chunkSize: PIECE_BYTES }), out, settled);
  if (packing === 'bzip2') {
    const bunzip = unbzip2().on('error', (error: Error) => Object.assign(error, { code: 'Z_BZIP2' }));
    return pipeline(file, bunzip, out, settled);
  }
  return pipeline(file, out, settled);
}

/** What zlib and bzip2 say is not for people. */
const readable = (error: Error & { code?: string }): Error =>
  error.code?.startsWith('Z_') ? new ScriptError('It is damaged or cut off and cannot be unpacked.') : error;

/** pg_restore as a mere converter: it writes the data of the dump as text and connects to nothing. */
async function fromDump(path: string): Promise<Readable> {
  const child = spawn('pg_restore', ['--data-only', '--no-owner', '--file=-', '--', path], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', () =>
      reject(
        new ScriptError(
          'It is a dump in the custom format of pg_dump, and pg_restore is not installed on the server. Install it, or make the dump with --format=plain.',
        ),
      ),
    );
  });
  const out = new PassThrough();
  child.stderr.resume();
  child.stdout.pipe(out, { end: false });
  child.on('close', (code) => {
    if (code === 0) out.end();
    else out.destroy(new ScriptError('pg_restore cannot read it: it is damaged, cut off or too new.'));
  });
  out.on('close', () => child.kill('SIGKILL'));
  return out;
}
