import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BackupName } from '@forecourt/contract/backups';
import type { FileFolder } from '../../platform/files/file-folder.ts';
import { putFile, type Store } from '../../platform/s3/store.ts';
import {
  createFolder,
  createPartPath,
  deadParts,
  isPart,
  noFileError,
  UPLOAD_IS_DEAD_MS,
  type Folder,
} from './folder.ts';

/**
 * The files of backups in a bucket, below `backups`. They are written and read by way of DATA_DIR/backups. What they
 * name is among the files of records, once for both.
 */
function createBackupBucket({ bucket, keyOf }: Store, files: FileFolder, dataDir: string): Folder {
  const spool = join(dataDir, 'backups');
  const root = keyOf('backups');
  const keyOfBackup = (name: string): string => `${root}/${BackupName.parse(name)}`;

  /** Returns the incomplete objects of crashed processes. */
  async function deadObjects(): Promise<string[]> {
    const dead: string[] = [];
    for (const name of (await bucket.list(root)).keys()) {
      if (!isPart(name)) continue;
      const key = `${root}/${name}`;
      const found = await bucket.head(key);
      if (found && Date.now() - found.modifiedAt > UPLOAD_IS_DEAD_MS) dead.push(key);
    }
    return dead;
  }

  return {
    files,

    async createPart(origin) {
      const path = await createPartPath(spool, origin);
      const key = `${root}/${basename(path)}`;
      let sent: { size: number; sha256: string } | undefined;
      const discard = async (): Promise<void> => {
        await rm(path, { force: true });
        // What cannot be removed now is removed as the rest of a crashed process.
        if (sent) await bucket.remove(key).catch(() => {});
        sent = undefined;
      };
      return {
        path,
        async complete({ size, file_sha256: digest }) {
          sent = { size, sha256: digest.toString('hex') };
          await putFile(bucket, key, path, { size, digest });
        },
        async publish(name) {
          try {
            await bucket.copy(key, keyOfBackup(name), sent!);
          } catch (error) {
            // The store may have copied it although its answer was lost.
            await bucket.remove(keyOfBackup(name)).catch(() => {});
            throw error;
          }
          await discard();
        },
        discard,
      };
    },

    async local(name, { signal, maxBytes } = {}) {
      const path = await createPartPath(spool, 'uploaded');
      const content = await bucket.find(keyOfBackup(name), maxBytes);
      if (!content) throw noFileError();
      const remove = (): Promise<void> => rm(path, { force: true });
      try {
        await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
      } catch (error) {
        await remove();
        throw error;
      }
      return { path, [Symbol.asyncDispose]: remove };
    },

    remove: (name) => bucket.remove(keyOfBackup(name)),
    sizeOf: async (name) => (await bucket.head(keyOfBackup(name)))?.size,
    names: async () =>
      [...(await bucket.list(root)).keys()].filter((name) => BackupName.safeParse(name).success),
    hasParts: async () => (await deadParts(spool)).length > 0 || (await deadObjects()).length > 0,

    async removeParts() {
      for (const path of await deadParts(spool)) await rm(path, { force: true });
      for (const key of await deadObjects()) await bucket.remove(key);
    },
  };
}

/** Returns where backups are: in the bucket, if there is one, or DATA_DIR/backups. */
export const openBackupFolder = (dataDir: string, files: FileFolder, store?: Store): Folder =>
  store ? createBackupBucket(store, files, dataDir) : createFolder(dataDir);
