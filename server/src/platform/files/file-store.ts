import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { lockName, type Db, type Tx } from '../db/database.ts';
import { AppError } from '../http/errors.ts';
import { createFileFolder, GROUPS, type FileDraft, type FileRef } from './file-folder.ts';
import * as queries from './files.queries.ts';

/** Rows deleted in one transaction. */
const BATCH = 1000;

const lockOf = (db: Tx, digest: Buffer): Promise<void> => lockName(db, `file:${digest.toString('hex')}`);

/** A row names a file whose content is gone. */
export class MissingContentError extends AppError {
  constructor() {
    super('NOT_FOUND', {
      message:
        'The content of this file is missing from the data folder of the server. Ask an administrator to restore it from a backup.',
    });
  }
}

/** The columns of a row with a file. An earlier release stored the content in the row, until it is moved. */
export type StoredContent = { digest: Buffer | null; content: Buffer | null };

export type FileStore = ReturnType<typeof createFileStore>;

/**
 * Files of records and exports: a row of `files`, and the content in DATA_DIR/files, once for equal content
 * (docs/decisions/0022-files-are-stored-once.md).
 */
export function createFileStore(dataDir: string) {
  const folder = createFileFolder(join(dataDir, 'files'));

  /** Stores content and its row in the caller's transaction, which refers to it afterwards. */
  async function keep(db: Tx, ref: FileRef, store: () => Promise<void>): Promise<FileRef> {
    await lockOf(db, ref.digest);
    await store();
    await queries.upsertFile(db, ref);
    return ref;
  }

  /** Removes the content of files without a row that was stored before a time, in milliseconds since 1970. */
  async function removeContent(db: Db, before: number): Promise<void> {
    await folder.removeParts();
    for (let group = 0; group < GROUPS; group += 1) {
      const stored = await folder.list(group);
      if (stored.size === 0) continue;
      for (const digest of await queries.listDigests(db, group)) stored.delete(digest);
      for (const hex of stored) {
        const digest = Buffer.from(hex, 'hex');
        await db.transaction().execute(async (tx) => {
          await lockOf(tx, digest);
          if (!(await queries.findFile(tx, digest))) await folder.removeOld({ digest }, before);
        });
      }
    }
  }

  return {
    folder,

    /** Stores content. The caller's transaction inserts the row that refers to the digest. */
    add(db: Tx, content: Buffer): Promise<FileRef> {
      const ref = { digest: createHash('sha256').update(content).digest(), size: content.length };
      return keep(db, ref, () => folder.write(ref, content));
    },

    /** Stores a finished draft, as `add` does. */
    addDraft: (db: Tx, draft: FileDraft, ref: FileRef): Promise<FileRef> =>
      keep(db, ref, () => draft.store()),

    /** Opens a file for reading from a byte on. Throws MissingContentError, a NOT_FOUND, if it has no content. */
    async open(ref: FileRef, start = 0): Promise<Readable> {
      if (!(await folder.has(ref))) throw new MissingContentError();
      return folder.open(ref, start);
    },

    /** Returns the content of a row. Throws MissingContentError, a NOT_FOUND, if it is missing. */
    async read({ digest, content }: StoredContent): Promise<Buffer> {
      if (!digest) return content!;
      return folder.read({ digest }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new MissingContentError() : error;
      });
    },

    /** Deletes the rows of files that nothing has used for a day. Their content stays until `removeContent`. */
    async removeUnused(db: Db): Promise<void> {
      const batch = () => db.transaction().execute((tx) => queries.deleteUnused(tx, BATCH));
      while ((await batch()) === BATCH);
    },

    /** Must not run during a backup or a restore, which need content without a row. */
    removeContent,
  };
}
