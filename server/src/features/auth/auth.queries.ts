import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';

/** Failed sign-ins count for this long (product.md section 7), in `count_try` too. */
const WINDOW = sql`interval '15 minutes'`;

const foundByEmail = prepared((db, { email }: { email: string }) =>
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
    .select(['users.id', 'users.name', 'users.is_active', 'passwords.hash']),
);

/** A person with the hash of their password, by address in whatever case. One that has run out is none. */
export const findByEmail = async (db: Db | Tx, email: string) => (await foundByEmail(db, { email }))[0];

/** By itself a try need not be on the disk when it is answered: a crash of the database forgets a moment's tries. */
const unwaited = sql`set_config('synchronous_commit', 'off', true)`;

/** A try as it was counted. */
export type CountedTry = {
  /** What the tries of its account are counted by. */
  account: string;
  /** By which it can be taken back; null where it has to wait and was not counted. */
  counted: number[] | null;
  /** Seconds; nothing to wait for where it is not above 0. */
  wait: number;
};

/** Counts a try of an account from an address as a failure of both, unless one of them has to wait. */
export async function countTry(
  db: Db | Tx,
  { email, ip }: { email: string; ip: string },
  waits: { account: readonly number[]; address: { failures: number; seconds: number } },
): Promise<CountedTry> {
  const { failures, seconds } = waits.address;
  const { rows } = await sql<CountedTry>`
    select account, array_to_json(counted) as counted, wait
      ${db.isTransaction ? sql`` : sql`, ${unwaited}`}
    from count_try(${email}, ${ip}, ${waits.account}, ${failures}, ${seconds})`.execute(db);
  return rows[0]!;
}

/** An address as the unique index sees it: two spellings of one account are one. */
export const lowerCase = async (db: Db | Tx, text: string): Promise<string> =>
  (await db.selectNoFrom(sql<string>`lower(${text}::text)`.as('lower')).executeTakeFirstOrThrow()).lower;

const forgotten = prepared((db, { account, ids }: { account: string; ids: readonly number[] }) => {
  const failures = db.selectFrom('sign_in_failures').select('id');
  const old = failures
    .where('at', '<', sql<string>`now() - ${WINDOW}`)
    // Sign-ins at the same time do not wait for each other's.
    .forUpdate()
    .skipLocked();
  // As one list each is found by its id; as conditions they would have every row looked at.
  return db
    .deleteFrom('sign_in_failures')
    .where(
      sql<boolean>`id = any(${ids}::bigint[] || array(${failures.where('subject', '=', account)}) || array(${old}))`,
    );
});

/**
 * Takes back what was counted for a try that succeeded: the account's whole tally, and its own for the address. Removes
 * what is too old to count, of anybody.
 */
export async function forgetFailures(db: Db | Tx, account: string, ids: readonly number[]): Promise<void> {
  await forgotten(db, { account, ids });
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

const lockedPassword = prepared((db, { userId }: { userId: string }) =>
  db
    .selectFrom('users')
    .innerJoin('passwords', 'passwords.user_id', 'users.id')
    .where('users.id', '=', userId)
    .where('users.is_active', '=', true)
    .select((eb) => [
      'passwords.hash',
      eb
        .exists(
          eb
            .selectFrom('two_step')
            .whereRef('two_step.user_id', '=', 'users.id')
            .where('two_step.confirmed_at', 'is not', null)
            .select('user_id'),
        )
        .as('hasTwoStep'),
    ])
    .forUpdate(['users', 'passwords']),
);

/** The password of an active person, and whether a second step follows; person and password stay as they are until the transaction ends. */
export const lockPassword = async (db: Tx, userId: string) => (await lockedPassword(db, { userId }))[0];

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
