import type { FileHandle } from 'node:fs/promises';
import type {
  Backup,
  BackupType,
  RestoreBody,
  RestoreCheck,
  RestoreResult,
} from '@forecourt/contract/backups';
import { audit, SYSTEM, type Actor } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type Context, type Viewer, wholeList } from '../../platform/http/context.ts';
import type { Download } from '../../platform/http/downloads.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Upload } from '../../platform/http/files.ts';
import { defineJob, IDLE, type RunResult } from '../../platform/jobs/define-job.ts';
import type { Progress, Report } from '../../platform/jobs/progress.ts';
import type { CatalogueEntry, Engine } from './backup-engine.ts';
import { isFetchable, isNeeded, typeOf } from './backups.policy.ts';
import * as queries from './backups.queries.ts';
import { verifyOptions, createBackup, type Parts } from './create-backup.ts';
import { noFile, openFile } from './folder.ts';
import { releaseBackupLock, withBackupLock } from './lock.ts';
import { digestAt, digestOf } from './read-backup.ts';
import { checkBackup, proveBackup, restoreBackup } from './restore-backup.ts';
import { dropScratchSchemas } from './scratch-schema.ts';
import { accept, receive } from './upload-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const entity = 'backup' as const;

/** The interval at which each instance cleans up after crashed servers and lists files added to the folder by hand. */
const CLEAN_UP_MS = 30_000;

type Deps = Parts & { progress: Progress };

/** After a rotation of the key: a restore of an earlier backup needs the former one. */
export const { disownBackups } = queries;

export type BackupsService = ReturnType<typeof createBackupsService>;

