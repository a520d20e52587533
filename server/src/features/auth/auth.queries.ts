import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { deleteFailures } from '../../platform/sessions.ts';

const selectByEmail = prepared((db, { email }: { email: string }) =>
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

/** Returns a user with their password hash, by an address in any case. An expired password is omitted. */
export const findByEmail = async (db: Db | Tx, email: string) => (await selectByEmail(db, { email }))[0];

/** Attempts need not be flushed to disk: a crash of the database loses only those of a moment. */
const withoutFlush = sql`set_config('synchronous_commit', 'off', true)`;

/** An attempt, which counts as a failure until it succeeds. */
export type SignInAttempt = {
  /** The key by which failures of the account are counted. */
  account: string;
  /** Ids of the recorded failures, to undo them; null if the attempt was throttled. */
  failureIds: number[] | null;
  /** Seconds to wait; 0 or negative if the attempt is not throttled. */
  wait: number;
};

/** Records an attempt as a failure of the account and of the IP address, unless one of them is throttled. */
export async function recordFailure(
  db: Db | Tx,
  { subject, ip }: { subject: string; ip: string },
  waits: { account: readonly number[]; address: { failures: number; seconds: number } },
): Promise<SignInAttempt> {
  const { failures, seconds } = waits.address;
  const { rows } = await sql<SignInAttempt>`
    select account, array_to_json(failure_ids) as "failureIds", wait
      ${db.isTransaction ? sql`` : sql`, ${withoutFlush}`}
    from record_sign_in_failure(${subject}, ${ip}, ${waits.account}, ${failures}, ${seconds})`.execute(db);
  return rows[0]!;
}

/** Lower-cases an address in the manner of the unique index, so that all spellings count for one account. */
export const lowerCase = async (db: Db | Tx, text: string): Promise<string> =>
  (await db.selectNoFrom(sql<string>`lower(${text}::text)`.as('lower')).executeTakeFirstOrThrow()).lower;

/** Deletes all failures of the account, those of this attempt for the address, and expired rows of any user. */
export async function clearFailures(db: Db | Tx, account: string, ids: readonly number[]): Promise<void> {
  await deleteFailures(db, { account, ids }).execute();
}

export async function undoFailures(db: Db | Tx, ids: number[]): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('id', 'in', ids).execute();
}

/** Locks a user until the transaction ends, so that changes of their password and sessions are serialised. */
export const lockActiveUser = (db: Tx, userId: string) =>
  db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .forUpdate()
    .executeTakeFirst();

const selectLockedPassword = prepared((db, { userId }: { userId: string }) =>
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

/** Returns an active user's password hash, and whether a second step is required. Locks user and password. */
export const lockPassword = async (db: Tx, userId: string) => (await selectLockedPassword(db, { userId }))[0];

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

/** Makes a saved password expire after some hours; it then only permits a new one. Returns the time of expiry. */
export async function setPasswordExpiry(db: Db | Tx, userId: string, hours: number): Promise<string> {
  await db.updateTable('users').set({ force_password_change: true }).where('id', '=', userId).execute();
  const { expires_at } = await db
    .updateTable('passwords')
    .set({ expires_at: sql`now() + make_interval(hours => ${hours})` })
    .where('user_id', '=', userId)
    .returning(sql<string>`expires_at`.as('expires_at'))
    .executeTakeFirstOrThrow();
  return expires_at;
}

export const hasNoUsers = async (db: Db | Tx): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;

/** Stores the hash of the newest set-up key. Null ends the set-up for good. */
export async function saveSetupKey(db: Db | Tx, hash: Buffer | null): Promise<void> {
  await db.updateTable('installation').set({ setup_key_hash: hash }).execute();
}

/** Returns the hash of the set-up key and locks its row, so that only one first administrator can be created. */
export const lockSetupKey = async (db: Tx): Promise<Buffer | null> =>
  (await db.selectFrom('installation').select('setup_key_hash').forUpdate().executeTakeFirst())
    ?.setup_key_hash ?? null;
