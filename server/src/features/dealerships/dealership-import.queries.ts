import type { ImportedDealership } from '@forecourt/contract/dealerships';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { whereVisible, type VisibilityScope } from '../../platform/sharing/shares.queries.ts';

export type NewDealership = ImportedDealership & { id: string };

export const visibleNames = async (db: Tx, scope: VisibilityScope): Promise<string[]> =>
  (await db.selectFrom('dealerships').where(whereVisible('dealership', scope)).select('name').execute()).map(
    ({ name }) => name,
  );

export async function insertDealerships(
  db: Tx,
  ownerId: string,
  dealerships: NewDealership[],
): Promise<void> {
  await sql`
    insert into dealerships (id, name, address, default_template_id, active, owner_id)
    select id, name, address, "defaultEmailTemplateId", active, ${ownerId}
    from jsonb_to_recordset(${JSON.stringify(dealerships)}::jsonb)
      as input (id uuid, name text, address text, "defaultEmailTemplateId" uuid, active boolean)`.execute(db);
}

export async function insertContacts(
  db: Tx,
  dealerships: readonly Pick<NewDealership, 'id' | 'contacts'>[],
): Promise<void> {
  const contacts = dealerships.flatMap(({ id, contacts: own }) =>
    own.map((contact, position) => ({ ...contact, dealershipId: id, position })),
  );
  await sql`
    insert into contacts
      (dealership_id, position, name, email, template_id, template_name, include_in_to, include_in_cc, active)
    select "dealershipId", position, input.name, email, email_templates.id,
      case when email_templates.id is null then "templateName" end, "includeInTo", "includeInCc", active
    from jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb)
      as input ("dealershipId" uuid, position integer, name text, email text, "templateName" text,
        "includeInTo" boolean, "includeInCc" boolean, active boolean)
    left join email_templates on lower(email_templates.name) = lower("templateName")`.execute(db);
}
