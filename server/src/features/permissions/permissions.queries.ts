import type { StoredPermissions } from '@forecourt/contract/permissions';
import { kindsWith, type KindWith, type RecordKinds } from '@forecourt/contract/record-kinds';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { ResourceIds } from './permissions.policy.ts';

const EVERY_LEVEL = sql`'view', 'edit', 'full'`;
const EDIT_LEVELS = sql`'edit', 'full'`;

const owned = (table: string) =>
  sql`array(select id from ${sql.table(table)} where owner_id = users.id order by id)`;

const shared = (entity: string, levels: typeof EVERY_LEVEL) => sql`array(
  select record_id from shares
  where shares.user_id = users.id and shares.entity = ${entity} and shares.level in (${levels})
  order by record_id)`;

/** The records of each kind that a user owns or has a share of. */
const resources = sql.join(
  kindsWith('owned').map(
    ({ kind, table, resource }) => sql`${sql.lit(resource)}, json_build_object('owned', ${owned(table)},
      'canView', ${shared(kind, EVERY_LEVEL)}, 'canEdit', ${shared(kind, EDIT_LEVELS)})`,
  ),
);
type OwnedResource = RecordKinds[KindWith<'owned'>]['resource'];

/** Selects users with their stored records and with owned and shared record ids. */
const people = (db: Db | Tx) =>
  db
    .selectFrom('users')
    .leftJoin('permission_records as stored', 'stored.user_id', 'users.id')
    .select([
      'users.id',
      'users.name',
      'users.role',
      'users.is_active',
      'stored.record',
      'stored.version',
      sql<Record<OwnedResource, ResourceIds>>`json_build_object(${resources})`.as('resources'),
      sql<string[]>`array(select id from statuses order by position, id)`.as('statuses'),
    ]);

export const listPeople = (db: Db | Tx) =>
  people(db)
    .orderBy(sql`users.name collate "en-AU-x-icu"`)
    .orderBy('users.id')
    .execute();

export type PersonRow = Awaited<ReturnType<typeof listPeople>>[number];

export const findPerson = (db: Db | Tx, userId: string) =>
  people(db).where('users.id', '=', userId).executeTakeFirst();

/**
 * Locks users in the order of their ids, so that concurrent changes of their records are serialised. Another statement
 * reads the records: one that waits for a lock would return them as they were before.
 */
const lockUsers = (db: Tx, ids: readonly string[]) =>
  db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

export async function lockPerson(db: Tx, userId: string): Promise<PersonRow | undefined> {
  await lockUsers(db, [userId]);
  return findPerson(db, userId);
}

/** Inserts or updates a record with this version. */
export async function saveRecord(
  db: Tx,
  userId: string,
  record: StoredPermissions,
  version: number,
): Promise<void> {
  const saved = { record: JSON.stringify(record), version };
  await db
    .insertInto('permission_records')
    .values({ user_id: userId, ...saved })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...saved, updated_at: sql`now()` }))
    .execute();
}

/** Returns the ids of statuses by the given texts, each an id or a name in any case. */
export const findStatuses = (db: Db | Tx, texts: string[]) =>
  db
    .selectFrom('statuses')
    .where((eb) =>
      eb.or([
        eb(sql<string>`id::text`, 'in', texts),
        eb(
          sql<string>`lower(name)`,
          'in',
          texts.map((text) => text.toLowerCase()),
        ),
      ]),
    )
    .select(['id', 'name'])
    .execute();

/** Locks the users whose records reference a status, in the order of their ids. */
export async function lockUsersWithStatus(db: Tx, statusId: string): Promise<PersonRow[]> {
  const withStatus = people(db)
    .where(
      sql<boolean>`(stored.record #> '{dataEntry,columnVisibility,restrictedStatuses}' ? ${statusId}
        or stored.record -> 'editableStatuses' ? ${statusId})`,
    )
    .orderBy('users.id');
  const found = await withStatus.execute();
  await lockUsers(
    db,
    found.map(({ id }) => id),
  );
  return withStatus.execute();
}

export const existingIds = async (
  db: Db | Tx,
  table: 'deals' | 'dealerships' | 'statuses',
  ids: string[],
): Promise<Set<string>> => {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom(table)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select('id')
    .execute();
  return new Set(rows.map(({ id }) => id));
};

export async function insertImpersonation(
  db: Tx,
  viewing: { id: string; session_id: string; user_id: string },
): Promise<void> {
  await db.insertInto('impersonations').values(viewing).execute();
}
