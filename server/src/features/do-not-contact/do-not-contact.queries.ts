import type { ContactKind } from '@forecourt/contract/contact-value';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

const entries = (db: Db | Tx, kinds: readonly ContactKind[]) =>
  db
    .selectFrom('do_not_contact')
    .innerJoin('users', 'users.id', 'do_not_contact.added_by')
    .where(sql<boolean>`kind = any(${kinds}::text[])`)
    .select(['do_not_contact.id', 'value', 'reason', 'added_by', 'do_not_contact.created_at'])
    .select((eb) => [eb.ref('kind').$castTo<ContactKind>().as('kind'), 'users.name as added_by_name']);

export const listEntries = (db: Db | Tx, kinds: readonly ContactKind[]) =>
  entries(db, kinds)
    .orderBy('do_not_contact.created_at', 'desc')
    .orderBy('do_not_contact.id', 'desc')
    .execute();

export type EntryRow = Awaited<ReturnType<typeof listEntries>>[number];

export const findEntries = (db: Db | Tx, kinds: readonly ContactKind[], ids: readonly string[]) =>
  entries(db, kinds)
    .where(sql<boolean>`do_not_contact.id = any(${ids}::uuid[])`)
    .orderBy('do_not_contact.id', 'desc')
    .execute();

export const findByValue = (db: Db | Tx, kinds: readonly ContactKind[], values: readonly string[]) =>
  entries(db, kinds)
    .where(sql<boolean>`value = any(${values}::text[])`)
    .execute();

/** Returns the number of all entries, and of those added by this user. */
export const countEntries = (db: Tx, userId: string): Promise<{ all: number; own: number }> =>
  db
    .selectFrom('do_not_contact')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.countAll<number>().filterWhere('added_by', '=', userId).as('own'),
    ])
    .executeTakeFirstOrThrow();

/** Inserts the values that are not listed yet. Returns their ids. */
export async function insertEntries(
  db: Tx,
  rows: readonly { id: string; kind: ContactKind; value: string; reason: string; added_by: string }[],
): Promise<string[]> {
  const inserted = await db
    .insertInto('do_not_contact')
    .values([...rows])
    .onConflict((conflict) => conflict.column('value').doNothing())
    .returning('id')
    .execute();
  return inserted.map(({ id }) => id);
}

export const deleteEntry = (db: Tx, id: string) =>
  db.deleteFrom('do_not_contact').where('id', '=', id).executeTakeFirstOrThrow();
