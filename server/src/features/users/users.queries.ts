import { sql, type ExpressionBuilder } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';
import { isLive } from '../../platform/viewers.ts';

const liveSessions = (eb: ExpressionBuilder<Tables, 'users'>) =>
  eb
    .selectFrom('sessions')
    .leftJoin('permission_records', 'permission_records.user_id', 'sessions.user_id')
    .whereRef('sessions.user_id', '=', 'users.id')
    .where(isLive)
    .select(({ fn }) => fn.countAll<number>().as('count'));

const invitation = (eb: ExpressionBuilder<Tables, 'users'>) =>
  eb
    .selectFrom('password_links')
    .whereRef('password_links.user_id', '=', 'users.id')
    .where('purpose', '=', 'invitation')
    .where('expires_at', '>', sql<string>`now()`)
    .select(({ fn }) => fn.max('expires_at').as('until'));

const people = (db: Db | Tx) =>
  db
    .selectFrom('users')
    .leftJoin('two_step', 'two_step.user_id', 'users.id')
    .selectAll('users')
    .select('two_step.confirmed_at as two_step_since')
    .select((eb) => [liveSessions(eb).as('sessions'), invitation(eb).as('invited_until')]);

/** Ordered by name regardless of case and accents. */
export const listUsers = (db: Db | Tx) =>
  people(db)
    .orderBy(sql`users.name collate "en-AU-x-icu"`)
    .orderBy('users.id')
    .execute();

export type UserRow = Awaited<ReturnType<typeof listUsers>>[number];

export const findUser = (db: Db | Tx, id: string) => people(db).where('users.id', '=', id).executeTakeFirst();

export const listActive = (db: Db | Tx) =>
  db
    .selectFrom('users')
    .where('is_active', '=', true)
    .select(['id', 'name', 'email'])
    .orderBy(sql`name collate "en-AU-x-icu"`)
    .orderBy('id')
    .execute();

/**
 * Locks these users until the transaction ends, and with `admins` every active administrator, in the order of their ids
 * to prevent deadlocks. Records that reference the users can still be written.
 */
export const lockUsers = (db: Tx, ids: string[], { admins }: { admins: boolean }) =>
  db
    .selectFrom('users')
    .where((eb) =>
      eb.or([
        eb('id', 'in', ids),
        ...(admins ? [eb.and([eb('role', '=', 'admin'), eb('is_active', '=', true)])] : []),
      ]),
    )
    .select(['id', 'name', 'role', 'is_active'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

export type LockedUser = Awaited<ReturnType<typeof lockUsers>>[number];

export async function removeLinks(db: Tx, userId: string): Promise<void> {
  await db.deleteFrom('password_links').where('user_id', '=', userId).execute();
}
