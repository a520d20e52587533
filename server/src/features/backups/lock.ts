import type pg from 'pg';
import type { Connection } from '../../platform/db/database.ts';
import { withClient } from '../../platform/db/direct.ts';
import { AppError } from '../../platform/http/errors.ts';

/** Any number that no other program uses. */
const BACKUP_LOCK = 7_305_063;

/**
 * Runs `work` while no other instance makes, restores or clears away backups (security.md J11). BACKUP_BUSY where
 * one does. The lock is that of a connection: it ends with the process, and with `work`'s chance to commit.
 */
export function alone<R>(
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
