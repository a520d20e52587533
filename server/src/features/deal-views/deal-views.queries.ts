import type { Arrangement } from '@forecourt/contract/deal-views';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** Views that a viewer may see: their own and the shared ones. Every read carries it. */
const inSight = (db: Db | Tx, viewerId: string) =>
  db
    .selectFrom('deal_views')
    .innerJoin('users', 'users.id', 'deal_views.owner_id')
    .where((eb) => eb.or([eb('deal_views.owner_id', '=', viewerId), eb('deal_views.is_shared', '=', true)]));

/** Those in sight, by name. */
export const listViews = (db: Db | Tx, viewerId: string) =>
  inSight(db, viewerId)
    .selectAll('deal_views')
    .select('users.name as owner_name')
    .$narrowType<{ arrangement: Arrangement }>()
    .orderBy(sql`deal_views.name collate "en-AU-x-icu"`)
    .orderBy('deal_views.id')
    .execute();

export type ViewRow = Awaited<ReturnType<typeof listViews>>[number];

export const findView = (db: Db | Tx, viewerId: string, id: string): Promise<ViewRow | undefined> =>
  inSight(db, viewerId)
    .selectAll('deal_views')
    .select('users.name as owner_name')
    .$narrowType<{ arrangement: Arrangement }>()
    .where('deal_views.id', '=', id)
    .executeTakeFirst();

/** Of these ids those in sight. */
export async function visibleIds(db: Db, viewerId: string, ids: string[]): Promise<Set<string>> {
  const rows = await inSight(db, viewerId)
    .where(sql<boolean>`deal_views.id = any(${ids}::uuid[])`)
    .select('deal_views.id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Waits until nobody else is changing it. */
export const lockView = (db: Tx, id: string) =>
  db.selectFrom('deal_views').where('id', '=', id).select('id').forUpdate().execute();

type Fields = { name: string; is_shared: boolean; arrangement: string };

export async function insertView(db: Tx, row: Fields & { id: string; owner_id: string }): Promise<void> {
  await db.insertInto('deal_views').values(row).execute();
}

export async function updateView(
  db: Tx,
  id: string,
  fields: Partial<Fields> & { owner_id?: string },
): Promise<void> {
  await db
    .updateTable('deal_views')
    .set({ ...fields, version: sql`version + 1`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export async function deleteView(db: Tx, id: string): Promise<void> {
  await db.deleteFrom('deal_views').where('id', '=', id).execute();
}

/** How many views a person has, shared ones among them. */
export const countOwn = async (db: Tx, ownerId: string): Promise<number> =>
  (
    await db
      .selectFrom('deal_views')
      .where('owner_id', '=', ownerId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;

/** The shared views of a person, locked, in the order of their ids. */
export const lockShared = (db: Tx, ownerId: string) =>
  db
    .selectFrom('deal_views')
    .where('owner_id', '=', ownerId)
    .where('is_shared', '=', true)
    .orderBy('id')
    .select(['id', 'name', 'version'])
    .forUpdate()
    .execute();

/** The names of all views of a person. */
export const namesOf = async (db: Tx, ownerId: string): Promise<string[]> =>
  (await db.selectFrom('deal_views').where('owner_id', '=', ownerId).select('name').execute()).map(
    ({ name }) => name,
  );
