import type { MailProvider } from '@forecourt/contract/email-settings';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { PersonRow } from './email-settings.queries.ts';

type Connection = {
  state_hash: Buffer;
  user_id: string;
  provider: MailProvider;
  address: string;
  verifier: string;
};

/** Stores an authorisation in progress, and deletes those older than ten minutes. */
export async function insertConnection(db: Db | Tx, connection: Connection): Promise<void> {
  await db
    .deleteFrom('mailbox_connections')
    .where('created_at', '<', sql<string>`now() - interval '10 minutes'`)
    .execute();
  await db.insertInto('mailbox_connections').values(connection).execute();
}

/** Deletes and returns a user's authorisation in progress; undefined for other users' and after ten minutes. */
export const takeConnection = (db: Db | Tx, stateHash: Buffer, userId: string) =>
  db
    .deleteFrom('mailbox_connections')
    .where('state_hash', '=', stateHash)
    .where('user_id', '=', userId)
    .where('created_at', '>', sql<string>`now() - interval '10 minutes'`)
    .returning(['provider', 'address', 'verifier'])
    .executeTakeFirst();

/** Replaces a refresh token that the provider has rotated. No effect if another instance has replaced it. */
export async function replaceRefreshToken(
  db: Db | Tx,
  { id, refresh_token: used }: Pick<PersonRow, 'id' | 'refresh_token'>,
  sealed: string,
): Promise<void> {
  await db
    .updateTable('email_settings')
    .set({ refresh_token: sealed })
    .where('user_id', '=', id)
    .where('refresh_token', '=', used)
    .execute();
}
