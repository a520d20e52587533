import { copyFile, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openBackupFolder } from './features/backups/backup-bucket.ts';
import { createFolder } from './features/backups/folder.ts';
import { measureFile } from './features/backups/read-backup.ts';
import { readConfig } from './platform/config.ts';
import { bucketPlace, FILE, folderPlace, readId } from './platform/data-folder.ts';
import { createFileBucket } from './platform/files/file-bucket.ts';
import { createFileFolder, GROUPS, type FileFolder } from './platform/files/file-folder.ts';
import { S3_MESSAGES, S3Failure } from './platform/s3/s3-failure.ts';
import { bucketError, openStore } from './platform/s3/store.ts';
import { StartError } from './platform/start-error.ts';

/** Copies the files of a folder that are not in the bucket. Returns their number, and that of damaged ones. */
async function copyFiles(from: FileFolder, to: FileFolder): Promise<{ copied: number; damaged: number }> {
  const counts = { copied: 0, damaged: 0 };
  for (let group = 0; group < GROUPS; group += 1) {
    for (const hex of await from.list(group)) {
      const digest = Buffer.from(hex, 'hex');
      await from.withPath({ digest, size: 0 }, async (path) => {
        const ref = { digest, size: (await stat(path)).size };
        if (await to.has(ref)) return;
        try {
          await to.take(ref, path);
          counts.copied += 1;
        } catch (error) {
          if (!(error instanceof S3Failure) || error.message !== S3_MESSAGES.changed) throw error;
          counts.damaged += 1;
        }
      });
    }
  }
  return counts;
}

/**
 * Copies files and backups of DATA_DIR to the bucket of FILES_URL, and binds it to the database instead of DATA_DIR,
 * while the program is stopped (docs/operating.md, Backups and restore). A repetition continues. Returns the lines for the
 * operator. Throws a `StartError`.
 */
export async function moveFiles(environment: NodeJS.ProcessEnv): Promise<string> {
  const config = readConfig(environment);
  if (!config.FILES_URL) throw new StartError('Set FILES_URL to the bucket to which the files move.');
  const dataDir = resolve(config.DATA_DIR);
  const moved = join(dataDir, `${FILE}.moved`);
  const id = (await readId(folderPlace(dataDir))) ?? (await readId(folderPlace(dataDir), `${FILE}.moved`));
  if (id === undefined)
    throw new StartError(
      `${dataDir} has no ${FILE}. Start this release once without FILES_URL, and stop it.`,
    );
  const store = await openStore(config);
  try {
    const there = bucketPlace(store);
    const theirs = await readId(there);
    if (theirs !== undefined && theirs !== id)
      throw new StartError(
        'The bucket of FILES_URL has the files of another database. Choose another prefix.',
      );
    const bucket = createFileBucket(store, join(dataDir, 'files'));
    const from = createFolder(dataDir);
    const to = openBackupFolder(dataDir, bucket, store);
    const counts = [await copyFiles(createFileFolder(join(dataDir, 'files')), bucket)];
    counts.push(await copyFiles(from.files, bucket));
    let backups = 0;
    for (const name of await from.names()) {
      if ((await to.sizeOf(name)) === (await from.sizeOf(name))) continue;
      const part = await to.createPart('uploaded');
      try {
        await using local = await from.local(name);
        await copyFile(local.path, part.path);
        await part.complete(await measureFile(part.path));
        await part.publish(name);
        backups += 1;
      } finally {
        await part.discard();
      }
    }
    if (theirs === undefined) await there.write(FILE, id);
    await rename(join(dataDir, FILE), moved).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    const sum = (key: 'copied' | 'damaged') => counts.reduce((total, count) => total + count[key], 0);
    return [
      `Copied to ${config.FILES_URL}. Files: ${sum('copied')}. Backups: ${backups}.`,
      ...(sum('damaged') > 0 ? [`Not copied, because their content is damaged: ${sum('damaged')}.`] : []),
      `Start Forecourt with FILES_URL now. Then ${join(dataDir, 'files')} and ${join(dataDir, 'backups')} can be removed.`,
    ].join('\n');
  } catch (error) {
    throw error instanceof S3Failure ? bucketError(error) : error;
  } finally {
    store.close();
  }
}
