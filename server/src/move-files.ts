import { copyFile, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openBackupFolder } from './features/backups/backup-bucket.ts';
import { createFolder, type Folder } from './features/backups/folder.ts';
import { measureFile } from './features/backups/read-backup.ts';
import { readConfig } from './platform/config.ts';
import { folderFailure } from './platform/data-dir.ts';
import {
  assertNoCopy,
  bucketPlace,
  FILE,
  findOwner,
  folderPlace,
  MOVED,
  readBoundId,
  readId,
} from './platform/data-folder.ts';
import { withClient } from './platform/db/dedicated-client.ts';
import { assertMigrated, readMigrations } from './platform/db/migrations.ts';
import { createFileBucket } from './platform/files/file-bucket.ts';
import { createFileFolder, GROUPS, type FileFolder } from './platform/files/file-folder.ts';
import { S3_MESSAGES, S3Failure } from './platform/s3/s3-failure.ts';
import { bucketError, openStore, type Store } from './platform/s3/store.ts';
import { StartError } from './platform/start-error.ts';
import { throwUnreachable } from './run.ts';
import { lockOut, openStoppedDatabase } from './stopped-database.ts';

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
  await using running = new AsyncDisposableStack();
  const connection = await openStoppedDatabase(config, running);
  // Awaited here, because the database of this program is stopped on return.
  return await withClient(connection, async (client) => {
    const id = await readBoundId(client);
    if (id === undefined)
      throw new StartError(
        'The database has no data folder yet. Start this release once without FILES_URL, and stop it.',
      );
    const folder = folderPlace(dataDir);
    if (((await readId(folder)) ?? (await readId(folder, MOVED))) !== id)
      throw new StartError(
        `${dataDir} is not the data folder of this database. Nothing was copied; set DATA_DIR and DATABASE_URL as for the start.`,
      );
    // A copy of the database has the same id, and its original may be running.
    assertNoCopy(folder, await findOwner(client, folder, id));
    await client.query('begin');
    // Until the end, so that no file is added meanwhile.
    await lockOut(client);
    await assertMigrated(client, await readMigrations());
    const store = await openStore(config);
    try {
      return await moveTo(store, dataDir, id, config.FILES_URL!);
    } catch (error) {
      throw error instanceof S3Failure ? bucketError(error) : folderFailure(error, dataDir);
    } finally {
      store.close();
    }
  }).catch(throwUnreachable(config));
}

/** Returns the lines for the operator. */
async function moveTo(store: Store, dataDir: string, id: string, url: string): Promise<string> {
  const there = bucketPlace(store);
  const theirs = await readId(there);
  if (theirs !== undefined && theirs !== id)
    throw new StartError('The bucket of FILES_URL has the files of another database. Choose another prefix.');
  const bucket = createFileBucket(store, join(dataDir, 'files'));
  const from = createFolder(dataDir);
  const counts = [await copyFiles(createFileFolder(join(dataDir, 'files')), bucket)];
  counts.push(await copyFiles(from.files, bucket));
  const backups = await copyBackups(from, openBackupFolder(dataDir, bucket, store));
  // Before the bucket has the id: after a crash neither of them is used until a repetition.
  await rename(join(dataDir, FILE), join(dataDir, MOVED)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (theirs === undefined) await there.write(FILE, id);
  const sum = (key: 'copied' | 'damaged') => counts.reduce((total, count) => total + count[key], 0);
  return [
    `Copied to ${url}. Files: ${sum('copied')}. Backups: ${backups}.`,
    ...(sum('damaged') > 0 ? [`Not copied, because their content is damaged: ${sum('damaged')}.`] : []),
    `Start Forecourt with FILES_URL now. Then ${join(dataDir, 'files')} and ${join(dataDir, 'backups')} can be removed.`,
  ].join('\n');
}

/** Copies the backups that are not in the other folder. Returns their number. */
async function copyBackups(from: Folder, to: Folder): Promise<number> {
  let copied = 0;
  for (const name of await from.names()) {
    if ((await to.sizeOf(name)) === (await from.sizeOf(name))) continue;
    const part = await to.createPart('uploaded');
    try {
      await using local = await from.local(name);
      await copyFile(local.path, part.path);
      await part.complete(await measureFile(part.path));
      await part.publish(name);
      copied += 1;
    } finally {
      await part.discard();
    }
  }
  return copied;
}
