import { sql, type Insertable, type Selectable } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';
import { whereVisible, type VisibilityScope } from '../../platform/sharing/shares.queries.ts';

export async function insertImage(db: Tx, image: Insertable<Tables['template_images']>): Promise<void> {
  await db.insertInto('template_images').values(image).execute();
}

const images = (db: Db | Tx, ids: string[]) =>
  db.selectFrom('template_images').where(sql<boolean>`template_images.id = any(${ids}::uuid[])`);

/** Selects images of visible templates, and images of the viewer that no template uses yet. */
const visibleImages = (db: Db | Tx, scope: VisibilityScope, ids: string[]) =>
  images(db, ids).where((eb) => {
    const uses = eb
      .selectFrom('template_image_uses')
      .innerJoin('email_templates', 'email_templates.id', 'template_image_uses.template_id')
      .whereRef('template_image_uses.image_id', '=', 'template_images.id')
      .select('template_image_uses.image_id');
    return eb.or([
      eb.exists(uses.where(whereVisible('email-template', scope))),
      eb.and([eb('template_images.created_by', '=', scope.viewerId), eb.not(eb.exists(uses))]),
    ]);
  });

/** Returns ids and sizes in bytes, and locks the images against deletion. */
export const imageSizes = (db: Tx, scope: VisibilityScope, ids: string[]) =>
  visibleImages(db, scope, ids)
    .leftJoin('files', 'files.digest', 'template_images.digest')
    .select(['template_images.id', sql<number>`coalesce(files.size, length(content))`.as('size')])
    .forKeyShare('template_images')
    .execute();

const FILE = [
  'template_images.id',
  'template_images.type',
  'template_images.digest',
  'template_images.content',
] as const;

export type ImageFile = Pick<Selectable<Tables['template_images']>, 'id' | 'type' | 'digest' | 'content'>;

export const visibleImageFiles = (db: Db | Tx, scope: VisibilityScope, ids: string[]) =>
  visibleImages(db, scope, ids).select(FILE).execute();

/** Returns images regardless of the viewer: the caller checks who may read the message. */
export const imageFiles = (db: Db | Tx, ids: string[]) => images(db, ids).select(FILE).execute();

/** Attaches images to a template for good, because its earlier versions need them. */
export async function insertUses(db: Tx, templateId: string, ids: string[]): Promise<void> {
  await db
    .insertInto('template_image_uses')
    .values(ids.map((image_id) => ({ template_id: templateId, image_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function insertEmailImages(db: Tx, emailId: string, ids: string[]): Promise<void> {
  await db
    .insertInto('email_images')
    .values(ids.map((image_id) => ({ email_id: emailId, image_id })))
    .execute();
}

const isUnused = sql<boolean>`created_at < now() - interval '1 day'
  and not exists (select from template_image_uses where image_id = template_images.id)
  and not exists (select from email_images where image_id = template_images.id)`;

/** Deletes images older than a day that no template version and no message uses. */
export async function deleteUnused(db: Tx): Promise<void> {
  const ids = await db
    .selectFrom('template_images')
    .where(isUnused)
    .select('id')
    .forUpdate()
    .skipLocked()
    .execute();
  // A statement of its own: its snapshot includes uses that were saved while the first one waited for the lock.
  if (ids.length > 0)
    await db
      .deleteFrom('template_images')
      .where(
        'id',
        'in',
        ids.map(({ id }) => id),
      )
      .where(isUnused)
      .execute();
}
