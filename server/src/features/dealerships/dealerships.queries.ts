import { sql, type ExpressionBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';
import {
  accessSelections,
  whereVisible,
  type VisibilityScope,
} from '../../platform/sharing/shares.queries.ts';

const contactsOf = (eb: ExpressionBuilder<Tables, 'dealerships'>) =>
  jsonArrayFrom(
    eb
      .selectFrom('contacts')
      .leftJoin('email_templates', 'email_templates.id', 'contacts.template_id')
      .whereRef('contacts.dealership_id', '=', 'dealerships.id')
      .orderBy('contacts.position')
      .select([
        'contacts.name',
        'contacts.email',
        sql<string>`coalesce(email_templates.name, contacts.template_name)`.as('templateName'),
        'contacts.include_in_to as includeInTo',
        'contacts.include_in_cc as includeInCc',
        'contacts.active',
      ]),
  );

const seen = (db: Db | Tx, scope: VisibilityScope) =>
  db
    .selectFrom('dealerships')
    .where(whereVisible('dealership', scope))
    .selectAll()
    .select((eb) => [contactsOf(eb).as('contacts'), ...accessSelections('dealership')]);

/** Ordered by name regardless of case and accents. */
export const listDealerships = (db: Db | Tx, scope: VisibilityScope) =>
  seen(db, scope)
    .orderBy(sql`dealerships.name collate "en-AU-x-icu"`)
    .orderBy('id')
    .execute();

export type DealershipRow = Awaited<ReturnType<typeof listDealerships>>[number];

export const findDealerships = (
  db: Db | Tx,
  scope: VisibilityScope,
  ids: string[],
): Promise<DealershipRow[]> =>
  seen(db, scope)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();

/** Returns the fields of a dealership that a message uses, regardless of the viewer. */
export const findForMail = (db: Db | Tx, id: string) =>
  db
    .selectFrom('dealerships')
    .where('id', '=', id)
    .select((eb) => ['id', 'name', 'address', 'active', 'default_template_id', contactsOf(eb).as('contacts')])
    .executeTakeFirst();

/** Returns the changed dealerships with their new versions. */
export const setActive = (db: Tx, ids: string[], active: boolean) =>
  db
    .updateTable('dealerships')
    .set({ active, version: sql`version + 1`, updated_at: sql`now()` })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('active', '!=', active)
    .returning(['id', 'version'])
    .execute();

export async function deleteContacts(db: Tx, dealershipId: string): Promise<void> {
  await db.deleteFrom('contacts').where('dealership_id', '=', dealershipId).execute();
}

/** Counts deals and emails, which prevent a dealership's deletion. Deleted deals count, since they can be restored. */
export async function countUses(db: Tx, id: string) {
  const { rows } = await sql<Record<'deals' | 'emails' | 'statements' | 'adjustments', number>>`
    select (select count(*) from deals where dealership_id = ${id}) as deals,
      (select count(*) from emails where dealership_id = ${id}) as emails,
      (select count(*) from statements where dealership_id = ${id}) as statements,
      (select count(*) from month_adjustments where dealership_id = ${id}) as adjustments`.execute(db);
  return rows[0]!;
}

export type TemplateUse = {
  template_id: string;
  id: string;
  name: string;
  active: boolean;
  is_default: boolean;
  contacts: string[];
};

/** Returns visible dealerships that use one of these templates, by name, with the contacts that use it. */
export async function listTemplateUses(
  db: Db | Tx,
  scope: VisibilityScope,
  templateIds: string[],
): Promise<TemplateUse[]> {
  const { rows } = await sql<TemplateUse>`
    with uses as (
      select default_template_id as template_id, id as dealership_id
      from dealerships where default_template_id = any(${templateIds}::uuid[])
      union
      select template_id, dealership_id from contacts where template_id = any(${templateIds}::uuid[]))
    select uses.template_id, dealerships.id, dealerships.name, dealerships.active,
      coalesce(dealerships.default_template_id = uses.template_id, false) as is_default,
      array(
        select contacts.name from contacts
        where contacts.dealership_id = dealerships.id and contacts.template_id = uses.template_id
        order by contacts.position) as contacts
    from uses join dealerships on dealerships.id = uses.dealership_id
    where ${whereVisible('dealership', scope)}
    order by dealerships.name collate "en-AU-x-icu", dealerships.id`.execute(db);
  return rows;
}

export const listOptions = (db: Db | Tx, except: readonly string[]) =>
  db
    .selectFrom('dealerships')
    .where(sql<boolean>`id <> all(${except}::uuid[])`)
    .select(['id', 'name', 'active'])
    .orderBy(sql`name collate "en-AU-x-icu"`)
    .execute();
