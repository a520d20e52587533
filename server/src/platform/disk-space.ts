import { statfs } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Db } from './db/database.ts';

/** Bytes of the disk that contains a folder. */
export type Space = { free: number; total: number };

/** Below this limit PostgreSQL fails in the middle of an operation, with an unpredictable error. */
const FULL_BYTES = 16 * 1024 * 1024;

/** More than the rest of a page or segment that PostgreSQL has already allocated. */
const PROBE_BYTES = 1024 * 1024;

/** Returns undefined if the folder does not exist. */
export async function readSpace(folder: string): Promise<Space | undefined> {
  const disk = await statfs(folder).catch(() => undefined);
  return disk && { free: disk.bavail * disk.bsize, total: disk.blocks * disk.bsize };
}

export const isDiskFull = async (folder: string): Promise<boolean> =>
  ((await readSpace(folder))?.free ?? Infinity) < FULL_BYTES;

/** Whether a write of this program or of PostgreSQL (53100) failed because a disk or quota is full. */
export const isSpaceError = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', '53100'].includes((error as { code?: string }).code ?? '');

/** Writes enough data to fail on a full disk, and removes it. Throws PostgreSQL's error. */
export const probeDatabaseDisk = (db: Db): Promise<unknown> =>
  db.transaction().execute(async (tx) => {
    await sql`create temporary table disk_probe (data text) on commit drop`.execute(tx);
    await sql`alter table disk_probe alter data set storage external`.execute(tx);
    await sql`insert into disk_probe values (repeat('x', ${PROBE_BYTES}::int))`.execute(tx);
  });
