import { kindsWith, type KindWith, type RecordKinds } from '@forecourt/contract/record-kinds';
import { sql, type Insertable, type Updateable } from 'kysely';
import type { Db, Tx } from './db/database.ts';
import type { Tables } from './db/schema.generated.ts';
import { invalidField } from './http/errors.ts';

/** Tables whose records are written one by one. All have id, version and updated_at. */
type RecordTable = RecordKinds[KindWith<'table'>]['table'];

/** The unique indexes of fields that a user chooses: the field, and the message of a value that is taken. */
const TAKEN: Record<string, [field: string, message: string]> = {
  ...Object.fromEntries(kindsWith('taken').map(({ table, taken }) => [`${table}_name`, ['name', taken]])),
  // One address in any case.
  users_email_key: ['email', 'There is already a person with this email'],
};

/** Throws a 400 that names the field when its value is taken. */
async function rejectTaken(writing: Promise<unknown>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    const taken = TAKEN[(error as { constraint?: string }).constraint ?? ''];
    throw taken ? invalidField(...taken) : error;
  }
}

/** Inserts a record. Throws a 400 when a value that must be unique is taken. */
export const insertRecord = <T extends RecordTable>(db: Tx, table: T, row: Insertable<Tables[T]>) =>
  rejectTaken(
    db
      .insertInto<RecordTable>(table)
      .values(row as Insertable<Tables[RecordTable]>)
      .execute(),
  );

/** Sets columns of a record and increments its version. Throws a 400 when a value that must be unique is taken. */
export const updateRecord = <T extends RecordTable>(
  db: Tx,
  table: T,
  id: string,
  columns: Updateable<Tables[T]>,
) =>
  rejectTaken(
    db
      .updateTable(table as 'items')
      .set({ ...(columns as object), version: sql`version + 1`, updated_at: sql`now()` })
      .where('id', '=', id)
      .execute(),
  );

export const deleteRecord = (db: Tx, table: RecordTable, id: string) =>
  db
    .deleteFrom(table as 'items')
    .where('id', '=', id)
    .execute();

/** Returns the names of dealerships or users by id. */
export async function namesOf(
  db: Db | Tx,
  table: 'dealerships' | 'users',
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom(table).where('id', 'in', ids).select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
