import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

type Fields = { name: string; subject: string; status: string; document: string; variables: string };

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

/** Without bodies, by name as people sort names. With an owner, that person's own only. */
export const listTemplates = (db: Db | Tx, ownerId: string | undefined) =>
  db
    .selectFrom('email_templates')
    .select(SUMMARY)
    .$if(ownerId !== undefined, (query) => query.where('owner_id', '=', ownerId!))
    .orderBy(sql`name collate "en-AU-x-icu"`)
    .orderBy('id')
    .execute();

export const findTemplate = (db: Db | Tx, id: string) =>
  db.selectFrom('email_templates').selectAll().where('id', '=', id).executeTakeFirst();

export type TemplateSummaryRow = Awaited<ReturnType<typeof listTemplates>>[number];
export type TemplateRow = NonNullable<Awaited<ReturnType<typeof findTemplate>>>;

export const lockTemplate = (db: Tx, id: string) =>
  db.selectFrom('email_templates').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Whether it is there; in a transaction it then stays until the end of it. */
export const templateStays = async (db: Db | Tx, id: string): Promise<boolean> =>
  (await db
    .selectFrom('email_templates')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()) !== undefined;

/** Of these ids, those of templates that this person owns. */
export const ownIds = async (db: Db | Tx, ids: string[], ownerId: string): Promise<string[]> =>
  (
    await db
      .selectFrom('email_templates')
      .select('id')
      .where('id', 'in', ids)
      .where('owner_id', '=', ownerId)
      .execute()
  ).map((row) => row.id);

export async function insertTemplate(db: Tx, row: Fields & { id: string; owner_id: string }): Promise<void> {
  await db.insertInto('email_templates').values(row).execute();
}

export async function updateTemplate(db: Tx, id: string, fields: Fields): Promise<void> {
  await db
    .updateTable('email_templates')
    .set({ ...fields, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export async function deleteTemplate(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('email_templates').where('id', '=', id).execute();
}

/** Keeps the template as it is now as one of its versions. */
export async function insertVersion(
  db: Tx,
  id: string,
  templateId: string,
  createdBy: string,
): Promise<void> {
  await db
    .insertInto('email_template_versions')
    .columns(['id', 'template_id', 'version', 'name', 'subject', 'document', 'variables', 'created_by'])
    .expression((eb) =>
      eb
        .selectFrom('email_templates')
        .where('id', '=', templateId)
        .select([
          sql<string>`${id}::uuid`.as('version_id'),
          'id as template_id',
          'version',
          'name',
          'subject',
          'document',
          'variables',
          sql<string>`${createdBy}::uuid`.as('created_by'),
        ]),
    )
    .execute();
}

export const listVersions = (db: Db | Tx, templateId: string) =>
  db
    .selectFrom('email_template_versions as versions')
    .innerJoin('users', 'users.id', 'versions.created_by')
    .where('versions.template_id', '=', templateId)
    .orderBy('versions.version', 'desc')
    .select([
      'versions.id',
      'versions.version',
      'versions.created_at as createdAt',
      'users.name as createdBy',
      'versions.name',
      'versions.subject',
    ])
    .execute();

/**
 * Contacts name their template: a new name is written to all of them, and each dealership concerned counts as
 * changed. Returns those with their new versions.
 */
export const renameInContacts = (db: Tx, from: string, to: string) =>
  db
    .with('renamed', (query) =>
      query
        .updateTable('contacts')
        .set({ template_name: to })
        .where((eb) => eb(eb.fn('lower', ['template_name']), '=', eb.fn('lower', [eb.val(from)])))
        .returning('dealership_id'),
    )
    .updateTable('dealerships')
    .set({ version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', 'in', (eb) => eb.selectFrom('renamed').select('dealership_id'))
    .returning(['id', 'version'])
    .execute();

/** How many dealerships have it as their default or name it for a contact. */
export const countDealershipsUsing = async (db: Tx, { id, name }: TemplateRow): Promise<number> =>
  (
    await db
      .selectFrom('dealerships')
      .where((eb) =>
        eb.or([
          eb('default_template_id', '=', id),
          eb.exists(
            eb
              .selectFrom('contacts')
              .whereRef('contacts.dealership_id', '=', 'dealerships.id')
              .where((inner) =>
                inner(inner.fn('lower', ['template_name']), '=', inner.fn('lower', [inner.val(name)])),
              )
              .select('contacts.position'),
          ),
        ]),
      )
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;
