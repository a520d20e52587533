import type { FileHandle } from 'node:fs/promises';
import type {
  Backup,
  BackupType,
  RestoreBody,
  RestoreCheck,
  RestoreResult,
} from '@forecourt/contract/backups';
import { SYSTEM, type Actor } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { defineJob, IDLE, type RunResult } from '../../platform/define-job.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import type { Download } from '../../platform/http/downloads.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Upload } from '../../platform/http/files.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import type { Progress } from '../../platform/jobs/progress.ts';
import { auditBackup } from './backup-audit.ts';
import { isFetchable, needsConfirmation, typeOf } from './backups.policy.ts';
import * as queries from './backups.queries.ts';
import { verifyOptions, createBackup, type BackupOptions, type Parts } from './create-backup.ts';
import { noServerError, withTemporaryCopy } from './fetch-copy.ts';
import { noFileError, openFile } from './folder.ts';
import { releaseBackupLock, withBackupLock, withCleanUpLock } from './lock.ts';
import { digestOf, measureFile } from './read-backup.ts';
import { checkBackup, restoreBackup, testRestore } from './restore-backup.ts';
import { dropScratchSchemas } from './scratch-schema.ts';
import type { SshSettingsService } from './ssh-settings.service.ts';
import { listUpload, receiveUpload } from './upload-backup.ts';
import { verifiedColumns, verifyBackup } from './verify-backup.ts';

/** The interval at which each instance cleans up after crashed servers and lists files added to the folder by hand. */
const CLEAN_UP_MS = 30_000;

type Deps = Parts & { progress: Progress; copyServer: SshSettingsService['copyServer'] };

/** Called when the key is rotated: the restore of an earlier backup then requires the former key. */
export const { disownBackups } = queries;

export type BackupsService = ReturnType<typeof createBackupsService>;
export type BackupStore = BackupsService['store'];

