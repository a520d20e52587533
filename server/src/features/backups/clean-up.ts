import { defineJob, IDLE, type RunResult } from '../../platform/define-job.ts';
import { removeUnnamed } from '../../platform/files/file-store.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { createBackupStore } from './backup-store.ts';
import * as queries from './backups.queries.ts';
import type { Parts } from './create-backup.ts';
import type { FileList } from './file-list.ts';
import { withCleanUpLock } from './lock.ts';
import { dropScratchSchemas } from './scratch-schema.ts';
import { ScriptError, StallError } from './script-reader.ts';

/** The interval at which each instance cleans up after crashed servers and lists files added to the folder by hand. */
const CLEAN_UP_MS = 30_000;

/**
 * Each hour, apart from the hourly backup; for a bucket, whose backups are downloaded for their lists, each night of the
 * company.
 */
const FILE_CLEAN_UP = { folder: '25 * * * *', bucket: '25 3 * * *' };

const DAY_MS = 24 * 3_600_000;

const idleIfBusy = (error: unknown): RunResult => {
  // Another backup or restore runs.
  if (error instanceof AppError && error.code === 'BACKUP_BUSY') return IDLE;
  throw error;
};

type Backups = Pick<ReturnType<typeof createBackupStore>, 'store' | 'listFiles'>;

/** Removes what crashed servers left of backups, and the files that nothing uses any more. */
export function createCleanUp({ db, folder, files, connection, config }: Parts, backups: Backups) {
  /** Cleans up after crashed servers, and lists files added to the folder by hand. */
  async function cleanUp(): Promise<void> {
    // Only when needed: otherwise a concurrent request would wait.
    if ((await queries.hasLeftovers(db)) || (await folder.hasParts())) {
      await withCleanUpLock(connection, async (client) => {
        await queries.deletePending(db);
        await folder.removeParts();
        await dropScratchSchemas(client);
      });
    }
    const listedNames = new Set((await queries.listBackups(db)).map(({ name }) => name));
    for (const name of await folder.names()) {
      if (listedNames.has(name)) continue;
      const size = await folder.sizeOf(name);
      // A file may be deleted meanwhile.
      if (size !== undefined && (await queries.insertFound(db, name, size))) await backups.store.verify(name);
    }
  }

  /**
   * Yields the lists of the backups with a local file. One that is missing or damaged cannot be restored either. Throws
   * StallError.
   */
  async function* readLists(): AsyncGenerator<FileList> {
    for (const row of await queries.listBackups(db)) {
      if (row.finished_at === null || !row.is_local) continue;
      try {
        yield await backups.listFiles(row);
      } catch (error) {
        const isMissing = error instanceof AppError && error.code === 'NOT_FOUND';
        const isDamaged = error instanceof ScriptError && !(error instanceof StallError);
        if (!isMissing && !isDamaged) throw error;
      }
    }
  }

  /** Removes the files that neither records, exports nor backups have used for this long, in milliseconds. */
  async function cleanUpFiles(unusedMs = DAY_MS): Promise<RunResult> {
    await files.removeUnused(db);
    return withCleanUpLock(connection, async (client) => {
      const listed = new Set((await queries.listBackups(db)).map(({ name }) => name));
      // A backup that is not listed yet, for example after the loss of the database, names files too.
      if ((await folder.names()).some((name) => !listed.has(name))) return IDLE;
      const before = Date.now() - unusedMs;
      // Throws if the connection is lost, and the lock with it.
      const requireLock = () => client.query('select 1');
      // In a bucket they are the same.
      if (files.folder !== folder.files) await removeUnnamed(db, files.folder, { before, requireLock });
      await removeUnnamed(db, folder.files, { before, readLists, requireLock });
      return undefined;
    });
  }

  return {
    cleanUp,
    cleanUpFiles,

    jobs: [
      defineJob({
        name: 'backup-clean-up',
        schedule: { everyMs: CLEAN_UP_MS },
        run: () => cleanUp().catch(idleIfBusy),
      }),
      defineJob({
        name: 'file-clean-up',
        schedule: {
          cron: FILE_CLEAN_UP[files.folder === folder.files ? 'bucket' : 'folder'],
          timeZone: config.TIME_ZONE,
        },
        run: () => cleanUpFiles().catch(idleIfBusy),
      }),
    ],
  };
}
