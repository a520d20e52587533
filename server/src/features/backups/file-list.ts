import type { FileRef } from '../../platform/files/file-folder.ts';
import { openScript, type ReadOptions } from './read-backup.ts';
import { readScript, ScriptError, type Sink } from './script-reader.ts';

/** The first migration with the table of files: earlier backups contain the content in their rows. */
const FILES_SINCE = 70;

/** 32 bytes of the digest and 6 of the size. */
const REF_BYTES = 38;

/** Ends the reading of a script after the list. */
class ListEnd extends Error {}

/** Files in order of their digests' appearance. In memory it takes 38 bytes for each. */
export type FileList = Iterable<FileRef>;

/**
 * Returns the files that a backup names: their rows are the first of the file. Throws ScriptError if they cannot be
 * read.
 * @param schemaVersion that of the backup; null: unknown
 */
export async function readFileList(
  path: string,
  schemaVersion: number | null,
  options: ReadOptions,
): Promise<FileList> {
  const packed: Buffer[] = [];
  if (schemaVersion === null || schemaVersion >= FILES_SINCE) {
    try {
      await readScript(openScript(path, options), ({ table, columns }) =>
        table === 'files' ? createListSink(columns, packed) : undefined,
      );
    } catch (error) {
      if (!(error instanceof ListEnd)) throw error;
    }
  }
  return { [Symbol.iterator]: () => unpack(packed) };
}

/** Packs rows of COPY text such as `\\x0a1b…<tab>123<tab>2026-11-29 …`. */
function createListSink(columns: readonly string[], packed: Buffer[]): Sink {
  const [digestAt, sizeAt] = [columns.indexOf('digest'), columns.indexOf('size')];
  let rest = '';
  return {
    write(piece) {
      const lines = (rest + piece.toString('latin1')).split('\n');
      rest = lines.pop()!;
      packed.push(
        Buffer.concat(
          lines.map((line) => {
            const fields = line.split('\t');
            const hex = /^\\\\x([0-9a-f]{64})$/.exec(fields[digestAt] ?? '')?.[1];
            const size = Number(fields[sizeAt]);
            if (hex === undefined || !Number.isSafeInteger(size) || size >= 2 ** 47)
              throw new ScriptError('Its list of files cannot be read.');
            const ref = Buffer.alloc(REF_BYTES);
            ref.write(hex, 'hex');
            ref.writeUIntBE(size, 32, 6);
            return ref;
          }),
        ),
      );
    },
    end() {
      throw new ListEnd();
    },
  };
}

function* unpack(packed: readonly Buffer[]): Generator<FileRef> {
  for (const refs of packed)
    for (let at = 0; at < refs.length; at += REF_BYTES)
      yield { digest: refs.subarray(at, at + 32), size: refs.readUIntBE(at + 32, 6) };
}
