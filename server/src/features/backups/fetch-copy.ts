import { allowIdle, type Connection, type Db } from '../../platform/db/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { inTransaction, type Context } from '../../platform/http/context.ts';
import { AppError, requireFound } from '../../platform/http/errors.ts';
import type { Progress, Report } from '../../platform/jobs/progress.ts';
import type { Log } from '../../platform/log.ts';
import { auditBackup } from './backup-audit.ts';
import { missingProblem } from './backup-files.ts';
import { hasCopy, isFetchable } from './backups.policy.ts';
import { findBackup, type BackupRow } from './backups.queries.ts';
import * as queries from './copies.queries.ts';
import { CopyFailure, joinRemote, type CopyServer, type Destination } from './copy-destination.ts';
import { fetchFiles } from './file-copies.ts';
import { readFileList } from './file-list.ts';
import { storageError, type Folder, type Part } from './folder.ts';
import { withoutCleanUp } from './lock.ts';

const MESSAGES = {
  isHere: 'The file of this backup is on this server already.',
  notCopied: 'There is no verified copy of this backup.',
  noServer: {
    ssh: 'No SSH server is set up. Fill in the SSH settings first.',
    s3: 'No S3 bucket is set up. Fill in the S3 settings first.',
  },
  isFetching: 'This backup is being fetched already. Please wait until that is done.',
  deleted: 'This backup was deleted while it was fetched.',
} as const;

type Parts = {
  connection: Connection;
  db: Db;
  folder: Folder;
  files: FileStore;
  progress: Progress;
  destinations: readonly Destination[];
  log: Log;
};

/** A destination with a verified copy of a backup, and the path where it was put. */
type CopyPlace = CopyServer & { copyPath: string | null };

type Download = { row: BackupRow; servers: readonly CopyPlace[]; report: Report; signal: AbortSignal };

/** The row stores the job id of the fetch: every instance sees it, and a crashed fetch blocks nothing. */
type Fetch = Download & { jobId: string };

export type CopyFetcher = ReturnType<typeof createCopyFetcher>;

/**
 * Fetches copies of backups (docs/product/backups.md, Fetch of a copy). It does not take the lock of
 * backups, so that an hourly backup need not wait for a large file.
 */
