import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, link, lstat, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createDirectory, syncToDisk } from '../data-dir.ts';
import { newId } from '../ids.ts';

/** The beginning of the names of incomplete files. */
export const PART = '.part-';

/** An incomplete file is abandoned if nothing was written to it for this long. */
const PART_IS_DEAD_MS = 3 * 3_600_000;

/** The number of groups of digests, by their first byte. */
export const GROUPS = 256;

/** A file by the SHA-256 of its content, with its size in bytes. */
export type FileRef = { digest: Buffer; size: number };

/** Content that is being written. It has no name until it is stored. */
export type FileDraft = {
  write(piece: Buffer): Promise<void>;
  /** Flushes what was written to disk, and sends it to a bucket. */
  finish(): Promise<FileRef>;
  /** Gives the finished content its name; removes it if that content is stored already. */
  store(): Promise<void>;
  /** Removes the draft; without effect once it is stored. */
  discard(): Promise<void>;
};

/** Content by its SHA-256, in a folder or a bucket. A file is never changed once it has its name. */
export type FileFolder = {
  has(ref: FileRef): Promise<boolean>;
  /** Yields the files that are not stored. */
  missing(refs: Iterable<FileRef> | AsyncIterable<FileRef>): AsyncIterable<FileRef>;
  createDraft(): Promise<FileDraft>;
  /** Stores content unless it is stored already. */
  write(ref: FileRef, content: Buffer): Promise<void>;
  /** Stores the file at `source` unless it is stored already, until `flush` not durably. Throws ENOENT without one. */
  take(ref: FileRef, source: string): Promise<void>;
  /** Makes taken files durable. */
  flush(): Promise<void>;
  /** Opens a file for reading from a byte on. Returns undefined if it is not stored. */
  open(ref: FileRef, start?: number): Promise<Readable | undefined>;
  /** Returns the content of a file; undefined if it is not stored. */
  read(ref: Pick<FileRef, 'digest'>): Promise<Buffer | undefined>;
  /** Calls `use` with the path of a local file with the content. */
  withPath<R>(ref: FileRef, use: (path: string) => Promise<R>): Promise<R>;
  /** Returns the digests of one group in lower-case hex. */
  list(group: number): Promise<Set<string>>;
  /** Removes a file unless it was stored or linked at or after a time, in milliseconds since 1970. */
  removeOld(ref: Pick<FileRef, 'digest'>, before: number): Promise<void>;
  /** Removes incomplete files of crashed processes. */
  removeParts(): Promise<void>;
};

export const groupName = (group: number): string => group.toString(16).padStart(2, '0');

/** The name of a digest in its group. */
export const nameInGroup = (digest: Buffer): string => digest.toString('hex', 1);

export const isNameInGroup = (name: string): boolean => /^[0-9a-f]{62}$/.test(name);

/**
 * Creates a draft in a local folder.
 * @param publish gives the complete file at `part` its name
 * @param onFinish is called once the file is complete and flushed
 */
export async function createLocalDraft(
  root: string,
  publish: (part: string, ref: FileRef) => Promise<void>,
  onFinish: (part: string, ref: FileRef) => Promise<void> = async () => {},
): Promise<FileDraft> {
  await createDirectory(root);
  const part = join(root, PART + newId());
  const file = await open(part, 'wx', 0o600);
  const hash = createHash('sha256');
  let size = 0;
  let ref: FileRef | undefined;
  return {
    async write(piece) {
      hash.update(piece);
      size += piece.length;
      await file.writeFile(piece);
    },
    async finish() {
      await file.sync();
      await file.close();
      ref = { digest: hash.digest(), size };
      await onFinish(part, ref);
      return ref;
    },
    store: () => publish(part, ref!),
    async discard() {
      await file.close();
      await rm(part, { force: true });
    },
  };
}

/** Removes incomplete files of crashed processes. */
export async function removeLocalParts(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    if (!name.startsWith(PART)) continue;
    const { mtimeMs } = await stat(join(root, name)).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > PART_IS_DEAD_MS) await rm(join(root, name), { force: true });
  }
}

/**
 * Content by its SHA-256 in a folder: `ab/cdef…`. Reads, writes, lists and removes it; no other module knows where
 * content is.
 */
export function createFileFolder(root: string): FileFolder {
  const pathOf = ({ digest }: Pick<FileRef, 'digest'>): string =>
    join(root, groupName(digest[0]!), nameInGroup(digest));

  /** Folders with new links. */
  const unflushed = new Set<string>();

  const has = ({ digest, size }: FileRef): Promise<boolean> =>
    lstat(pathOf({ digest })).then(
      (stats) => stats.isFile() && stats.size === size,
      () => false,
    );

  /** Creates the folder of a file, and flushes its name to disk. */
  async function createGroup(path: string): Promise<void> {
    const folder = dirname(path);
    if (await stat(folder).catch(() => undefined)) return;
    await createDirectory(folder);
    await syncToDisk(root);
  }

  /** Gives a complete and flushed file its name, and flushes the name to disk. */
  async function publish(part: string, target: string): Promise<void> {
    await createGroup(target);
    await rename(part, target);
    await syncToDisk(dirname(target));
  }

  const createDraft = (): Promise<FileDraft> =>
    createLocalDraft(root, async (part, ref) => {
      if (await has(ref)) await rm(part, { force: true });
      else await publish(part, pathOf(ref));
    });

  return {
    has,
    createDraft,

    async *missing(refs) {
      for await (const ref of refs) if (!(await has(ref))) yield ref;
    },

    async write(ref, content) {
      if (await has(ref)) return;
      const draft = await createDraft();
      try {
        await draft.write(content);
        await draft.finish();
        await draft.store();
      } catch (error) {
        await draft.discard();
        throw error;
      }
    },

    // As a hard link where the disk has them, otherwise as a copy. A link survives a power failure after `flush`.
    async take(ref, source) {
      if (await has(ref)) return;
      const target = pathOf(ref);
      await createDirectory(root);
      await createGroup(target);
      try {
        await link(source, target);
        unflushed.add(dirname(target));
      } catch (failure) {
        if ((failure as NodeJS.ErrnoException).code === 'ENOENT') throw failure;
        // The target is on another disk, its disk has no hard links, or a damaged file is in the way.
        const part = join(root, PART + newId());
        try {
          await copyFile(source, part, constants.COPYFILE_EXCL);
          await syncToDisk(part);
          await publish(part, target);
        } catch (error) {
          await rm(part, { force: true });
          throw error;
        }
      }
    },

    async flush() {
      for (const path of unflushed) {
        unflushed.delete(path);
        await syncToDisk(path);
      }
    },

    open: async (ref, start = 0) =>
      (await has(ref)) ? createReadStream(pathOf(ref), { start, highWaterMark: 256 * 1024 }) : undefined,

    read: (ref) =>
      readFile(pathOf(ref)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      }),

    withPath: (ref, use) => use(pathOf(ref)),

    async list(group) {
      const names = await readdir(join(root, groupName(group))).catch(() => []);
      return new Set(names.filter(isNameInGroup).map((name) => groupName(group) + name));
    },

    async removeOld(ref, before) {
      // Unlike the time of modification, this one is also that of a link, and no copying tool sets it.
      const { ctimeMs } = await lstat(pathOf(ref)).catch(() => ({ ctimeMs: Infinity }));
      if (ctimeMs < before) await rm(pathOf(ref), { force: true });
    },

    removeParts: () => removeLocalParts(root),
  };
}
