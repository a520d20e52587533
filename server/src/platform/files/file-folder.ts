import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, link, lstat, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createDirectory, syncToDisk } from '../data-dir.ts';
import { newId } from '../ids.ts';

const PART = '.part-';

/** An incomplete file is abandoned if nothing was written to it for this long. */
const PART_IS_DEAD_MS = 3 * 3_600_000;

/** The number of groups of digests, by their first byte. */
export const GROUPS = 256;

/** A file by the SHA-256 of its content, with its size in bytes. */
export type FileRef = { digest: Buffer; size: number };

/** Content that is being written. It has no name until it is stored. */
export type FileDraft = {
  write(piece: Buffer): Promise<void>;
  /** Flushes what was written to disk. */
  finish(): Promise<FileRef>;
  /** Gives the finished content its name; removes it if that content is stored already. */
  store(): Promise<void>;
  /** Removes the draft; without effect once it is stored. */
  discard(): Promise<void>;
};

export type FileFolder = ReturnType<typeof createFileFolder>;

const groupName = (group: number): string => group.toString(16).padStart(2, '0');

/**
 * Content by its SHA-256 in a folder: `ab/cdef…`. Reads, writes, lists and removes it; no other module knows where
 * content is. A file is never changed once it has its name.
 */
export function createFileFolder(root: string) {
  const pathOf = ({ digest }: Pick<FileRef, 'digest'>): string =>
    join(root, groupName(digest[0]!), digest.toString('hex', 1));

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

  async function createDraft(): Promise<FileDraft> {
    await createDirectory(root);
    const part = join(root, PART + newId());
    const file = await open(part, 'wx', 0o600);
    const hash = createHash('sha256');
    let size = 0;
    let ref: FileRef | undefined;
    const draft: FileDraft = {
      async write(piece) {
        hash.update(piece);
        size += piece.length;
        await file.writeFile(piece);
      },
      async finish() {
        await file.sync();
        await file.close();
        ref = { digest: hash.digest(), size };
        return ref;
      },
      async store() {
        if (await has(ref!)) await draft.discard();
        else await publish(part, pathOf(ref!));
      },
      async discard() {
        await file.close();
        await rm(part, { force: true });
      },
    };
    return draft;
  }

  return {
    has,
    createDraft,
    pathOf,

    /** Stores content unless it is stored already. */
    async write(ref: FileRef, content: Buffer): Promise<void> {
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

    /**
     * Stores the file at `source` under its digest, unless it is stored already: as a hard link where the disk has
     * them, otherwise as a copy. A link survives a power failure after `flush`. Throws ENOENT if there is no such file.
     */
    async take(ref: FileRef, source: string): Promise<void> {
      if (await has(ref)) return;
      const target = pathOf(ref);
      await createDirectory(root);
      await createGroup(target);
      try {
        await link(source, target);
        unflushed.add(dirname(target));
      } catch (failure) {
        if ((failure as NodeJS.ErrnoException).code === 'ENOENT') throw failure;
        // Another disk, one without hard links, or a damaged file in the way.
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

    /** Flushes the names of taken files to disk. */
    async flush(): Promise<void> {
      for (const path of unflushed) {
        unflushed.delete(path);
        await syncToDisk(path);
      }
    },

    open: (ref: Pick<FileRef, 'digest'>, start = 0): Readable =>
      createReadStream(pathOf(ref), { start, highWaterMark: 256 * 1024 }),

    read: (ref: Pick<FileRef, 'digest'>): Promise<Buffer> => readFile(pathOf(ref)),

    /** Returns the digests of one group in lower-case hex. */
    async list(group: number): Promise<Set<string>> {
      const names = await readdir(join(root, groupName(group))).catch(() => []);
      return new Set(
        names.filter((name) => /^[0-9a-f]{62}$/.test(name)).map((name) => groupName(group) + name),
      );
    },

    /** Removes a file unless it was stored or linked at or after a time, in milliseconds since 1970. */
    async removeOld(ref: Pick<FileRef, 'digest'>, before: number): Promise<void> {
      // Unlike the time of modification, this one is also that of a link, and no copying tool sets it.
      const { ctimeMs } = await lstat(pathOf(ref)).catch(() => ({ ctimeMs: Infinity }));
      if (ctimeMs < before) await rm(pathOf(ref), { force: true });
    },

    /** Removes incomplete files of crashed processes. */
    async removeParts(): Promise<void> {
      for (const name of await readdir(root).catch(() => [])) {
        if (!name.startsWith(PART)) continue;
        const { mtimeMs } = await stat(join(root, name)).catch(() => ({ mtimeMs: Infinity }));
        if (Date.now() - mtimeMs > PART_IS_DEAD_MS) await rm(join(root, name), { force: true });
      }
    },
  };
}
