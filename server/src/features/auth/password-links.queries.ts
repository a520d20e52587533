import { sql } from 'kysely';
import { affectsRows, type Db, type Tx } from '../../platform/db/database.ts';

export type LinkPurpose = 'reset' | 'invitation';

/** Stores the key of a new link. Returns the time of its expiry. */
export const insertLink = async (
  db: Db | Tx,
  link: { keyHash: Buffer; userId: string; purpose: LinkPurpose; minutes: number },
): Promise<string> =>
  (
    await db
      .insertInto('password_links')
      .values({
        key_hash: link.keyHash,
        user_id: link.userId,
        purpose: link.purpose,
        expires_at: sql`now() + make_interval(mins => ${link.minutes})`,
      })
      .returning('expires_at')
      .executeTakeFirstOrThrow()
  ).expires_at;

/** Stores another key for a valid invitation, with the same expiry. Returns false if there is none. */
export const insertFurtherInvitation = (db: Db | Tx, keyHash: Buffer, userId: string): Promise<boolean> =>
  db
    .insertInto('password_links')
    .columns(['key_hash', 'user_id', 'purpose', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('password_links')
        .where('user_id', '=', userId)
        .where('purpose', '=', 'invitation')
        .where('expires_at', '>', sql<string>`now()`)
        .orderBy('expires_at', 'desc')
        .limit(1)
        .select([sql<Buffer>`${keyHash}::bytea`.as('key_hash'), 'user_id', 'purpose', 'expires_at']),
    )
    .$call(affectsRows);

/** Returns the active user of a valid link. */
export const findUserOfLink = (db: Db | Tx, keyHash: Buffer) =>
  db
    .selectFrom('password_links')
    .innerJoin('users', 'users.id', 'password_links.user_id')
    .where('password_links.key_hash', '=', keyHash)
    .where('password_links.expires_at', '>', sql<string>`now()`)
    .where('users.is_active', '=', true)
    .select(['users.id', 'users.name', 'users.email'])
    .executeTakeFirst();

export async function deleteLink(db: Db | Tx, keyHash: Buffer): Promise<void> {
  await db.deleteFrom('password_links').where('key_hash', '=', keyHash).execute();
}

export async function deleteLinks(db: Db | Tx, userId: string, purpose?: LinkPurpose): Promise<void> {
  await db
    .deleteFrom('password_links')
    .where('user_id', '=', userId)
    .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose!))
    .execute();
}

const activeUsers = (db: Db | Tx) =>
  db.selectFrom('users').where('is_active', '=', true).select(['id', 'name', 'email']);

export const findActiveUser = (db: Db | Tx, userId: string) =>
  activeUsers(db).where('id', '=', userId).executeTakeFirst();

export const findActiveUserByEmail = (db: Db | Tx, email: string) =>
  activeUsers(db).where('email', '=', email).executeTakeFirst();

/** Locks an active user who still has this address; undefined if there is none. */
export const lockAtAddress = (db: Tx, userId: string, email: string) =>
  activeUsers(db).where('id', '=', userId).where('email', '=', email).forUpdate().executeTakeFirst();
