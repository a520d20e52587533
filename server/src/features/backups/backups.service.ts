import { Readable } from 'node:stream';
import type { RequestPart } from '@forecourt/contract/api';
import type { BackupRowsFilter } from '@forecourt/contract/backup-rows';
import type { Backup, RestoreBody, RestoreCheck, RestoreResult } from '@forecourt/contract/backups';
import type { Actor } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import type { Download } from '../../platform/http/downloads.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Upload } from '../../platform/http/files.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { auditBackup } from './backup-audit.ts';
import { embedFiles } from './backup-files.ts';
import { createBackupStore, type BackupDeps } from './backup-store.ts';
import { isFetchable, needsConfirmation, typeOf } from './backups.policy.ts';
import * as queries from './backups.queries.ts';
import { createCleanUp } from './clean-up.ts';
import { withBackupLock } from './lock.ts';
import { checkBackup, readBackup, restoreBackup } from './restore-backup.ts';
import { listUpload, receiveUpload } from './upload-backup.ts';

/** Called when the key is rotated: the restore of an earlier backup then requires the former key. */
export const { disownBackups } = queries;

export type BackupsService = ReturnType<typeof createBackupsService>;
export type BackupStore = BackupsService['store'];

/** Backups and restores (docs/product/backups.md). For administrators only, enforced by the routes. */
export function createBackupsService({ progress, destinations, backupRows, ...parts }: BackupDeps) {
  const { db, folder, connection } = parts;
  const catalogue = createBackupStore({ progress, destinations, ...parts });
  const { store, load, loadFile, openListed, create, removeBackup } = catalogue;

  /** Loads a backup into a scratch schema, and returns the result of `work` with it. */
  async function inBackup<R>(ctx: Context, name: string, work: (backup: Tx) => Promise<R>) {
    await loadFile(name);
    return progress.respond(ctx.viewer, 'backup-rows', (report, signal) =>
      withBackupLock(connection, () => readBackup(parts, name, { report, signal }, work), signal),
    );
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
      // Another packing cannot be continued with the gzip members of files, and a dump of pg_dump has no last line that
      // they could follow.
      const isWhole = row.embeds_files || row.signature === 'unsigned' || !name.endsWith('.gz');
      return {
        name,
        // Known only afterwards with files, because they are compressed on the way.
        ...(isWhole && { size: row.size }),
        type: name.endsWith('.gz') ? 'application/gzip' : 'application/octet-stream',
        async open() {
          const file = await openListed(name);
          try {
            const files = isWhole ? [] : (await store.listFiles(name)).files;
            await db.transaction().execute((tx) => auditBackup(tx, actor, 'backup.downloaded', row));
            const stream = file.createReadStream({ start: 0, highWaterMark: 256 * 1024 });
            if (isWhole) return stream;
            const pieces = concatenate(stream, embedFiles(files, folder.files));
            const whole = Readable.from(pieces, { objectMode: false });
            // A generator that never started does not close its file, and Node ends the process for a file left open.
            whole.once('close', () => stream.destroy());
            return whole;
          } catch (error) {
            await file.close();
            throw error;
          }
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

    /** Returns the rows of a backup that match, compared with those of today. */
    searchRows: (ctx: Context, name: string, filter: BackupRowsFilter) =>
      inBackup(ctx, name, (backup) => backupRows.search(ctx, backup, filter)),

    /** Copies rows of a backup into the data, as one change set. */
    copyRows: (ctx: Context, name: string, body: RequestPart<'POST /backups/:name/rows/copy', 'body'>) =>
      inBackup(ctx, name, (backup) => backupRows.copy(ctx, backup, body)),

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

    ...createCleanUp(parts, catalogue),
  };
}

async function* concatenate(...parts: AsyncIterable<Buffer>[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* part;
}

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
  copies: row.copies.map(({ destination, state, problem }) => ({ destination, state, problem })),
  isFetchable: isFetchable(row, files.has(row.name)),
  isFetching: fetching.has(row.name),
});
