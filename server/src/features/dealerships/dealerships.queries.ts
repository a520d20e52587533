import type { Contact } from '@forecourt/contract/dealerships';
import { sql, type ExpressionBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';

const contactsOf = (eb: ExpressionBuilder<Tables, 'dealerships'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('contacts')
      .whereRef('contacts.dealership_id', '=', 'dealerships.id')
      .orderBy('contacts.position')
      .select([
        'name',
        'email',
        'template_name as templateName',
        'include_in_to as includeInTo',
        'include_in_cc as includeInCc',
        'active',
      ]),
  );

const dealerships = (db: Db | Tx) =>
  db
    .selectFrom('dealerships')
    .selectAll()
    .select((eb) => contactsOf(eb).as('contacts'));

/** By name as people sort names: case and accents aside. */
export const listDealerships = (db: Db | Tx) =>
  dealerships(db)
    .orderBy(sql`dealerships.name collate "en-AU-x-icu"`)
    .orderBy('id')
    .execute();

export type DealershipRow = Awaited<ReturnType<typeof listDealerships>>[number];

export const findDealership = (db: Db | Tx, id: string) =>
  dealerships(db).where('id', '=', id).executeTakeFirst();

/** The row alone, locked until the transaction ends. */
export const lockDealerships = (db: Tx, ids: string[]) =>
  dealerships(db).where('id', 'in', ids).orderBy('id').forUpdate().execute();

type Fields = { name: string; address: string; default_template_id: string; active: boolean };

export async function insertDealership(
  db: Tx,
  row: Fields & { id: string; owner_id: string },
): Promise<void> {
  await db.insertInto('dealerships').values(row).execute();
}

export async function updateDealership(db: Tx, id: string, fields: Partial<Fields>): Promise<void> {
  await db
    .updateTable('dealerships')
    .set({ ...fields, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export async function replaceContacts(db: Tx, dealershipId: string, contacts: Contact[]): Promise<void> {
  await db.deleteFrom('contacts').where('dealership_id', '=', dealershipId).execute();
  if (contacts.length === 0) return;
  await db
    .insertInto('contacts')
    .values(
      contacts.map((contact, position) => ({
        dealership_id: dealershipId,
        position,
        name: contact.name,
        email: contact.email,
        template_name: contact.templateName,
        include_in_to: contact.includeInTo,
        include_in_cc: contact.includeInCc,
        active: contact.active,
      })),
    )
    .execute();
}

export async function deleteDealership(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('dealerships').where('id', '=', id).execute();
}

/** What names a dealership and keeps it: deals, deleted ones among them since they can come back, and emails. */
export const countUses = (db: Tx, id: string) =>
  db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('deals')
        .where('dealership_id', '=', id)
        .select((deals) => deals.fn.countAll<number>().as('count'))
        .as('deals'),
      eb
        .selectFrom('emails')
        .where('dealership_id', '=', id)
        .select((emails) => emails.fn.countAll<number>().as('count'))
        .as('emails'),
    ])
    .executeTakeFirstOrThrow();

/** Ids and names for a cell's choice. */
export const listOptions = (db: Db | Tx) =>
  db
    .selectFrom('dealerships')
    .select(['id', 'name', 'active'])
    .orderBy(sql`name collate "en-AU-x-icu"`)
    .execute();

export const findOption = (db: Db | Tx, id: string) =>
  db.selectFrom('dealerships').select(['id', 'name', 'active']).where('id', '=', id).executeTakeFirst();
