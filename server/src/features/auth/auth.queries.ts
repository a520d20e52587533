import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** Failed sign-ins count for this long (product.md section 7). */
const WINDOW = sql`interval '15 minutes'`;

/** A person with the hash of their password, by address in whatever case. One that has run out is none. */
export const findByEmail = (db: Db | Tx, email: string) =>
  db
    .selectFrom('users')
    .leftJoin('passwords', (join) =>
      join
        .onRef('passwords.user_id', '=', 'users.id')
        .on((eb) =>
          eb.or([
            eb('passwords.expires_at', 'is', null),
            eb('passwords.expires_at', '>', sql<string>`clock_timestamp()`),
          ]),
        ),
    )
    .where('users.email', '=', email)
    .select(['users.id', 'users.name', 'users.is_active', 'passwords.hash'])
    .executeTakeFirst();

/** How often each subject failed within the window, and how long ago it last did. */
export const recentFailures = (db: Tx, subjects: string[]) =>
  db
    .selectFrom('sign_in_failures')
    .where('subject', 'in', subjects)
    .where('at', '>', sql<string>`now() - ${WINDOW}`)
    .groupBy('subject')
    .select((eb) => [
      'subject',
      eb.fn.countAll<number>().as('failures'),
      sql<number>`extract(epoch from now() - max(at))::float8`.as('secondsAgo'),
    ])
    .execute();

/**
 * Lets one try of an account and one from an address be counted at a time, until the transaction ends; answers what they
 * are counted by. An account is its address as the unique index sees it: two spellings are one. The account's lock
 * always comes first: no deadlock.
 */
export async function lockSubjects(
  db: Tx,
  email: string,
  ip: string,
): Promise<{ account: string; address: string }> {
  const { rows } = await sql<{ account: string; address: string }>`
    select account, address,
      pg_advisory_xact_lock(hashtextextended(account, 0)), pg_advisory_xact_lock(hashtextextended(address, 0))
    from (select 'account:' || lower(${email}::text) as account, 'address:' || ${ip}::text as address offset 0) as subjects`.execute(
    db,
  );
  return rows[0]!;
}

/** Counts a failure of each subject; answers the ids, by which it can be taken back. */
export async function recordFailure(db: Tx, subjects: string[]): Promise<number[]> {
  const rows = await db
    .insertInto('sign_in_failures')
    .values(subjects.map((subject) => ({ subject })))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** An address as the unique index sees it: two spellings of one account are one. */
export const lowerCase = async (db: Db | Tx, text: string): Promise<string> =>
  (await db.selectNoFrom(sql<string>`lower(${text}::text)`.as('lower')).executeTakeFirstOrThrow()).lower;

/**
 * Takes back what was counted for a try that succeeded: the account's whole tally, and its own for the address. Removes
 * what is too old to count, of anybody.
 */
export async function forgetFailures(db: Db | Tx, account: string, ids: number[]): Promise<void> {
  const old = db
    .selectFrom('sign_in_failures')
    .select('id')
    .where('at', '<', sql<string>`now() - ${WINDOW}`)
    // Sign-ins at the same time do not wait for each other's.
    .forUpdate()
    .skipLocked();
  await db
    .deleteFrom('sign_in_failures')
    .where((eb) => eb.or([eb('subject', '=', account), eb('id', 'in', ids), eb('id', 'in', old)]))
    .execute();
}

export async function takeBackFailures(db: Db | Tx, ids: number[]): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('id', 'in', ids).execute();
}

/** Locks a person until the transaction ends: their password and their sessions change one after the other. */
export const lockActiveUser = (db: Tx, userId: string) =>
  db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .forUpdate()
    .executeTakeFirst();

export const passwordHash = async (db: Db | Tx, userId: string) =>
  (await db.selectFrom('passwords').select('hash').where('user_id', '=', userId).executeTakeFirst())?.hash;

export async function savePassword(db: Db | Tx, userId: string, hash: string): Promise<void> {
  await db
    .insertInto('passwords')
    .values({ user_id: userId, hash })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ hash, changed_at: sql`now()`, expires_at: null }),
    )
    .execute();
  await db
    .updateTable('users')
    .set({ force_password_change: false, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute();
}

/** Lets a password just saved be good for so many hours, and for choosing another one; answers until when. */
export async function makeTemporary(db: Db | Tx, userId: string, hours: number): Promise<string> {
  await db.updateTable('users').set({ force_password_change: true }).where('id', '=', userId).execute();
  const { expires_at } = await db
    .updateTable('passwords')
    .set({ expires_at: sql`now() + make_interval(hours => ${hours})` })
    .where('user_id', '=', userId)
    .returning(sql<string>`expires_at`.as('expires_at'))
    .executeTakeFirstOrThrow();
  return expires_at;
}

export async function insertUser(
  db: Db | Tx,
  user: { id: string; name: string; email: string; role: 'admin' | 'user' },
): Promise<void> {
  await db.insertInto('users').values(user).execute();
}

/** True as long as nobody can sign in at all. */
export const hasNoUsers = async (db: Db | Tx): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;

/** Keeps the hash of the newest set-up key; null closes the set-up for good. */
export async function saveSetupKey(db: Db | Tx, hash: Buffer | null): Promise<void> {
  await db.updateTable('installation').set({ setup_key_hash: hash }).execute();
}

/** The set-up key's hash, its row locked: two first administrators cannot both get in. */
export const lockSetupKey = async (db: Tx): Promise<Buffer | null> =>
  (await db.selectFrom('installation').select('setup_key_hash').forUpdate().executeTakeFirst())
    ?.setup_key_hash ?? null;
