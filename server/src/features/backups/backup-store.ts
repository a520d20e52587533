import type { FileHandle } from 'node:fs/promises';
import type { BackupType } from '@forecourt/contract/backups';
import { SYSTEM, type Actor } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { AppError, requireFound } from '../../platform/http/errors.ts';
import type { Progress } from '../../platform/jobs/progress.ts';
import type { BackupRows } from '../deals/backup-rows/backup-rows.service.ts';
import { auditBackup } from './backup-audit.ts';
import { countMissing, missingProblem, readFiles } from './backup-files.ts';
import { hasGoodCopy } from './backups.policy.ts';
import * as queries from './backups.queries.ts';
import type { Destination } from './copy-destination.ts';
import { verifyOptions, createBackup, type BackupOptions, type Parts } from './create-backup.ts';
import { findServers, withTemporaryCopy } from './fetch-copy.ts';
import { requireRemoteFiles } from './file-copies.ts';
import { readFileList, type FileList } from './file-list.ts';
import { noFileError, openFile, type LocalFile } from './folder.ts';
import { releaseBackupLock, withBackupLock } from './lock.ts';
import { digestOf, measureFile } from './read-backup.ts';
import { testRestore } from './restore-backup.ts';
import { verifyFiles } from './restored-files.ts';
import { ScriptError, StallError } from './script-reader.ts';
import { provesDamage, unreadable, verifiedColumns, verifyBackup } from './verify-backup.ts';

export type BackupDeps = Parts & {
  progress: Progress;
  destinations: readonly Destination[];
  backupRows: BackupRows;
};

/** The maximum size of a list of files, enough for some 100,000 of them. */
const LIST_BYTES = 8 * 1024 * 1024;

const CHANGED = 'Its file is not the one that was listed: its content has changed since.';

