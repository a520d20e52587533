import type pg from 'pg';
import type { FileDraft, FileFolder } from '../../platform/files/file-folder.ts';
import { AppError } from '../../platform/http/errors.ts';
import { isIntact, readFiles, take } from './backup-files.ts';
import type { Parts } from './create-backup.ts';
import { ScriptError, type OpenEmbedded } from './script-reader.ts';

type Folders = Pick<Parts, 'files' | 'folder'>;

/** One of this many groups of files is read each night, so that all are read within a week. */
const NIGHTS = 7;
const DAY_MS = 24 * 3_600_000;

/**
 * Stores the files embedded in a backup that it names and that are missing in the data folder. `client` has the
 * backup's rows.
 */
export function createEmbeddedStore({ files: { folder } }: Folders) {
  let sizes: Map<string, number> | undefined;

  return async (client: pg.Client, digest: Buffer): Promise<FileDraft | undefined> => {
    if (!sizes) {
      const { rows } = await client.query<{ digest: string; size: number }>(
        `select encode(digest, 'hex') as digest, size::float8 as size from files`,
      );
      sizes = new Map(rows.map((row) => [row.digest, row.size]));
    }
    const size = sizes.get(digest.toString('hex'));
    if (size === undefined || (await folder.has({ digest, size }))) return undefined;
    const draft = await folder.createDraft();
    let left = size;
    return {
      ...draft,
      write(piece) {
        left -= piece.length;
        // Otherwise a crafted file could fill the disk.
        if (left < 0) throw new ScriptError('A file in it is damaged.');
        return draft.write(piece);
      },
    };
  };
}

/** Records which files are embedded in a backup, without storing them. */
export function createEmbeddedRecord(): { embedded: Set<string>; openEmbedded: OpenEmbedded } {
  const embedded = new Set<string>();
  return {
    embedded,
    async openEmbedded(digest) {
      embedded.add(digest.toString('hex'));
      return undefined;
    },
  };
}

/** Returns the number of files of a loaded backup that are neither here nor embedded in it. */
export async function countMissingFiles(
  client: pg.Client,
  { files, folder }: Folders,
  embedded: ReadonlySet<string>,
): Promise<number> {
  let missing = 0;
  for await (const ref of files.folder.missing(folder.files.missing(readFiles(client))))
    if (!embedded.has(ref.digest.toString('hex'))) missing += 1;
  return missing;
}

/**
 * Stores the files of a loaded backup in the data folder, where they have no rows until the restore. Throws
 * BACKUP_INCOMPLETE if some are missing, unless that is accepted.
 */
export async function requireFiles(
  client: pg.Client,
  { files, folder }: Folders,
  acceptsMissing = false,
): Promise<void> {
  let missing = 0;
  let count = 0;
  async function* counted() {
    for await (const ref of readFiles(client)) {
      count += 1;
      yield ref;
    }
  }
  for await (const ref of files.folder.missing(counted()))
    if (!(await take(files.folder, ref, folder.files))) missing += 1;
  await files.folder.flush();
  if (missing === 0 || acceptsMissing) return;
  const format = (number: number): string => number.toLocaleString('en-AU');
  throw new AppError('BACKUP_INCOMPLETE', {
    details: `${format(missing)} of its ${format(count)} files are missing. Nothing was changed. Fetch them with the backup, put them into backups/files, or restore without them.`,
  });
}

/** Throws ScriptError if a file of a loaded backup is missing beside the backups, or one of tonight's is damaged. */
export async function verifyFiles(client: pg.Client, folder: FileFolder): Promise<void> {
  const tonight = Math.floor(Date.now() / DAY_MS) % NIGHTS;
  for await (const { digest } of folder.missing(readFiles(client)))
    throw new ScriptError(`A file that it names is missing (${digest.toString('hex')}).`);
  for await (const ref of readFiles(client))
    if (ref.digest[0]! % NIGHTS === tonight && !(await isIntact(folder, ref)))
      throw new ScriptError(`A file that it names is damaged (${ref.digest.toString('hex')}).`);
}
