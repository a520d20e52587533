import type { Connection, Db } from '../../platform/db/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Progress, Report } from '../../platform/jobs/progress.ts';
import type { Log } from '../../platform/log.ts';
import { auditBackup } from './backup-audit.ts';
import { missingProblem } from './backup-files.ts';
import { isFetchable } from './backups.policy.ts';
import { findBackup, type BackupRow } from './backups.queries.ts';
import { readFileList } from './file-list.ts';
import { storageError, type Folder } from './folder.ts';
import { withoutCleanUp } from './lock.ts';
import * as queries from './ssh-copies.queries.ts';
import { SshFailure } from './ssh-failure.ts';
import { getFiles } from './ssh-file-copies.ts';
import { getFile, joinRemote } from './ssh-files.ts';
import type { CopyServer, SshSettingsService } from './ssh-settings.service.ts';

const MESSAGES = {
  isHere: 'The file of this backup is on this server already.',
  notCopied: 'There is no verified copy of this backup on an SSH server.',
  noServer: 'No SSH server is set up. Fill in the SSH settings first.',
  isFetching: 'This backup is being fetched already. Please wait until that is done.',
  deleted: 'This backup was deleted while it was fetched.',
} as const;

type Parts = {
  connection: Connection;
  db: Db;
  folder: Folder;
  files: FileStore;
  progress: Progress;
  settings: Pick<SshSettingsService, 'copyServer'>;
  log: Log;
};

type Download = { row: BackupRow; server: CopyServer; report: Report; signal: AbortSignal };

/** The row stores the job id of the fetch: every instance sees it, and a crashed fetch blocks nothing. */
type Fetch = Download & { jobId: string };

export type CopyFetcher = ReturnType<typeof createCopyFetcher>;

/**
 * Fetches copies from the SSH server (docs/product/backups.md, Fetch from the SSH server). It does not take the lock of
 * backups, so that an hourly backup need not wait for a large file.
 */
export function createCopyFetcher({ connection, db, folder, files, progress, settings, log }: Parts) {
  async function requireFetchable(row: BackupRow): Promise<void> {
    if (isFetchable(row, (await folder.sizeOf(row.name)) !== undefined)) return;
    const message = row.remote === 'copied' ? MESSAGES.isHere : MESSAGES.notCopied;
    throw new AppError('BACKUP_NOT_FETCHABLE', { message });
  }

  const start = (ctx: Context, { row: { id, name }, jobId }: Fetch): Promise<void> =>
    inTransaction(ctx, async (inner) => {
      const locked = await queries.lockForFetch(inner.db, id);
      if (!locked) throw new AppError('NOT_FOUND');
      if (locked.isFetching) throw new AppError('BACKUP_BUSY', { message: MESSAGES.isFetching });
      await requireFetchable(locked.row);
      await queries.startFetch(inner.db, id, jobId);
      await auditBackup(inner.db, ctx, 'backup.fetchStarted', { id, name });
    });

  /** Renames the file and marks it as local in one transaction. A concurrent DELETE waits, or has removed the row. */
  const finish = (ctx: Context, { row: { id, name, size }, jobId }: Fetch, part: string, missing: number) =>
    inTransaction(ctx, async (inner) => {
      if (!(await queries.completeFetch(inner.db, id, jobId, missingProblem(missing))))
        throw new AppError('NOT_FOUND', { message: MESSAGES.deleted });
      const fetched = { name, size };
      await progress.succeed(inner.db, jobId, fetched);
      await auditBackup(inner.db, ctx, 'backup.fetched', { id, name });
      await folder.publish(part, name);
      return fetched;
    });

  const fail = (ctx: Context, { row: { id, name }, jobId }: Fetch, error: Error): Promise<void> =>
    inTransaction(ctx, async (inner) => {
      if (!(await queries.failFetch(inner.db, id, jobId))) return;
      const reason = error instanceof AppError ? error.message : 'unexpected';
      await auditBackup(inner.db, ctx, 'backup.fetchFailed', { id, name }, { reason });
    });

  async function run(ctx: Context, fetch: Fetch): Promise<{ name: string; size: number }> {
    const { row, signal } = fetch;
    await start(ctx, fetch);
    let part: string | undefined;
    try {
      part = await folder.partFor('uploaded');
      const path = part;
      await downloadCopy(fetch, path);
      // The files stay until the backup that names them is listed.
      return await withoutCleanUp(
        connection,
        async () => {
          const missing = await downloadFiles(fetch, path, { folder, files: files.folder });
          return finish(ctx, fetch, path, missing);
        },
        signal,
      );
    } catch (error) {
      if (part !== undefined) await folder.discard(part);
      const refusal = refusalOf(signal.aborted ? signal.reason : error) as Error;
      await fail(ctx, fetch, refusal).catch((thrown: Error) =>
        log.warn({ backup: row.name, reason: thrown.message }, 'failure of a fetch not recorded'),
      );
      throw refusal;
    }
  }

  return {
    /**
     * Fetches the file of a backup from the SSH server into the folder, even if copying is off. Throws
     * BACKUP_NOT_FETCHABLE, BACKUP_BUSY during another fetch of the file, SSH_SERVER_REFUSED with the step, or
     * NO_SPACE; after an error the fetch can be repeated.
     */
    async fetch(ctx: Context, name: string) {
      const row = await findBackup(db, name);
      if (!row) throw new AppError('NOT_FOUND');
      await requireFetchable(row);
      const server = await settings.copyServer(db);
      if (!server) throw noServerError();
      return progress.respond(ctx.viewer, 'fetch', (report, signal, jobId) =>
        run(ctx, { row, server, jobId, report, signal }),
      );
    },
  };
}

