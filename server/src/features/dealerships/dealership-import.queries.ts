import type { ImportedDealership } from '@forecourt/contract/dealerships';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { inSight, type Sight } from '../../platform/sharing/shares.queries.ts';

/** A dealership to be written, with its id. */
export type NewDealership = ImportedDealership & { id: string };

/** Two imports follow one another, so that the second sees what the first has added. */
export async function lockImports(db: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('dealership-import', 0))`.execute(db);
}

/** Names of dealerships in sight. */
export const namesInSight = async (db: Tx, sight: Sight): Promise<string[]> =>
  (await db.selectFrom('dealerships').where(inSight('dealership', sight)).select('name').execute()).map(
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
      as given (id uuid, name text, address text, "defaultEmailTemplateId" uuid, active boolean)`.execute(db);
}

/** The contacts of these dealerships, in their order. */
export async function insertContacts(db: Tx, dealerships: NewDealership[]): Promise<void> {
  const contacts = dealerships.flatMap(({ id, contacts: own }) =>
    own.map((contact, position) => ({ ...contact, dealershipId: id, position })),
  );
  await sql`
    insert into contacts
      (dealership_id, position, name, email, template_name, include_in_to, include_in_cc, active)
    select "dealershipId", position, name, email, "templateName", "includeInTo", "includeInCc", active
    from jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb)
      as given ("dealershipId" uuid, position integer, name text, email text, "templateName" text,
        "includeInTo" boolean, "includeInCc" boolean, active boolean)`.execute(db);
}
