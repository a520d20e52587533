import type { Contact } from '@forecourt/contract/dealerships';
import { sql, type ExpressionBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';
import { heldFields, inSight, type Sight } from '../../platform/sharing/shares.queries.ts';

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

const seen = (db: Db | Tx, sight: Sight) =>
  db
    .selectFrom('dealerships')
    .where(inSight('dealership', sight))
    .selectAll()
    .select((eb) => [contactsOf(eb).as('contacts'), ...heldFields('dealership')]);

/** By name as people sort names: case and accents aside. */
export const listDealerships = (db: Db | Tx, sight: Sight) =>
  seen(db, sight)
    .orderBy(sql`dealerships.name collate "en-AU-x-icu"`)
    .orderBy('id')
    .execute();

export type DealershipRow = Awaited<ReturnType<typeof listDealerships>>[number];

/** Of these dealerships those in sight. */
export const findDealerships = (db: Db | Tx, sight: Sight, ids: string[]): Promise<DealershipRow[]> =>
  seen(db, sight)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();

/**
 * Of these ids those in sight. Whoever sees all of them has seen those that are gone by now: for live events.
 */
export async function visibleIds(db: Db | Tx, sight: Sight, ids: string[]): Promise<Set<string>> {
  if (sight.all) return new Set(ids).difference(new Set(sight.except));
  const rows = await db
    .selectFrom('dealerships')
    .where(inSight('dealership', sight))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** What a message takes of a dealership, whoever sends it. */
export const findForMail = (db: Db | Tx, id: string) =>
  db
    .selectFrom('dealerships')
    .where('id', '=', id)
    .select((eb) => ['id', 'name', 'address', 'active', 'default_template_id', contactsOf(eb).as('contacts')])
    .executeTakeFirst();

type Fields = { name: string; address: string; default_template_id: string; active: boolean };

export async function insertDealership(
  db: Tx,
  row: Fields & { id: string; owner_id: string },
): Promise<void> {
  await db.insertInto('dealerships').values(row).execute();
}

export async function updateDealership(db: Tx, id: string, fields: Fields): Promise<void> {
  await db
    .updateTable('dealerships')
    .set({ ...fields, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

/** Answers those that were not so before, with their new versions. */
export const setActive = (db: Tx, ids: string[], active: boolean) =>
  db
    .updateTable('dealerships')
    .set({ active, version: sql`version + 1`, updated_at: sql`now()` })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('active', '!=', active)
    .returning(['id', 'version'])
    .execute();

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

export type TemplateUse = {
  template_id: string;
  id: string;
  name: string;
  active: boolean;
  is_default: boolean;
  contacts: string[];
};

/** Of the dealerships in sight those that use one of these templates, by name, with the contacts that name it. */
export async function listTemplateUses(
  db: Db | Tx,
  sight: Sight,
  templateIds: string[],
): Promise<TemplateUse[]> {
  const { rows } = await sql<TemplateUse>`
    with uses as (
      select default_template_id as template_id, id as dealership_id
      from dealerships where default_template_id = any(${templateIds}::uuid[])
      union
      select email_templates.id, contacts.dealership_id
      from email_templates join contacts on lower(contacts.template_name) = lower(email_templates.name)
      where email_templates.id = any(${templateIds}::uuid[]))
    select uses.template_id, dealerships.id, dealerships.name, dealerships.active,
      coalesce(dealerships.default_template_id = uses.template_id, false) as is_default,
      array(
        select contacts.name from contacts
        where contacts.dealership_id = dealerships.id and lower(contacts.template_name) = (
          select lower(email_templates.name) from email_templates where email_templates.id = uses.template_id)
        order by contacts.position) as contacts
    from uses join dealerships on dealerships.id = uses.dealership_id
    where ${inSight('dealership', sight)}
    order by dealerships.name collate "en-AU-x-icu", dealerships.id`.execute(db);
  return rows;
}

/** Ids and names for a cell's choice, but for these. */
export const listOptions = (db: Db | Tx, except: readonly string[]) =>
  db
    .selectFrom('dealerships')
    .where(sql<boolean>`id <> all(${except}::uuid[])`)
    .select(['id', 'name', 'active'])
    .orderBy(sql`name collate "en-AU-x-icu"`)
    .execute();
