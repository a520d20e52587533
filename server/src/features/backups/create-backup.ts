import { setTimeout } from 'node:timers/promises';
import type { BackupType } from '@forecourt/contract/backups';
import type pg from 'pg';
import type { Config } from '../../platform/config.ts';
import { allowIdle, type Connection, type Db, type Tx } from '../../platform/db/database.ts';
import type { Migration } from '../../platform/db/migrations.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Report } from '../../platform/jobs/progress.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { missingProblem, storeFiles } from './backup-files.ts';
import { totalRows } from './backup-format.ts';
import { nameFor } from './backups.policy.ts';
import * as queries from './backups.queries.ts';
import { storageError, type Folder } from './folder.ts';
import { measureFile } from './read-backup.ts';
import { lockTables } from './swap-tables.ts';
import { verifiedColumns } from './verify-backup.ts';
import { takeSnapshot, writeBackup } from './write-backup.ts';

/** The dependencies of all backup code. */
export type Parts = {
  connection: Connection;
  db: Db;
  secrets: Secrets;
  config: Config;
  folder: Folder;
  files: FileStore;
  migrations: readonly Migration[];
  /** Whether requests are in flight. */
  isBusy?: () => boolean;
  /** Called after each backup except pre-restore backups, so that it is copied at once. */
  onCreated?: () => void;
  /** Called after each restore by this instance, before its response. */
  onRestored?: () => void;
};

/** How long a backup pauses after each chunk while requests are in flight, in milliseconds. */
const REST_MS = 5;

/** Options to verify a file by this installation's key, with size limits that every genuine file meets. */
export const verifyOptions = ({ secrets, migrations, config }: Parts) => ({
  secrets,
  migrations,
  totalLimit: config.UPLOAD_LIMIT * 64,
});

export type BackupOptions = {
  type: BackupType;
  jobId: string | null;
  report: Report;
  signal?: AbortSignal | undefined;
  /** Called once the backup is listed as pending. */
  onPending?: (row: queries.BackupRow) => void;
  /** Called in the transaction that lists the backup as finished; the backup is discarded if it throws. */
  onFinish?: (tx: Tx, name: string) => Promise<void>;
  /** Called after the file was renamed, just before the transaction commits. */
  onPublished?: () => Promise<unknown>;
  /** Locks tables against other writers until the transaction ends. */
  lock?: (tables: string[]) => Promise<void>;
};

/**
 * Creates a backup on the caller's client, whose transaction stays open as the snapshot. The file is written under a
 * temporary name, read back, and only then renamed; a failure leaves no file and no row. Returns the name.
 */
export async function createBackup(client: pg.Client, parts: Parts, options: BackupOptions): Promise<string> {
  const { db, folder, files, secrets, config, migrations } = parts;
  const { type, jobId, report, signal } = options;
  const part = await folder.createPart('made').catch((error: unknown) => {
    throw storageError(error);
  });
  const pending = { name: nameFor(type, new Date()), origin: 'made', job_id: jobId } as const;
  const row = await queries.insertPending(db, pending);
  const { name } = row;
  try {
    options.onPending?.(row);
    report('reading', 0);
    const lock = options.lock ?? ((tables) => lockTables(client, 'access share', tables));
    const { keyId } = secrets;
    const snapshot = await takeSnapshot(client, { migrations, company: config.COMPANY_NAME, keyId, lock });
    // Before the rows: a clean-up of files waits for the lock of backups.
    const missing = await storeFiles(client, files.folder, folder.files);
    const rows = totalRows(snapshot.header);
    const onRows = (written: number): void => report('reading', (95 * written) / Math.max(rows, 1));
    // A backup that blocks writers does not pause.
    const pauseForRequests = async (): Promise<void> => {
      if (!options.lock && parts.isBusy?.()) await setTimeout(REST_MS);
    };
    const target = { path: part.path, secrets, onRows, pauseForRequests, signal };
    const written = await writeBackup(client, snapshot, target);
    report('verifying', 95);
    const file = await measureFile(part.path, signal);
    if (!file.file_sha256.equals(written)) throw new Error('The disk has not kept what was written');
    const { schemaVersion, createdAt } = snapshot.header;
    const verified = { signature: 'own', schemaVersion, rows, embedsFiles: false } as const;
    // A missing file fails no backup: everything else must still be saved.
    const columns = { ...verifiedColumns(verified, file), problem: missingProblem(missing) };
    await part.complete(file);
    await db.transaction().execute(async (tx) => {
      await queries.finishBackup(tx, name, columns, createdAt);
      await options.onFinish?.(tx, name);
      await allowIdle(tx);
      await part.publish(name);
      await options.onPublished?.();
    });
    return name;
  } catch (error) {
    await part.discard();
    await queries.deletePending(db).catch(() => {});
    throw storageError(error);
  }
}