/** The backups with their files, without the rules of requests: what requests, the schedule and the copies share. */
export function createBackupStore({ progress, destinations, ...parts }: Omit<BackupDeps, 'backupRows'>) {
  const { db, folder, connection } = parts;

  const load = async (name: string, from: Db | Tx = db): Promise<queries.BackupRow> =>
    requireFound(await queries.findBackup(from, name));

  /** Returns the row of a backup whose file is local. */
  async function loadFile(name: string): Promise<queries.BackupRow> {
    const row = await load(name);
    if ((await folder.sizeOf(name)) === undefined) throw noFileError();
    return row;
  }

  /** Opens the file of a backup after checking that it is the listed one. Throws BACKUP_UNREADABLE otherwise. */
  async function openListed(name: string): Promise<FileHandle> {
    // A file added by hand may have been incomplete when it was listed.
    if ((await load(name)).file_sha256 === null) await store.verify(name);
    const { file_sha256, size, problem } = await load(name);
    if (file_sha256 === null) throw new AppError('BACKUP_UNREADABLE', { message: problem ?? CHANGED });
    // On a system that is no Windows, a temporary file stays readable until its last reader closes it.
    await using local = await folder.local(name);
    const file = await openFile(local.path);
    try {
      const isSame = (await file.stat()).size === size && (await digestOf(file)).equals(file_sha256);
      if (!isSame) throw new AppError('BACKUP_UNREADABLE', { message: CHANGED });
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Returns the files that a backup names. Throws ScriptError if its file cannot be read. The list is at its beginning: no
   * more is downloaded from a bucket, unless it is longer.
   */
  async function listFiles(
    row: queries.BackupRow,
    signal?: AbortSignal,
    maxBytes = LIST_BYTES,
  ): Promise<FileList> {
    await using local = await folder.local(row.name, { signal, maxBytes });
    return await readFileList(local.path, row.schema_version, { ...verifyOptions(parts), signal }).catch(
      (error: unknown) => {
        if (!(error instanceof ScriptError) || error instanceof StallError || maxBytes >= row.size)
          throw error;
        return listFiles(row, signal, Infinity);
      },
    );
  }

  async function create(
    actor: Actor,
    options: Pick<BackupOptions, 'type' | 'jobId' | 'report' | 'signal' | 'onPending'>,
  ): Promise<string> {
    const onFinish = async (tx: Tx, created: string): Promise<void> => {
      if (options.jobId !== null) await progress.succeed(tx, options.jobId, created);
      await auditBackup(tx, actor, 'backup.created', await load(created, tx));
    };
    const name = await withBackupLock(
      connection,
      (client) => {
        const onPublished = () => releaseBackupLock(client);
        return createBackup(client, parts, { ...options, onFinish, onPublished });
      },
      options.signal,
    );
    parts.onCreated?.();
    return name;
  }

  /** Deletes row and file. Returns false when there is none, for example because it was deleted meanwhile. */
  const removeBackup = (actor: Actor, name: string): Promise<boolean> =>
    // The row is locked until its file is deleted, so that a concurrent fetch leaves no file without a row.
    db.transaction().execute(async (tx) => {
      const row = await queries.deleteBackup(tx, name);
      if (!row) return false;
      await auditBackup(tx, actor, 'backup.deleted', row);
      await folder.remove(name);
      return true;
    });

  /** Fetches a backup of which only copies exist for `test`. */
  async function testCopy(
    row: queries.BackupRow,
    test: (path: string, testFiles: Parameters<typeof testRestore>[2]) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const servers = await findServers(db, destinations, row);
    await withTemporaryCopy(folder, { row, servers, report: () => {}, signal }, (path, server) =>
      test(path, async (client) => {
        using session = await server.open(signal);
        await requireRemoteFiles(session, server.remotePath, readFiles(client));
      }),
    );
  }

  /** Backups without a request: the schedule and the copies decide when. */
  const store = {
    /** Creates and verifies a backup, and returns its name. Throws BACKUP_BUSY while a backup or restore runs on any instance. */
    create: (type: BackupType, signal?: AbortSignal): Promise<string> =>
      create(SYSTEM, { type, jobId: null, report: () => {}, signal }),

    /** Returns the finished backups, newest first. */
    list: async (): Promise<queries.BackupRow[]> =>
      (await queries.listBackups(db)).filter((row) => row.finished_at !== null),

    /** Opens a backup's file for reading. Throws NOT_FOUND without one. */
    async localFile(name: string, signal: AbortSignal): Promise<LocalFile> {
      await loadFile(name);
      return folder.local(name, { signal });
    },

    /** Returns the files that a backup names, and the folder with their content. */
    listFiles: async (name: string, signal?: AbortSignal) => ({
      files: await listFiles(await loadFile(name), signal),
      from: folder.files,
    }),

    /** Deletes the file and the row. Callers enforce the rules of deletion. */
    remove: async (name: string): Promise<void> => void (await removeBackup(SYSTEM, name)),

    /** Deletes the local file only, once the remote copy is verified. */
    removeLocal: (name: string): Promise<void> =>
      db.transaction().execute(async (tx) => {
        await queries.updateBackup(tx, name, { is_local: false });
        await folder.remove(name);
      }),

    /**
     * Verifies the whole file against its checksum and signature. Returns false, and records the problem, when it is
     * damaged. Throws BACKUP_UNREADABLE, and records nothing, when it could not be read in time.
     */
    async verify(name: string): Promise<boolean> {
      const row = await loadFile(name);
      await using local = await folder.local(name);
      try {
        const backup = await verifyBackup(local.path, verifyOptions(parts));
        const file = await measureFile(local.path);
        if (row.file_sha256 && !row.file_sha256.equals(file.file_sha256))
          throw new AppError('BACKUP_UNREADABLE', { message: CHANGED });
        const listed = { ...row, schema_version: backup.schemaVersion };
        const missing = backup.embedsFiles ? 0 : await countMissing(await listFiles(listed), folder.files);
        const problem = missingProblem(missing);
        await queries.updateBackup(db, name, { ...verifiedColumns(backup, file), problem });
        return true;
      } catch (thrown) {
        const error = unreadable(thrown);
        if (!provesDamage(error)) throw error;
        const problem = error.reason;
        await queries.updateBackup(db, name, { verified_at: null, proven_at: null, problem });
        return false;
      }
    },

    /**
     * Restores the newest verified backup into a scratch schema and compares it, from a copy if it has no local file. Returns its name; null when there is none.
     */
    async testNewest(signal: AbortSignal = new AbortController().signal): Promise<string | null> {
      const newest = (await queries.listBackups(db)).find(
        (row) => row.verified_at !== null && row.signature === 'own' && (row.is_local || hasGoodCopy(row)),
      );
      if (!newest) return null;
      const test = (path: string, testFiles: Parameters<typeof testRestore>[2]): Promise<void> =>
        withBackupLock(connection, () => testRestore(parts, path, testFiles, signal), signal);
      try {
        if (newest.is_local) {
          await using local = await folder.local(newest.name, { signal });
          await test(local.path, (client) => verifyFiles(client, folder.files));
        } else await testCopy(newest, test, signal);
        await queries.updateBackup(db, newest.name, { proven_at: new Date().toISOString() });
      } catch (error) {
        if (!provesDamage(error)) throw error;
        const problem = error.reason;
        await queries.updateBackup(db, newest.name, { proven_at: null, problem });
      }
      return newest.name;
    },
  };

  return {
    store,
    load,
    loadFile,
    openListed,
    create,
    removeBackup,
    listFiles,
  };
}
