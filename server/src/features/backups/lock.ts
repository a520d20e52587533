import type pg from 'pg';
import type { Connection } from '../../platform/db/database.ts';
import { withClient } from '../../platform/db/dedicated-client.ts';
import { AppError } from '../../platform/http/errors.ts';

/** An arbitrary key that no other program uses. */
const BACKUP_LOCK = 7_305_063;

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
      const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
        BACKUP_LOCK,
      ]);
      if (!rows[0]!.got) throw new AppError('BACKUP_BUSY');
      return work(client);
    },
    { signal },
  );
}
