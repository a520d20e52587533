import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { heldFields, inSight, type Sight } from '../../platform/sharing/shares.queries.ts';

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

const held = (db: Db | Tx) => db.selectFrom('email_templates').select(heldFields('email-template'));

/** Those in sight without bodies, by name as people sort names. */
export const listTemplates = (db: Db | Tx, sight: Sight) =>
  held(db)
    .select(SUMMARY)
    .where(inSight('email-template', sight))
    .orderBy(sql`email_templates.name collate "en-AU-x-icu"`)
    .orderBy('id')
    .execute();

/** Of these templates those in sight. */
export const findTemplates = (db: Db | Tx, sight: Sight, ids: string[]) =>
  held(db)
    .selectAll()
    .where(inSight('email-template', sight))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute();

export type TemplateSummaryRow = Awaited<ReturnType<typeof listTemplates>>[number];
export type TemplateRow = Awaited<ReturnType<typeof findTemplates>>[number];

/** One template, whoever sends with it. */
export const findForMail = (db: Db | Tx, id: string): Promise<TemplateRow | undefined> =>
  held(db).selectAll().where('id', '=', id).executeTakeFirst();

/** Whether it is there; in a transaction it then stays until the end of it. */
export const templateStays = async (db: Db | Tx, id: string): Promise<boolean> =>
  (await db
    .selectFrom('email_templates')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()) !== undefined;

/** Of these ids those in sight. Whoever sees all of them has seen those that are gone by now: for live events. */
export async function visibleIds(db: Db | Tx, sight: Sight, ids: string[]): Promise<Set<string>> {
  if (sight.all) return new Set(ids);
  const rows = await db
    .selectFrom('email_templates')
    .select('id')
    .where(inSight('email-template', sight))
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

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

type NewVersion = { id: string; templateId: string; createdBy: string; restoredFrom?: number };

/** Keeps the template as it is now as one of its versions. */
export async function insertVersion(
  db: Tx,
  { id, templateId, createdBy, restoredFrom }: NewVersion,
): Promise<void> {
  await db
    .insertInto('email_template_versions')
    .columns([
      'id',
      'template_id',
      'version',
      'name',
      'subject',
      'document',
      'variables',
      'created_by',
      'restored_from',
    ])
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
          sql<number | null>`${restoredFrom ?? null}::integer`.as('restored_from'),
        ]),
    )
    .execute();
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

/** Newest first, without what they say. */
export const listVersions = (db: Db | Tx, templateId: string) =>
  versionsOf(db, templateId).orderBy('versions.version', 'desc').execute();

export const findVersion = (db: Db | Tx, templateId: string, version: number) =>
  versionsOf(db, templateId)
    .where('versions.version', '=', version)
    .select(['versions.document', 'versions.variables'])
    .executeTakeFirst();

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
export const countDealershipsUsing = async (
  db: Db | Tx,
  { id, name }: Pick<TemplateRow, 'id' | 'name'>,
): Promise<number> =>
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
