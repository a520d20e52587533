import type { TemplateVersion } from '@forecourt/contract/email-templates';
import { sql } from 'kysely';
import { jsonInstant, lockName, type Db, type Tx } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import {
  accessSelections,
  whereVisible,
  type VisibilityScope,
} from '../../platform/sharing/shares.queries.ts';

const SUMMARY = [
  'id',
  'name',
  'subject',
  'status',
  'owner_id',
  'version',
  'created_at',
  'updated_at',
] as const;

const templates = (db: Db | Tx) =>
  db.selectFrom('email_templates').select(accessSelections('email-template'));

/** Returns visible templates without bodies, ordered by name regardless of case and accents. */
export const listTemplates = (db: Db | Tx, scope: VisibilityScope) =>
  templates(db)
    .select(SUMMARY)
    .where(whereVisible('email-template', scope))
    .orderBy(sql`email_templates.name collate "en-AU-x-icu"`)
    .orderBy('id')
    .execute();

/** Selects the saved versions of a template, newest first. */
const savedVersions = sql<Pick<TemplateVersion, 'id' | 'version' | 'createdAt'>[]>`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', versions.id,
    'version', versions.version,
    'createdAt', ${jsonInstant(sql`versions.created_at`)}) order by versions.version desc), '[]')
  from email_template_versions as versions where versions.template_id = email_templates.id)`;

export const findTemplates = (db: Db | Tx, scope: VisibilityScope, ids: string[]) =>
  templates(db)
    .selectAll()
    .select(savedVersions.as('versions'))
    .where(whereVisible('email-template', scope))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();

export type TemplateSummaryRow = Awaited<ReturnType<typeof listTemplates>>[number];
export type TemplateRow = Awaited<ReturnType<typeof findTemplates>>[number];

/** Returns a template regardless of the viewer. */
export const findForMail = (db: Db | Tx, id: string) =>
  templates(db).selectAll().where('id', '=', id).executeTakeFirst();

/** Whether the template exists. In a transaction it is locked against deletion. */
export const lockTemplate = async (db: Db | Tx, id: string): Promise<boolean> =>
  (await db
    .selectFrom('email_templates')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()) !== undefined;

export async function insertVersion(
  db: Tx,
  templateId: string,
  createdBy: string,
  restoredFrom: number | null,
): Promise<void> {
  await sql`
    insert into email_template_versions
      (id, template_id, version, name, subject, document, variables, created_by, restored_from)
    select ${newId()}, id, version, name, subject, document, variables, ${createdBy}, ${restoredFrom}::integer
    from email_templates where id = ${templateId}`.execute(db);
}

const versionsOf = (db: Db | Tx, templateId: string) =>
  db
    .selectFrom('email_template_versions as versions')
    .innerJoin('users', 'users.id', 'versions.created_by')
    .where('versions.template_id', '=', templateId)
    .select([
      'versions.id',
      'versions.version',
      'versions.created_at as createdAt',
      'users.name as createdBy',
      'versions.name',
      'versions.subject',
      'versions.restored_from as restoredFrom',
    ]);

export const listVersions = (db: Db | Tx, templateId: string) =>
  versionsOf(db, templateId).orderBy('versions.version', 'desc').execute();

export const findVersion = (db: Db | Tx, templateId: string, version: number) =>
  versionsOf(db, templateId)
    .where('versions.version', '=', version)
    .select(['versions.document', 'versions.variables'])
    .executeTakeFirst();

/** Returns the stored names of templates by names in any case. In a transaction the templates are locked. */
export async function findStoredNames(db: Db | Tx, names: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ spelling: string; name: string }>`
    select spelling, name from unnest(${names}::text[]) as spelling
    join email_templates on lower(name) = lower(spelling) for key share of email_templates`.execute(db);
  return new Map(rows.map(({ spelling, name }) => [spelling, name]));
}

/** Serialises saving a contact with an unknown template name and saving a template, so that both can be linked. */
export const lockNewNames = (db: Tx): Promise<void> => lockName(db, 'new-template-names');

/** Links contacts that name this template but do not reference one. */
export async function setInContacts(db: Tx, id: string, name: string): Promise<void> {
  await lockNewNames(db);
  await sql`
    update contacts set template_id = ${id}, template_name = null
    where lower(template_name) = lower(${name})`.execute(db);
}

/** Increments the version of dealerships whose contacts show this template's name. Returns the new versions. */
export const touchDealershipsShowing = (db: Tx, id: string) =>
  db
    .updateTable('dealerships')
    .set({ version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', 'in', (eb) =>
      eb.selectFrom('contacts').where('template_id', '=', id).select('dealership_id'),
    )
    .returning(['id', 'version'])
    .execute();

/** Counts the dealerships that have the template as their default or for a contact. */
export async function countDealershipsUsing(db: Db | Tx, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from dealerships where default_template_id = ${id}
      or id in (select dealership_id from contacts where template_id = ${id})`.execute(db);
  return rows[0]!.count;
}
