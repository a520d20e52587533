import type pg from 'pg';
import type { Connection } from '../../platform/db/database.ts';
import { withClient } from '../../platform/db/dedicated-client.ts';
import { AppError } from '../../platform/http/errors.ts';

/** Arbitrary keys of advisory locks. */
const BACKUP_LOCK = 7_305_063;
/** A clean-up takes this lock before BACKUP_LOCK. */
const CLEAN_UP_LOCK = 7_305_064;

async function tryLock(client: pg.Client, key: number): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [key]);
  return rows[0]!.got;
}

/**
 * Releases the lock before `work` ends, so that a restore may follow as soon as the backup is visible as finished.
 * `work` must not need the lock any more.
 */
export const releaseBackupLock = (client: pg.Client) =>
  client.query('select pg_advisory_unlock($1)', [BACKUP_LOCK]);

/**
 * Runs `work` while no other instance creates, restores or cleans up backups (docs/product/security.md, One backup or
 * restore at a time). Throws BACKUP_BUSY otherwise. The lock belongs to the connection, so it is released if the
 * process crashes.
 */
export function withBackupLock<R>(
  connection: Connection,
  work: (client: pg.Client) => Promise<R>,
  signal?: AbortSignal,
): Promise<R> {
  return withClient(
    connection,
    async (client) => {
      if (!(await tryLock(client, BACKUP_LOCK))) {
        // Waits for a clean-up, which takes only a moment.
        await client.query('select pg_advisory_xact_lock_shared($1)', [CLEAN_UP_LOCK]);
        if (!(await tryLock(client, BACKUP_LOCK))) throw new AppError('BACKUP_BUSY');
      }
      return work(client);
    },
    { signal },
  );
}

/**
 * Runs `work` while no clean-up runs, beside backups and restores: files that a fetched backup names are not removed
 * before it is listed.
 */
export const withoutCleanUp = <R>(
  connection: Connection,
  work: () => Promise<R>,
  signal?: AbortSignal,
): Promise<R> =>
  withClient(
    connection,
    async (client) => {
      await client.query('select pg_advisory_lock_shared($1)', [CLEAN_UP_LOCK]);
      return work();
    },
    { signal },
  );

/** Runs `work` as a clean-up; `withBackupLock` waits for it. Throws BACKUP_BUSY if the lock is taken. */
export const withCleanUpLock = <R>(
  connection: Connection,
  work: (client: pg.Client) => Promise<R>,
): Promise<R> =>
  withClient(connection, async (client) => {
    if (!(await tryLock(client, CLEAN_UP_LOCK)) || !(await tryLock(client, BACKUP_LOCK)))
      throw new AppError('BACKUP_BUSY');
    return work(client);
  });
