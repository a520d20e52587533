import type { Setting } from '@forecourt/contract/settings';
import { sql } from 'kysely';
import { lockName, type Db, type Tx } from '../../platform/db/database.ts';

type Value = NonNullable<Setting['value']>;

/** Returns the values of a user and the company; for null only those of the company. */
export const listOwn = (db: Db | Tx, userId: string | null) =>
  db
    .selectFrom('settings')
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))
    .select(['user_id', 'name', 'value', 'version', 'updated_at'])
    .execute();

/** Locks the settings of an owner until the transaction ends, including settings without a stored value. */
export const lockOwner = (db: Tx, owner: string): Promise<void> => lockName(db, `settings:${owner}`);

export const isPerson = async (db: Db | Tx, userId: string): Promise<boolean> =>
  (await db.selectFrom('users').where('id', '=', userId).select('id').executeTakeFirst()) !== undefined;

export async function saveSetting(db: Tx, userId: string | null, name: string, value: Value): Promise<void> {
  await db
    .insertInto('settings')
    .values({ user_id: userId, name, value: JSON.stringify(value) })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'name']).doUpdateSet({
        value: JSON.stringify(value),
        version: sql`settings.version + 1`,
        updated_at: sql`now()`,
      }),
    )
    .execute();
}

export async function deleteSetting(db: Tx, userId: string | null, name: string): Promise<void> {
  await db
    .deleteFrom('settings')
    .where('user_id', 'is not distinct from', userId)
    .where('name', '=', name)
    .execute();
}