export function createCopyFetcher({ connection, db, folder, files, progress, destinations, log }: Parts) {
  async function requireFetchable(row: BackupRow): Promise<void> {
    if (isFetchable(row, (await folder.sizeOf(row.name)) !== undefined)) return;
    const message = hasCopy(row) ? MESSAGES.isHere : MESSAGES.notCopied;
    throw new AppError('BACKUP_NOT_FETCHABLE', { message });
  }

  const start = (ctx: Context, { row: { id, name }, jobId }: Fetch): Promise<void> =>
    inTransaction(ctx, async (inner) => {
      const locked = requireFound(await queries.lockForFetch(inner.db, id));
      if (locked.isFetching) throw new AppError('BACKUP_BUSY', { message: MESSAGES.isFetching });
      await requireFetchable(locked.row);
      await queries.startFetch(inner.db, id, jobId);
      await auditBackup(inner.db, ctx, 'backup.fetchStarted', { id, name });
    });

  /** Renames the file and marks it as local in one transaction. A concurrent DELETE waits, or has removed the row. */
  const finish = (ctx: Context, { row: { id, name, size }, jobId }: Fetch, part: Part, missing: number) =>
    inTransaction(ctx, async (inner) => {
      if (!(await queries.completeFetch(inner.db, id, jobId, missingProblem(missing))))
        throw new AppError('NOT_FOUND', { message: MESSAGES.deleted });
      const fetched = { name, size };
      await progress.succeed(inner.db, jobId, fetched);
      await auditBackup(inner.db, ctx, 'backup.fetched', { id, name });
      await allowIdle(inner.db);
      await part.publish(name);
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
    let part: Part | undefined;
    try {
      part = await folder.createPart('uploaded');
      const fetched = part;
      const server = await downloadCopy(fetch, fetched);
      // The files stay until the backup that names them is listed.
      return await withoutCleanUp(
        connection,
        async () => {
          const missing = await downloadFiles(fetch, server, fetched.path, { folder, files: files.folder });
          await fetched.complete({ size: row.size, file_sha256: row.file_sha256! });
          return finish(ctx, fetch, fetched, missing);
        },
        signal,
      );
    } catch (error) {
      await part?.discard();
      const refusal = refusalOf(signal.aborted ? signal.reason : error) as Error;
      await fail(ctx, fetch, refusal).catch((thrown: Error) =>
        log.warn({ backup: row.name, reason: thrown.message }, 'failure of a fetch not recorded'),
      );
      throw refusal;
    }
  }

  return {
    /**
     * Fetches the file of a backup from its copy into the folder, even if copying is off. Throws BACKUP_NOT_FETCHABLE,
     * BACKUP_BUSY during another fetch of the file, SSH_SERVER_REFUSED or S3_REFUSED with the step, or NO_SPACE; after
     * an error the fetch can be repeated.
     */
    async fetch(ctx: Context, name: string) {
      const row = requireFound(await findBackup(db, name));
      await requireFetchable(row);
      const servers = await findServers(db, destinations, row);
      return progress.respond(ctx.viewer, 'fetch', (report, signal, jobId) =>
        run(ctx, { row, servers, jobId, report, signal }),
      );
    },
  };
}

/**
 * Returns the destinations with a verified copy of a backup whose settings are complete. Throws BACKUP_NOT_FETCHABLE if
 * there is none.
 */
export async function findServers(
  db: Db,
  destinations: readonly Destination[],
  { copies }: Pick<BackupRow, 'copies'>,
): Promise<CopyPlace[]> {
  const copied = copies.filter(({ state }) => state === 'copied');
  const places: CopyPlace[] = [];
  for (const { destination, path } of copied) {
    const server = await destinations.find(({ name }) => name === destination)?.copyServer(db);
    if (server) places.push({ ...server, copyPath: path });
  }
  if (places.length > 0) return places;
  throw new AppError('BACKUP_NOT_FETCHABLE', { message: MESSAGES.noServer[copied[0]?.destination ?? 'ssh'] });
}

/** The path of the copy, and the path by the current settings: an administrator may have moved the file. */
const pathsOf = ({ name }: BackupRow, server: CopyPlace): string[] => [
  ...new Set([
    ...(server.copyPath === null ? [] : [server.copyPath]),
    joinRemote(server.remotePath, server.remoteName(name)),
  ]),
];

/** The file of a backup takes this share of the progress, the files that it names the rest. */
const BACKUP_PERCENT = 90;

/** Downloads the first copy that can be read, and returns its destination. Throws the failure of the last one. */
async function downloadCopy(download: Download, part: Part): Promise<CopyPlace> {
  const { row, servers, report, signal } = download;
  const file = { path: part.path, size: row.size, sha256: row.file_sha256!.toString('hex') };
  const onProgress = (received: number): void => report('fetching', (BACKUP_PERCENT * received) / row.size);
  let failure: CopyFailure | undefined;
  for (const server of servers) {
    try {
      using session = await server.open(signal);
      await session.fetch(pathsOf(row, server), file, onProgress, signal);
      return server;
    } catch (error) {
      if (!(error instanceof CopyFailure) || signal.aborted) throw error;
      failure = error;
      await part.discard();
    }
  }
  throw failure!;
}

/** Stores the files that a fetched backup names beside the backups. Returns the number of missing ones. */
async function downloadFiles(
  { row, signal }: Download,
  server: CopyPlace,
  path: string,
  folders: Parameters<typeof fetchFiles>[3],
): Promise<number> {
  const list = await readFileList(path, row.schema_version, { totalLimit: Infinity, signal });
  using session = await server.open(signal);
  const remotePaths = new Set(pathsOf(row, server).map((copy) => copy.replace(/\/?[^/]*$/, '') || '/'));
  return await fetchFiles(session, [...remotePaths], list, folders, signal);
}

/** Runs `work` with a temporary file of a backup's copy. Throws what a fetch does. */
export async function withTemporaryCopy(
  folder: Folder,
  download: Download,
  work: (path: string, server: CopyServer) => Promise<void>,
): Promise<void> {
  const part = await folder.createPart('uploaded');
  try {
    await work(part.path, await downloadCopy(download, part));
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await part.discard();
  }
}

/** Converts failures of a destination or the local disk to API errors; returns others unchanged. */
const refusalOf = (error: unknown): unknown =>
  error instanceof CopyFailure
    ? new AppError(error.code, { message: error.message, errors: { step: error.step } })
    : storageError(error);
