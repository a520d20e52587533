import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { lockName, type Db, type Tx } from '../db/database.ts';
import { AppError } from '../http/errors.ts';
import { S3_MESSAGES, S3Failure } from '../s3/s3-failure.ts';
import type { Store } from '../s3/store.ts';
import { withTimeout } from '../with-timeout.ts';
import { createFileBucket } from './file-bucket.ts';
import { createFileFolder, GROUPS, type FileDraft, type FileFolder, type FileRef } from './file-folder.ts';
import * as queries from './files.queries.ts';

/** Rows deleted in one transaction. */
const BATCH = 1000;

const lockOf = (db: Tx, digest: Buffer): Promise<void> => lockName(db, `file:${digest.toString('hex')}`);

/** A row names a file whose content is gone. */
export class MissingContentError extends AppError {
  constructor() {
    super('NOT_FOUND', {
      message:
        'The content of this file is missing on the server. Ask an administrator to restore it from a backup.',
    });
  }
}

/** The columns of a row with a file. An earlier release stored the content in the row, until it is moved. */
export type StoredContent = { digest: Buffer | null; content: Buffer | null };

export type FileStore = ReturnType<typeof createFileStore>;

const refOf = (content: Buffer): FileRef => ({
  digest: createHash('sha256').update(content).digest(),
  size: content.length,
});

/** PostgreSQL ends a session whose transaction waits for 15 s. */
const WRITE_MS = 10_000;

/**
 * Waits for a write to a bucket in a transaction, which others wait for. Throws S3Failure if it takes too long. A write
 * that ends later stores content without a row, which the clean-up removes.
 */
const withinLimit = (write: Promise<void>): Promise<void> =>
  withTimeout(WRITE_MS, write, () => {
    throw new S3Failure('connection', S3_MESSAGES.silent);
  });

/** Yields lists of files that are needed although they have no row. */
type ReadLists = () => AsyncIterable<Iterable<FileRef>>;

type Unnamed = {
  /** In milliseconds since 1970. */
  before: number;
  readLists?: ReadLists;
  /** Throws if a backup or restore may run by now. */
  requireLock: () => Promise<unknown>;
};

/**
 * Removes the files of a folder that have no row, are in no list and were stored before a time, in milliseconds since
 * 1970. Must not run during a backup or a restore, which need content without a row.
 */
export async function removeUnnamed(
  db: Db,
  folder: FileFolder,
  { before, readLists, requireLock }: Unnamed,
): Promise<void> {
  await folder.removeParts();
  const unnamed = new Set<string>();
  for (let group = 0; group < GROUPS; group += 1) {
    const stored = await folder.list(group);
    if (stored.size === 0) continue;
    for (const digest of await queries.listDigests(db, group)) stored.delete(digest);
    for (const digest of stored) unnamed.add(digest);
  }
  if (unnamed.size === 0) return;
  if (readLists)
    for await (const list of readLists())
      for (const { digest } of list) unnamed.delete(digest.toString('hex'));
  for (const hex of unnamed) {
    const digest = Buffer.from(hex, 'hex');
    await requireLock();
    await db.transaction().execute(async (tx) => {
      await lockOf(tx, digest);
      if (!(await queries.findFile(tx, digest))) await folder.removeOld({ digest }, before);
    });
  }
}

/**
 * Files of records and exports: a row of `files`, and the content in a folder or a bucket, once for equal content
 * (docs/decisions/0022-files-are-stored-once.md).
 */
export function createFileStore(dataDir: string, store?: Store) {
  const local = join(dataDir, 'files');
  const isRemote = store !== undefined;
  const folder = store ? createFileBucket(store, local) : createFileFolder(local);
  /** Stores content and its row in the caller's transaction, which refers to it afterwards. */
  async function keep(db: Tx, ref: FileRef, write: () => Promise<void>): Promise<FileRef> {
    await lockOf(db, ref.digest);
    await (isRemote ? withinLimit(write()) : write());
    await queries.upsertFile(db, ref);
    return ref;
  }

  return {
    folder,

    /**
     * Sends content to a bucket before the transaction that adds it, which locks what others wait for. Without effect in
     * a folder.
     * @param allow throws if the content will not be added
     */
    async prepare(content: Buffer, allow = async (): Promise<void> => {}): Promise<void> {
      if (!store) return;
      await allow();
      await folder.write(refOf(content), content);
    },

    /** Stores content. The caller's transaction inserts the row that refers to the digest. */
    add(db: Tx, content: Buffer): Promise<FileRef> {
      const ref = refOf(content);
      return keep(db, ref, () => folder.write(ref, content));
    },

    /** Stores a finished draft, as `add` does. */
    addDraft: (db: Tx, draft: FileDraft, ref: FileRef): Promise<FileRef> =>
      keep(db, ref, () => draft.store()),

    /** Opens a file for reading from a byte on. Throws MissingContentError, a NOT_FOUND, if it has no content. */
    async open(ref: FileRef, start = 0): Promise<Readable> {
      const content = await folder.open(ref, start);
      if (!content) throw new MissingContentError();
      return content;
    },

    /** Returns the content of a row. Throws MissingContentError, a NOT_FOUND, if it is missing. */
    async read({ digest, content }: StoredContent): Promise<Buffer> {
      const stored = digest ? await folder.read({ digest }) : content;
      if (!stored) throw new MissingContentError();
      return stored;
    },

    /** Deletes the rows of files that nothing has used for a day. Their content stays until `removeUnnamed`. */
    async removeUnused(db: Db): Promise<void> {
      const batch = () => db.transaction().execute((tx) => queries.deleteUnused(tx, BATCH));
      while ((await batch()) === BATCH);
    },
  };
}
