import { createReadStream } from 'node:fs';
import type {
  Backup,
  BackupType,
  RestoreBody,
  RestoreCheck,
  RestoreResult,
} from '@forecourt/contract/backups';
import { audit, type Actor } from '../../platform/audit.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import type { Download } from '../../platform/http/downloads.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Upload } from '../../platform/http/files.ts';
import type { Log } from '../../platform/log.ts';
import type { Progress, Report } from '../../platform/progress.ts';
import { isNeeded, typeOf } from './backups.policy.ts';
import * as queries from './backups.queries.ts';
import type { CatalogueEntry, Engine } from './engine.ts';
import { digestOf } from './folder.ts';
import { inspect } from './inspecting.ts';
import { alone } from './lock.ts';
import { inspection, makeBackup, type Parts } from './making.ts';
import { checkBackup, proveBackup, restoreBackup } from './restoring.ts';
import { dropScratches } from './scratch.ts';
import { accept, receive } from './uploading.ts';

const entity = 'backup' as const;
const SYSTEM: Actor = { viewer: null, origin: { requestId: '', ip: '', userAgent: '' } };

/** How often each instance looks for what a dead server left, and for files that somebody put into the folder. */
const LOOK_MS = 30_000;

type Deps = Parts & { progress: Progress; log: Log };

export type BackupsService = ReturnType<typeof createBackupsService>;