export const noServerError = (): AppError =>
  new AppError('BACKUP_NOT_FETCHABLE', { message: MESSAGES.noServer });

/** The path of the copy, and the path by the current settings: an administrator may have moved the file. */
const pathsOf = ({ row, server }: Download): string[] => [
  ...new Set([
    ...(row.copy_path === null ? [] : [row.copy_path]),
    joinRemote(server.remotePath, server.remoteName(row.name)),
  ]),
];

/** The file of a backup takes this share of the progress, the files that it names the rest. */
const BACKUP_PERCENT = 90;

async function downloadCopy(download: Download, path: string): Promise<void> {
  const { row, server, report, signal } = download;
  const session = await server.open(signal);
  try {
    const file = { path, size: row.size, sha256: row.file_sha256!.toString('hex') };
    const onProgress = (received: number): void => report('fetching', (BACKUP_PERCENT * received) / row.size);
    await getFile(session, pathsOf(download), file, onProgress, signal);
  } finally {
    session.close();
  }
}

/** Stores the files that a fetched backup names beside the backups. Returns the number of missing ones. */
async function downloadFiles(
  download: Download,
  path: string,
  folders: Parameters<typeof getFiles>[3],
): Promise<number> {
  const { row, server, signal } = download;
  const list = await readFileList(path, row.schema_version, { totalLimit: Infinity, signal });
  const session = await server.open(signal);
  try {
    const remotePaths = new Set(pathsOf(download).map((copy) => copy.replace(/\/?[^/]*$/, '') || '/'));
    return await getFiles(session, [...remotePaths], list, folders, signal);
  } finally {
    session.close();
  }
}

/** Runs `work` with a temporary file of a backup's copy. Throws SSH_SERVER_REFUSED with the step, or NO_SPACE. */
export async function withTemporaryCopy(
  folder: Folder,
  download: Download,
  work: (path: string) => Promise<void>,
): Promise<void> {
  const part = await folder.partFor('uploaded');
  try {
    await downloadCopy(download, part);
    await work(part);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await folder.discard(part);
  }
}

/** Converts failures of the SSH server or the local disk to API errors; returns others unchanged. */
const refusalOf = (error: unknown): unknown =>
  error instanceof SshFailure
    ? new AppError('SSH_SERVER_REFUSED', { message: error.message, errors: { step: error.step } })
    : storageError(error);
