import type { Arrangement } from '@forecourt/contract/deal-views';
import { sql } from 'kysely';
import { countRows, type Db, type Tx } from '../../platform/db/database.ts';

/** Selects the views that a viewer may see: their own and shared ones. */
const visibleViews = (db: Db | Tx, viewerId: string) =>
  db
    .selectFrom('deal_views')
    .innerJoin('users', 'users.id', 'deal_views.owner_id')
    .where((eb) => eb.or([eb('deal_views.owner_id', '=', viewerId), eb('deal_views.is_shared', '=', true)]));

export const listViews = (db: Db | Tx, viewerId: string) =>
  visibleViews(db, viewerId)
    .selectAll('deal_views')
    .select('users.name as owner_name')
    .$narrowType<{ arrangement: Arrangement }>()
    .orderBy(sql`deal_views.name collate "en-AU-x-icu"`)
    .orderBy('deal_views.id')
    .execute();

export type ViewRow = Awaited<ReturnType<typeof listViews>>[number];

export const findView = (db: Db | Tx, viewerId: string, id: string): Promise<ViewRow | undefined> =>
  visibleViews(db, viewerId)
    .selectAll('deal_views')
    .select('users.name as owner_name')
    .$narrowType<{ arrangement: Arrangement }>()
    .where('deal_views.id', '=', id)
    .executeTakeFirst();

export async function visibleIds(db: Db, viewerId: string, ids: string[]): Promise<Set<string>> {
  const rows = await visibleViews(db, viewerId)
    .where(sql<boolean>`deal_views.id = any(${ids}::uuid[])`)
    .select('deal_views.id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export const lockView = (db: Tx, id: string) =>
  db.selectFrom('deal_views').where('id', '=', id).select('id').forUpdate().execute();

/** Counts a user's views, including shared ones. */
export const countOwn = (db: Tx, ownerId: string): Promise<number> =>
  db.selectFrom('deal_views').where('owner_id', '=', ownerId).$call(countRows);

/** Locks and returns the shared views of a user, in the order of their ids. */
export const lockShared = (db: Tx, ownerId: string) =>
  db
    .selectFrom('deal_views')
    .where('owner_id', '=', ownerId)
    .where('is_shared', '=', true)
    .orderBy('id')
    .select(['id', 'name', 'version'])
    .forUpdate()
    .execute();

export const namesOf = async (db: Tx, ownerId: string): Promise<string[]> =>
  (await db.selectFrom('deal_views').where('owner_id', '=', ownerId).select('name').execute()).map(
    ({ name }) => name,
  );