/** Backups and restores (docs/product/backups.md). The routes restrict them to administrators. */
export function createBackupsService({ progress, copyServer, ...parts }: Deps) {
  const { db, folder, connection } = parts;

  async function load(name: string, from: Db | Tx = db): Promise<queries.BackupRow> {
    const row = await queries.findBackup(from, name);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  /** Returns the row of a backup whose file is local. */
  async function loadFile(name: string): Promise<queries.BackupRow> {
    const row = await load(name);
    if ((await folder.sizeOf(name)) === undefined) throw noFileError();
    return row;
  }

  /** Opens the file of a backup. Throws BACKUP_UNREADABLE if it is not the file that was listed. */
  async function openListed(name: string): Promise<FileHandle> {
    // A file added by hand may have been incomplete when it was listed.
    if ((await load(name)).file_sha256 === null) await store.verify(name);
    const { file_sha256, size, problem } = await load(name);
    if (file_sha256 === null) throw new AppError('BACKUP_UNREADABLE', { message: problem ?? CHANGED });
    const file = await openFile(folder.pathOf(name));
    try {
      const isSame = (await file.stat()).size === size && (await digestOf(file)).equals(file_sha256);
      if (!isSame) throw new AppError('BACKUP_UNREADABLE', { message: CHANGED });
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
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

  /** Deletes row and file. Returns false if there is no such backup, for example because it was just deleted. */
  const removeBackup = (actor: Actor, name: string): Promise<boolean> =>
    // The row is locked until its file is deleted, so that a concurrent fetch leaves no file without a row.
    db.transaction().execute(async (tx) => {
      const row = await queries.deleteBackup(tx, name);
      if (!row) return false;
      await auditBackup(tx, actor, 'backup.deleted', row);
      await folder.remove(name);
      return true;
    });

  /** Backup operations of background jobs, which have no request. */
  const store = {
    /** Creates and verifies a backup, and returns its name. Throws BACKUP_BUSY while a backup or restore runs on any instance. */
    create: (type: BackupType, signal?: AbortSignal): Promise<string> =>
      create(SYSTEM, { type, jobId: null, report: () => {}, signal }),

    list: async (): Promise<queries.BackupRow[]> =>
      (await queries.listBackups(db)).filter((row) => row.finished_at !== null),

    /** Returns the path of a backup's file. Throws NOT_FOUND if it has no local file. */
    async fileOf(name: string): Promise<string> {
      await loadFile(name);
      return folder.pathOf(name);
    },

    /** Deletes the file and the row. The caller checks whether deletion is permitted. */
    remove: async (name: string): Promise<void> => void (await removeBackup(SYSTEM, name)),

    /** Deletes the local file of a backup whose remote copy is verified. */
    removeLocal: (name: string): Promise<void> =>
      db.transaction().execute(async (tx) => {
        await queries.updateBackup(tx, name, { is_local: false });
        await folder.remove(name);
      }),

    /** Verifies the whole file by checksum and signature. If it is damaged, stores the problem and returns false. */
    async verify(name: string): Promise<boolean> {
      const row = await loadFile(name);
      const path = folder.pathOf(name);
      try {
        const found = await verifyBackup(path, verifyOptions(parts));
        const file = await measureFile(path);
        if (row.file_sha256 && !row.file_sha256.equals(file.file_sha256))
          throw new AppError('BACKUP_UNREADABLE', { message: CHANGED });
        await queries.updateBackup(db, name, verifiedColumns(found, file));
        return true;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const problem = error.reason;
        await queries.updateBackup(db, name, { verified_at: null, proven_at: null, problem });
        return false;
      }
    },

    /**
     * Restores the newest verified backup into a scratch schema and compares the result; fetches the file from the SSH
     * server if it is not local. Returns the name of the backup; null if there is none.
     */
    async testNewest(signal: AbortSignal = new AbortController().signal): Promise<string | null> {
      const newest = (await queries.listBackups(db)).find(
        (row) =>
          row.verified_at !== null && row.signature === 'own' && (row.is_local || row.remote === 'copied'),
      );
      if (!newest) return null;
      const test = (path: string): Promise<void> =>
        withBackupLock(connection, () => testRestore(parts, path, signal), signal);
      try {
        if (newest.is_local) await test(folder.pathOf(newest.name));
        else {
          const server = await copyServer(db);
          if (!server) throw noServerError();
          await withTemporaryCopy(folder, { row: newest, server, report: () => {}, signal }, test);
        }
        await queries.updateBackup(db, newest.name, { proven_at: new Date().toISOString() });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'BACKUP_UNREADABLE') throw error;
        const problem = error.reason;
        await queries.updateBackup(db, newest.name, { proven_at: null, problem });
      }
      return newest.name;
    },
  };

  /** Cleans up after crashed servers, and lists files added to the folder by hand. */
  async function cleanUp(): Promise<void> {
    // Requires the lock of backups, for which a concurrent request would wait: cleans up only if necessary.
    if ((await folder.hasParts()) || (await queries.hasLeftovers(db))) {
      await withCleanUpLock(connection, async (client) => {
        await queries.deletePending(db);
        await folder.removeParts();
        await dropScratchSchemas(client);
      });
    }
    const known = new Set((await queries.listBackups(db)).map(({ name }) => name));
    for (const name of await folder.names()) {
      if (known.has(name)) continue;
      const size = await folder.sizeOf(name);
      // The file may have been deleted since the folder was listed.
      if (size !== undefined && (await queries.insertFound(db, name, size))) await store.verify(name);
    }
  }

  return {
    store,

    async list(): Promise<{ items: Backup[]; total: number }> {
      const files = new Set(await folder.names());
      const fetching = new Set(await queries.listFetching(db));
      return wholeList((await queries.listBackups(db)).map((row) => present(row, files, fetching)));
    },

    /** Starts a backup and returns once it is listed as pending. */
    async begin(ctx: Context, type: 'manual' | 'automatic' = 'manual'): Promise<Backup> {
      const listed = Promise.withResolvers<Backup>();
      const onPending = (row: queries.BackupRow): void => listed.resolve(present(row, new Set()));
      const { done } = await progress.start(ctx.viewer, 'backup', (report, signal, jobId) =>
        create(ctx, { type, jobId, report, signal, onPending }),
      );
      await Promise.race([listed.promise, done]);
      return listed.promise;
    },

    /** Each download is audited. */
    async download(actor: Actor, name: string): Promise<Download> {
      const row = await loadFile(name);
      return {
        name,
        size: row.size,
        type: name.endsWith('.gz') ? 'application/gzip' : 'application/octet-stream',
        async open() {
          const file = await openListed(name);
          await db.transaction().execute((tx) => auditBackup(tx, actor, 'backup.downloaded', row));
          return file.createReadStream({ start: 0, highWaterMark: 256 * 1024 });
        },
      };
    },

    /** Throws NOT_FOUND, so that no ticket is issued for a missing file. */
    requireFile: (name: string): Promise<unknown> => loadFile(name),

    async upload(ctx: Context, file: Upload) {
      const received = await receiveUpload(parts, file);
      return progress.respond(ctx.viewer, 'upload', (report, signal, jobId) =>
        listUpload(parts, received, {
          report,
          signal,
          async onFinish(tx, listed) {
            await progress.succeed(tx, jobId, listed);
            const row = await load(listed.filename, tx);
            await auditBackup(tx, ctx, 'backup.uploaded', row, { size: listed.size });
          },
        }),
      );
    },

    async check(ctx: Context, name: string): Promise<RestoreCheck | { jobId: string }> {
      await loadFile(name);
      return progress.respond(ctx.viewer, 'check', (report, signal) =>
        withBackupLock(connection, () => checkBackup(parts, name, { report, signal }), signal),
      );
    },

    async restore(ctx: Context, name: string, body: RestoreBody): Promise<RestoreResult | { jobId: string }> {
      const row = await loadFile(name);
      return progress.respond(ctx.viewer, 'restore', async (report, signal, jobId) => {
        try {
          const run = () => restoreBackup(ctx, parts, row, body, jobId, { report, signal });
          const result = await withBackupLock(connection, run, signal);
          parts.onRestored?.();
          return result;
        } catch (error) {
          const reason = error instanceof AppError ? error.reason : 'unexpected';
          await db
            .transaction()
            .execute((tx) => auditBackup(tx, ctx, 'backup.restoreFailed', row, { reason }));
          throw error;
        }
      });
    },

    async remove(ctx: Context, name: string, isConfirmed: boolean): Promise<undefined> {
      await load(name);
      const verified = (await queries.listBackups(db)).filter(({ verified_at }) => verified_at !== null);
      const names = verified.map((one) => one.name);
      if (!isConfirmed && needsConfirmation(name, names)) {
        throw new AppError('BACKUP_NEEDED', {
          details:
            typeOf(name) === 'preRestore'
              ? 'It holds what was there before a restore.'
              : 'It is one of the last three that are known to be whole.',
        });
      }
      if (!(await removeBackup(ctx, name))) throw new AppError('NOT_FOUND');
    },

    visibleIds: async (viewer: Viewer, ids: string[]) => new Set(viewer.role === 'admin' ? ids : []),

    cleanUp,

    job: defineJob({
      name: 'backup-clean-up',
      schedule: { everyMs: CLEAN_UP_MS },
      run: () =>
        cleanUp().catch((error: unknown): RunResult => {
          // Another backup or restore is running.
          if (error instanceof AppError && error.code === 'BACKUP_BUSY') return IDLE;
          throw error;
        }),
    }),
  };
}

const CHANGED = 'Its file is not the one that was listed: its content has changed since.';
const MISSING = 'Its file is missing from the folder of backups.';

const present = (row: queries.BackupRow, files: Set<string>, fetching = new Set<string>()): Backup => ({
  name: row.name,
  path: `backups/${row.name}`,
  type: typeOf(row.name),
  size: row.size,
  createdAt: row.created_at,
  pending: row.finished_at === null,
  jobId: row.finished_at === null || fetching.has(row.name) ? row.job_id : null,
  signature: row.signature as Backup['signature'],
  schemaVersion: row.schema_version,
  rows: row.row_count,
  verifiedAt: row.verified_at,
  provenAt: row.proven_at,
  problem: row.finished_at !== null && row.is_local && !files.has(row.name) ? MISSING : row.problem,
  isLocal: row.is_local,
  remote: row.remote as Backup['remote'],
  remoteProblem: row.remote_problem,
  isFetchable: isFetchable(row, files.has(row.name)),
  isFetching: fetching.has(row.name),
});
