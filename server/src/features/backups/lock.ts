import type pg from 'pg';
import type { Connection } from '../../platform/db/database.ts';
import { withClient } from '../../platform/db/dedicated-client.ts';
import { AppError } from '../../platform/http/errors.ts';

/** Arbitrary keys that no other program uses. */
const BACKUP_LOCK = 7_305_063;
/** Held by a clean-up, from before the other lock on. */
const CLEAN_UP_LOCK = 7_305_064;

async function tryLock(client: pg.Client, key: number): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [key]);
  return rows[0]!.got;
}

/**
 * Releases the lock before its work ends: a backup is then visible as finished, and a restore may follow at once.
 * Nothing that the lock protects may be left to do.
 */
export const releaseBackupLock = (client: pg.Client) =>
  client.query('select pg_advisory_unlock($1)', [BACKUP_LOCK]);

/**
 * Runs `work` while no other instance creates, restores or cleans up backups (docs/product/security.md, One backup or
 * restore at a time). Throws BACKUP_BUSY otherwise. The lock belongs to the connection: it ends with the process, or
 * with `work`.
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
        // A clean-up has it only for a moment.
        await client.query('select pg_advisory_xact_lock_shared($1)', [CLEAN_UP_LOCK]);
        if (!(await tryLock(client, BACKUP_LOCK))) throw new AppError('BACKUP_BUSY');
      }
      return work(client);
    },
    { signal },
  );
}

/** Runs `work` as a clean-up, for whose end `withBackupLock` waits. Throws BACKUP_BUSY while anything else has the lock. */
export const withCleanUpLock = <R>(
  connection: Connection,
  work: (client: pg.Client) => Promise<R>,
): Promise<R> =>
  withClient(connection, async (client) => {
    if (!(await tryLock(client, CLEAN_UP_LOCK)) || !(await tryLock(client, BACKUP_LOCK)))
      throw new AppError('BACKUP_BUSY');
    return work(client);
  });
