import { setTimeout } from 'node:timers/promises';
import type { BackupType } from '@forecourt/contract/backups';
import type pg from 'pg';
import type { Config } from '../../platform/config.ts';
import type { Connection, Db } from '../../platform/db/database.ts';
import type { Migration } from '../../platform/db/migrations.ts';
import { newId } from '../../platform/ids.ts';
import type { Report } from '../../platform/progress.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { nameFor } from './backups.policy.ts';
import * as queries from './backups.queries.ts';
import { digestOf, spaceError, type Folder } from './folder.ts';
import { lockTables } from './swap.ts';
import { takeSnapshot, writeBackup } from './writing.ts';

/** What everything about backups works with. */
export type Parts = {
  connection: Connection;
  db: Db;
  secrets: Secrets;
  config: Config;
  folder: Folder;
  /** Those of this release. */
  migrations: readonly Migration[];
  /** Whether somebody waits for an answer just now. */
  isBusy?: () => boolean;
};

/** How long a backup rests after each stretch while somebody waits; in milliseconds. */
const REST_MS = 5;

/** What reads a whole file with this installation's key, and with no more patience than an honest file needs. */
export const inspection = ({ secrets, migrations, config }: Parts) => ({
  secrets,
  newestVersion: migrations.at(-1)!.version,
  totalLimit: config.UPLOAD_LIMIT * 64,
});

type Making = {
  type: BackupType;
  jobId: string | null;
  report: Report;
  signal?: AbortSignal | undefined;
  /** Told the name under which it is listed as pending. */
  onPending?: (name: string) => void;
  /** Keeps others from writing as well, until the transaction ends. */
  lock?: (tables: string[]) => Promise<void>;
};

/**
 * Makes a backup on a client of the caller's, whose transaction is left open: it is the snapshot. The file is written
 * under a name of its own, read back, and only then gets its final name; whatever fails before leaves nothing but what
 * was there. Answers the name.
 */
export async function makeBackup(client: pg.Client, parts: Parts, making: Making): Promise<string> {
  const { db, folder, secrets, config } = parts;
  const { report, signal } = making;
  const name = await announce(db, making);
  const part = await folder.partFor('made');
  try {
    making.onPending?.(name);
    report('reading', 0);
    const lock = making.lock ?? ((tables) => lockTables(client, 'access share', tables));
    const snapshot = await takeSnapshot(client, config.COMPANY_NAME, secrets.keyId, lock);
    const rows = Object.values(snapshot.header.tables).reduce((sum, count) => sum + count, 0);
    const onRows = (written: number): void => report('reading', (95 * written) / Math.max(rows, 1));
    // One that keeps everybody from writing is over the sooner the better.
    const givesWay = making.lock === undefined && parts.isBusy !== undefined;
    const giveWay = async (): Promise<void> => {
      if (givesWay && parts.isBusy!()) await setTimeout(REST_MS);
    };
    const target = { path: part, secrets, onRows, giveWay, signal };
    const file_sha256 = await writeBackup(client, snapshot, target);
    report('verifying', 95);
    if (!(await digestOf(part)).equals(file_sha256))
      throw new Error('The disk has not kept what was written');
    await folder.keep(part, name);
    const { schemaVersion, createdAt } = snapshot.header;
    await queries.finishBackup(
      db,
      name,
      {
        size: (await folder.sizeOf(name)) ?? 0,
        file_sha256,
        signature: 'own',
        schema_version: schemaVersion,
        row_count: rows,
        verified_at: new Date().toISOString(),
        problem: null,
      },
      createdAt,
    );
    return name;
  } catch (error) {
    await folder.discard(part);
    await queries.deletePending(db).catch(() => {});
    throw spaceError(error);
  }
}

/** Lists it as pending under a name that no other has. */
async function announce(db: Db, { type, jobId }: Making): Promise<string> {
  for (let again = 0; ; again += 1) {
    const name = nameFor(type, new Date(), again);
    if (await queries.insertPending(db, { id: newId(), name, origin: 'made', job_id: jobId })) return name;
  }
}
