import type { MailProvider } from '@forecourt/contract/email-settings';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

type Connection = {
  state_hash: Buffer;
  user_id: string;
  provider: MailProvider;
  address: string;
  verifier: string;
};

/** Remembers who is on the way to a provider; those whose ten minutes are over are forgotten. */
export async function insertConnection(db: Db | Tx, connection: Connection): Promise<void> {
  await db
    .deleteFrom('mailbox_connections')
    .where('at', '<', sql<string>`now() - interval '10 minutes'`)
    .execute();
  await db.insertInto('mailbox_connections').values(connection).execute();
}

/** Who comes back, once: it is gone afterwards. Undefined for anybody else, and after ten minutes. */
export const takeConnection = (db: Db | Tx, stateHash: Buffer, userId: string) =>
  db
    .deleteFrom('mailbox_connections')
    .where('state_hash', '=', stateHash)
    .where('user_id', '=', userId)
    .where('at', '>', sql<string>`now() - interval '10 minutes'`)
    .returning(['provider', 'address', 'verifier'])
    .executeTakeFirst();

/** The provider has given another token: the one before holds no longer. Only while the mailbox is the same. */
export async function replaceRefreshToken(
  db: Db | Tx,
  userId: string,
  version: number,
  sealed: string,
): Promise<void> {
  await db
    .updateTable('email_settings')
    .set({ refresh_token: sealed })
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .execute();
}