/** Backups and restores (docs/product/backups.md). For administrators only, enforced by the routes. */
export function createBackupsService({ progress, ...parts }: Deps) {
  const { db, folder, connection } = parts;

  async function load(name: string, from: Db | Tx = db): Promise<queries.BackupRow> {
    const row = await queries.findBackup(from, name);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  /** Returns the row of a backup whose file is local. */
  async function loadFile(name: string): Promise<queries.BackupRow> {
    const row = await load(name);
    if ((await folder.sizeOf(name)) === undefined) throw noFile();
    return row;
  }

  /** Opens the file of a backup after checking that it is the listed one. Throws BACKUP_UNREADABLE otherwise. */
  async function openListed(name: string): Promise<FileHandle> {
    // A file added by hand may have been incomplete when it was listed.
    if ((await load(name)).file_sha256 === null) await engine.verify(name);
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

  const record = (
    actor: Actor,
    action: `backup.${string}`,
    row: { id: string; name: string },
    after: object = {},
    into: Db | Tx = db,
  ) => audit(into, actor, { action, entity, recordId: row.id, after: { name: row.name, ...after } });

  type BackupOptions = {
    type: BackupType;
    jobId: string | null;
    report: Report;
    signal?: AbortSignal;
    onPending?: (name: string) => void;
  };
  async function make(actor: Actor, options: BackupOptions): Promise<string> {
    const onFinish = async (tx: Tx, created: string): Promise<void> => {
      if (options.jobId !== null) await progress.succeed(tx, options.jobId, created);
      await record(actor, 'backup.created', await load(created, tx), {}, tx);
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
      await record(actor, 'backup.deleted', row, {}, tx);
      await folder.remove(name);
      return true;
    });

  const engine: Engine = {
    make: async (type, report = () => {}, signal) =>
      make(SYSTEM, { type, jobId: null, report, ...(signal && { signal }) }),

    async entries(): Promise<CatalogueEntry[]> {
      const rows = await queries.listBackups(db);
      return rows.filter((row) => row.finished_at !== null).map(toEntry);
    },

    async fileOf(name) {
      await loadFile(name);
      return folder.pathOf(name);
    },

    remove: async (name) => void (await removeBackup(SYSTEM, name)),

    removeLocal: (name) =>
      db.transaction().execute(async (tx) => {
        await queries.updateBackup(tx, name, { is_local: false });
        await folder.remove(name);
      }),

    async verify(name) {
      const row = await loadFile(name);
      const path = folder.pathOf(name);
      try {
        const found = await verifyBackup(path, verifyOptions(parts));
        const file_sha256 = await digestAt(path);
        if (row.file_sha256 && !row.file_sha256.equals(file_sha256))
          throw new AppError('BACKUP_UNREADABLE', { message: CHANGED });
        await queries.updateBackup(db, name, {
          size: (await folder.sizeOf(name)) ?? row.size,
          file_sha256,
          signature: found.signature,
          schema_version: found.schemaVersion,
          row_count: found.rows,
          verified_at: new Date().toISOString(),
          problem: null,
        });
        return true;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const problem = error.reason;
        await queries.updateBackup(db, name, { verified_at: null, proven_at: null, problem });
        return false;
      }
    },

    async proveNewest(report = () => {}, signal) {
      const rows = await queries.listBackups(db);
      const newest = rows.find((row) => row.verified_at !== null && row.is_local && row.signature === 'own');
      if (!newest) return null;
      try {
        await withBackupLock(connection, () => proveBackup(parts, newest.name, { report, signal }), signal);
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
    // Only when needed: otherwise a concurrent request would find the lock taken.
    if ((await folder.hasParts()) || (await queries.hasLeftovers(db))) {
      await withBackupLock(connection, async (client) => {
        await queries.deletePending(db);
        await folder.removeParts();
        await dropScratchSchemas(client);
      });
    }
    const known = new Map((await queries.listBackups(db)).map((row) => [row.name, row]));
    for (const name of await folder.names()) {
      if (!known.has(name)) await listFile(name);
    }
  }

  /** Lists a file that was neither created nor uploaded here, for example on a new machine. */
  async function listFile(name: string): Promise<void> {
    if (!(await queries.insertFound(db, name, (await folder.sizeOf(name)) ?? 0))) return;
    await engine.verify(name);
  }

  return {
    engine,

    async list(): Promise<{ items: Backup[]; total: number }> {
      const [files, fetching] = [new Set(await folder.names()), await queries.listFetching(db)];
      return wholeList((await queries.listBackups(db)).map((row) => present(row, files, fetching)));
    },

    /** Starts a backup and returns once it is listed as pending. */
    async begin(ctx: Context, type: 'manual' | 'automatic' = 'manual'): Promise<Backup> {
      const listed = Promise.withResolvers<string>();
      const job = await progress.start(ctx.viewer, 'backup', (report, signal, jobId) =>
        make(ctx, { type, jobId, report, signal, onPending: listed.resolve }),
      );
      const name = await Promise.race([listed.promise, job.done]);
      const rows = await queries.listBackups(db);
      return present(
        rows.find((row) => row.name === name)!,
        new Set([name]),
      );
    },

    /** Returns the file for download; each download is audited. */
    async download(actor: Actor, name: string): Promise<Download> {
      const row = await loadFile(name);
      return {
        name,
        size: row.size,
        type: name.endsWith('.gz') ? 'application/gzip' : 'application/octet-stream',
        async open() {
          const file = await openListed(name);
          await record(actor, 'backup.downloaded', row);
          return file.createReadStream({ start: 0, highWaterMark: 256 * 1024 });
        },
      };
    },

    /** Throws NOT_FOUND before a ticket is issued in vain. */
    requireFile: (name: string): Promise<unknown> => loadFile(name),

    async upload(ctx: Context, file: Upload) {
      const arrived = await receive(parts, file);
      return progress.respond(ctx.viewer, 'upload', (report, signal, jobId) =>
        accept(parts, arrived, {
          report,
          signal,
          async onFinish(tx, accepted) {
            await progress.succeed(tx, jobId, accepted);
            const row = await load(accepted.filename, tx);
            await record(ctx, 'backup.uploaded', row, { size: accepted.size }, tx);
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
          const work = { report, signal };
          const result = await withBackupLock(
            connection,
            () => restoreBackup(ctx, parts, name, body, jobId, work),
            signal,
          );
          parts.onRestored?.();
          return result;
        } catch (error) {
          await record(ctx, 'backup.restoreFailed', row, {
            reason: error instanceof AppError ? error.reason : 'unexpected',
          });
          throw error;
        }
      });
    },

    async remove(ctx: Context, name: string, isConfirmed: boolean): Promise<undefined> {
      await load(name);
      const verified = (await queries.listBackups(db)).filter(({ verified_at }) => verified_at !== null);
      const names = verified.map((one) => one.name);
      if (!isConfirmed && isNeeded(name, names)) {
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
          // Another backup or restore runs.
          if (error instanceof AppError && error.code === 'BACKUP_BUSY') return IDLE;
          throw error;
        }),
    }),
  };
}

const toEntry = (row: queries.BackupRow): CatalogueEntry => ({
  name: row.name,
  type: typeOf(row.name),
  createdAt: row.created_at,
  origin: row.origin as CatalogueEntry['origin'],
  verifiedAt: row.verified_at,
  provenAt: row.proven_at,
  isLocal: row.is_local,
  remote: row.remote as CatalogueEntry['remote'],
  fetchStartedAt: row.fetch_started_at,
});

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
