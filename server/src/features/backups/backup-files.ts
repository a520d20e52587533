import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type pg from 'pg';
import type { FileFolder, FileRef } from '../../platform/files/file-folder.ts';
import { IS_USED_BY_RECORDS } from '../../platform/files/files.queries.ts';
import { fileLine } from './backup-format.ts';

/** Rows read at once. */
const PAGE = 5000;

/** Bytes of a file in one line of a download. A multiple of 3, so that only the last line of a file is padded. */
const LINE_BYTES = 192 * 1024;
/** Text that is compressed at once. */
const PIECE_BYTES = 1024 * 1024;

const compress = promisify(gzip);

/** Yields the files that rows of records refer to, in the client's transaction or schema, ordered by digest. */
export async function* readFiles(client: pg.Client): AsyncGenerator<FileRef> {
  for (let after: Buffer = Buffer.alloc(0); ;) {
    const { rows } = await client.query<FileRef>(
      `select digest, size::float8 as size from files where digest > $1 and ${IS_USED_BY_RECORDS}
       order by digest limit ${PAGE}`,
      [after],
    );
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.digest;
  }
}

/**
 * Stores the files of a snapshot beside the backups, from the data folder. Returns the number of files that are in
 * neither.
 */
export async function storeFiles(client: pg.Client, from: FileFolder, to: FileFolder): Promise<number> {
  let missing = 0;
  for await (const ref of to.missing(readFiles(client))) if (!(await take(to, ref, from))) missing += 1;
  await to.flush();
  return missing;
}

/** Stores a file of another folder, until `flush` not durably. Returns false if it is not there. */
export async function take(to: FileFolder, ref: FileRef, from: FileFolder): Promise<boolean> {
  if (await to.has(ref)) return true;
  // A bucket has the files of records and of backups in one.
  if (to === from || !(await from.has(ref))) return false;
  await from.withPath(ref, (path) => to.take(ref, path));
  return true;
}

export const missingProblem = (count: number): string | null =>
  count === 0
    ? null
    : `${count.toLocaleString('en-AU')} of its files ${count === 1 ? 'is' : 'are'} missing on this server.`;

export async function countMissing(files: Iterable<FileRef>, folder: FileFolder): Promise<number> {
  const missing: FileRef[] = [];
  for await (const ref of folder.missing(files)) missing.push(ref);
  return missing.length;
}

/** Whether a stored file has its digest. */
export async function isIntact(folder: FileFolder, ref: FileRef): Promise<boolean> {
  const hash = createHash('sha256');
  for await (const piece of (await folder.open(ref)) ?? []) hash.update(piece as Buffer);
  return hash.digest().equals(ref.digest);
}

/**
 * Yields the content of files as gzip members of lines that psql ignores, to follow a backup. Files that are missing
 * are left out: a restore counts them.
 */
export async function* embedFiles(files: Iterable<FileRef>, folder: FileFolder): AsyncGenerator<Buffer> {
  // Base64 has no repetitions to find, only six bits in each byte.
  const options = { level: constants.Z_BEST_SPEED, strategy: constants.Z_HUFFMAN_ONLY };
  let text = '';
  for await (const line of linesOf(files, folder)) {
    text += line;
    if (text.length < PIECE_BYTES) continue;
    yield await compress(text, options);
    text = '';
  }
  if (text !== '') yield await compress(text, options);
}

async function* linesOf(files: Iterable<FileRef>, folder: FileFolder): AsyncGenerator<string> {
  for (const ref of files) {
    const content = await folder.open(ref);
    if (!content) continue;
    const hex = ref.digest.toString('hex');
    let rest: Buffer = Buffer.alloc(0);
    for await (const piece of content) {
      rest = Buffer.concat([rest, piece as Buffer]);
      for (; rest.length >= LINE_BYTES; rest = rest.subarray(LINE_BYTES))
        yield fileLine(hex, rest.subarray(0, LINE_BYTES));
    }
    if (rest.length > 0) yield fileLine(hex, rest);
  }
}
