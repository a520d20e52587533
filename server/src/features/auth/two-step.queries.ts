import { sql } from 'kysely';
import { affectsRows, countRows, type Db, type Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';

const selectTwoStep = prepared((db, { userId }: { userId: string }) =>
  db
    .selectFrom('users')
    .leftJoin('two_step', 'two_step.user_id', 'users.id')
    .where('users.id', '=', userId)
    .select([
      'users.two_step_required',
      'two_step.secret',
      'two_step.confirmed_at',
      sql<number>`extract(epoch from clock_timestamp())::float8`.as('seconds'),
    ]),
);

/** Returns a user's two-step sign-in, with the database's time in seconds since 1970. */
export const findTwoStep = async (db: Db | Tx, userId: string) => (await selectTwoStep(db, { userId }))[0]!;

/** Stores the secret of an app during set-up. Returns false if an app is already set up. */
export const beginTwoStep = (db: Db | Tx, userId: string, secret: string): Promise<boolean> =>
  db
    .insertInto('two_step')
    .values({ user_id: userId, secret })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ secret, last_step: 0 })
        .where('two_step.confirmed_at', 'is', null),
    )
    .$call(affectsRows);

/** Turns two-step sign-in on. Returns false if no set-up was in progress. */
export const confirmTwoStep = (db: Db | Tx, userId: string, step: number): Promise<boolean> =>
  db
    .updateTable('two_step')
    .set({ confirmed_at: sql`now()`, last_step: step })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .$call(affectsRows);

/** Marks a step and all earlier ones as used. Returns false if it was already used. */
export const useStep = (db: Db | Tx, userId: string, step: number): Promise<boolean> =>
  db
    .updateTable('two_step')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .$call(affectsRows);

/** Deletes a recovery code. Returns false if it does not exist. */
export const useRecoveryCode = (db: Db | Tx, userId: string, codeHash: Buffer): Promise<boolean> =>
  db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .$call(affectsRows);

export const countRecoveryCodes = (db: Db | Tx, userId: string): Promise<number> =>
  db.selectFrom('recovery_codes').where('user_id', '=', userId).$call(countRows);

export async function deleteRecoveryCodes(db: Db | Tx, userId: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

export async function insertRecoveryCodes(db: Db | Tx, userId: string, hashes: Buffer[]): Promise<void> {
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute();
}

export async function deleteTwoStep(db: Db | Tx, userId: string): Promise<void> {
  await db.deleteFrom('two_step').where('user_id', '=', userId).execute();
}