/** Backups and their restore (product.md section 10). For administrators alone; the routes say so. */
export function createBackupsService({ progress, log, ...parts }: Deps) {
  const { db, folder, connection } = parts;

  async function load(name: string): Promise<queries.BackupRow> {
    const row = await queries.findBackup(db, name);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  /** The row of one whose file is here. */
  async function loadFile(name: string): Promise<queries.BackupRow> {
    const row = await load(name);
    if ((await folder.sizeOf(name)) === undefined) {
      throw new AppError('NOT_FOUND', { message: 'The file of this backup is not on this server.' });
    }
    return row;
  }

  const record = (
    actor: Actor,
    action: `backup.${string}`,
    row: { id: string; name: string },
    after: object = {},
  ) => audit(db, actor, { action, entity, recordId: row.id, after: { name: row.name, ...after } });

  type Making = {
    type: BackupType;
    jobId: string | null;
    report: Report;
    signal?: AbortSignal;
    onPending?: (name: string) => void;
  };
  async function make(actor: Actor, making: Making): Promise<string> {
    const name = await alone(connection, (client) => makeBackup(client, parts, making), making.signal);
    await record(actor, 'backup.created', await load(name));
    return name;
  }

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

    async remove(name) {
      await folder.remove(name);
      await queries.deleteBackup(db, name);
    },

    async removeLocal(name) {
      await queries.updateBackup(db, name, { is_local: false });
      await folder.remove(name);
    },

    setRemote: (name, remote, problem) =>
      queries.updateBackup(db, name, { remote, remote_problem: problem ?? null }),

    async verify(name) {
      const row = await loadFile(name);
      const path = folder.pathOf(name);
      try {
        const found = await inspect(path, inspection(parts));
        const file_sha256 = await digestOf(path);
        if (row.file_sha256 && !row.file_sha256.equals(file_sha256)) throw new AppError('BACKUP_UNREADABLE');
        await queries.updateBackup(db, name, {
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
        const problem = error.details.details ?? error.message;
        await queries.updateBackup(db, name, { verified_at: null, proven_at: null, problem });
        return false;
      }
    },

    async proveNewest(report = () => {}, signal) {
      const rows = await queries.listBackups(db);
      const newest = rows.find((row) => row.verified_at !== null && row.is_local && row.signature === 'own');
      if (!newest) return null;
      try {
        await alone(connection, () => proveBackup(parts, newest.name, { report, signal }), signal);
        await queries.updateBackup(db, newest.name, { proven_at: new Date().toISOString() });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'BACKUP_UNREADABLE') throw error;
        const problem = error.details.details ?? error.message;
        await queries.updateBackup(db, newest.name, { proven_at: null, problem });
      }
      return newest.name;
    },
  };

  /** Clears away what a dead server left, and looks at files that somebody has put into the folder. */
  async function lookAround(): Promise<void> {
    // Only where there is something: whoever wants the lock just now is not to be told that it is taken.
    if ((await folder.hasParts()) || (await queries.hasLeftovers(db))) {
      await alone(connection, async (client) => {
        await queries.deletePending(db);
        await folder.removeParts();
        await dropScratches(client);
      });
    }
    const known = new Map((await queries.listBackups(db)).map((row) => [row.name, row]));
    for (const name of await folder.names()) {
      if (!known.has(name)) await take(name);
    }
  }

  /** Lists a file that is in the folder though nobody made or uploaded it here: on a new machine, say. */
  async function take(name: string): Promise<void> {
    if (!(await queries.insertFound(db, name, (await folder.sizeOf(name)) ?? 0))) return;
    await engine.verify(name);
  }

  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  const look = (): void => {
    looking = lookAround().catch((error: Error) => {
      if (!(error instanceof AppError)) log.warn({ reason: error.message }, 'backups not looked after');
    });
  };

  return {
    engine,

    async list(): Promise<{ items: Backup[]; total: number }> {
      const files = new Set(await folder.names());
      const items = (await queries.listBackups(db)).map((row) => present(row, files));
      return { items, total: items.length };
    },

    /** Begins a backup: answers as soon as it is listed as pending. */
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

    /** The file, for whoever may have it; each download is recorded. */
    async download(actor: Actor, name: string): Promise<Download> {
      const row = await loadFile(name);
      await record(actor, 'backup.downloaded', row);
      return {
        name,
        size: row.size,
        type: name.endsWith('.gz') ? 'application/gzip' : 'application/octet-stream',
        open: () => createReadStream(folder.pathOf(name), { highWaterMark: 256 * 1024 }),
      };
    },

    /** NOT_FOUND, before a ticket is given out for nothing. */
    requireFile: (name: string): Promise<unknown> => loadFile(name),

    async upload(ctx: Context, file: Upload) {
      const arrived = await receive(parts, file);
      return progress.answer(ctx.viewer, 'upload', async (report, signal) => {
        const answer = await accept(parts, arrived, report, signal);
        await record(ctx, 'backup.uploaded', await load(answer.filename), { size: answer.size });
        return answer;
      });
    },

    async check(ctx: Context, name: string): Promise<RestoreCheck | { jobId: string }> {
      await loadFile(name);
      return progress.answer(ctx.viewer, 'check', (report, signal) =>
        alone(connection, () => checkBackup(parts, name, { report, signal }), signal),
      );
    },

    async restore(ctx: Context, name: string, body: RestoreBody): Promise<RestoreResult | { jobId: string }> {
      const row = await loadFile(name);
      return progress.answer(ctx.viewer, 'restore', async (report, signal, jobId) => {
        try {
          const work = { report, signal };
          return await alone(connection, () => restoreBackup(ctx, parts, name, body, jobId, work), signal);
        } catch (error) {
          await record(ctx, 'backup.restoreFailed', row, {
            reason: error instanceof AppError ? (error.details.details ?? error.message) : 'unexpected',
          });
          throw error;
        }
      });
    },

    async remove(ctx: Context, name: string, isConfirmed: boolean): Promise<undefined> {
      const row = await load(name);
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
      await engine.remove(name);
      await record(ctx, 'backup.deleted', row);
    },

    /** Of these, those that a viewer is told about. */
    visibleIds: async (viewer: Viewer, ids: string[]) => new Set(viewer.role === 'admin' ? ids : []),

    lookAround,

    start(): void {
      timer = setInterval(look, LOOK_MS);
      look();
    },

    async stop(): Promise<void> {
      clearInterval(timer);
      await looking;
    },
  };
}

const toEntry = (row: queries.BackupRow): CatalogueEntry => ({
  name: row.name,
  type: typeOf(row.name),
  size: row.size,
  createdAt: row.created_at,
  origin: row.origin as CatalogueEntry['origin'],
  verifiedAt: row.verified_at,
  provenAt: row.proven_at,
  sha256: row.file_sha256?.toString('hex') ?? null,
  isLocal: row.is_local,
  remote: row.remote as CatalogueEntry['remote'],
});

const MISSING = 'Its file is missing from the folder of backups.';

const present = (row: queries.BackupRow, files: Set<string>): Backup => ({
  name: row.name,
  path: `backups/${row.name}`,
  type: typeOf(row.name),
  size: row.size,
  createdAt: row.created_at,
  pending: row.finished_at === null,
  jobId: row.job_id,
  signature: row.signature as Backup['signature'],
  schemaVersion: row.schema_version,
  rows: row.row_count,
  verifiedAt: row.verified_at,
  provenAt: row.proven_at,
  problem: row.finished_at !== null && row.is_local && !files.has(row.name) ? MISSING : row.problem,
  isLocal: row.is_local,
  remote: row.remote as Backup['remote'],
  remoteProblem: row.remote_problem,
});
