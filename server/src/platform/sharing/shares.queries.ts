import { recordKinds } from '@forecourt/contract/record-kinds';
import { sql, type RawBuilder } from 'kysely';
import { where } from '../conditions.ts';
import { jsonInstant, type Db, type Tx } from '../db/database.ts';
import { hasAccess, type Share } from './access.ts';
import type { Level, Shareable } from './levels.ts';

// The tables of all shareable kinds have id, version, updated_at and owner_id.
const table = (kind: Shareable) => sql.table(recordKinds[kind].table);
const column = (kind: Shareable, name: 'id' | 'owner_id') => sql.ref(`${recordKinds[kind].table}.${name}`);

/** A deleted deal can be restored, but cannot be shared or transferred while it is deleted. */
const isNotDeleted = (kind: Shareable) => (kind === 'deal' ? sql`deals.deleted_at is null` : sql`true`);

/** Aggregates the shares of one record. `person` is the user of a share. */
const shareList = sql<Share[]>`json_agg(json_build_object(
  'userId', shares.user_id,
  'level', shares.level,
  'sharedAt', ${jsonInstant(sql`shares.shared_at`)},
  'name', person.name,
  'email', person.email) order by person.name, shares.user_id)`;

/** Selections that complete the rows of a query to `AccessFields`. */
export const accessSelections = (kind: Shareable) =>
  [
    sql<string>`(select users.name from users where users.id = ${column(kind, 'owner_id')})`.as('owner_name'),
    // A subquery instead of a join, because most records have no shares.
    sql<Share[]>`(
      select coalesce(${shareList}, '[]')
      from shares cross join lateral (select name, email from users where users.id = shares.user_id offset 0) as person
      where shares.entity = ${sql.lit(kind)} and shares.record_id = ${column(kind, 'id')})`.as('shares'),
  ] as const;

/** Selects the shares of many records as one object by id. Records without shares are absent. */
export const sharesById = (kind: Shareable, ids: RawBuilder<unknown>) => sql<Record<string, Share[]> | null>`(
  select json_object_agg(id, list) from (
    select shares.record_id as id, ${shareList} as list
    from shares join users as person on person.id = shares.user_id
    where shares.entity = ${sql.lit(kind)} and shares.record_id = any(${ids})
    group by shares.record_id
  ) as shared)`;

/** The SQL of the fields of `AccessFields`, for a kind of record. */
export const accessFields = (kind: Shareable) => ({
  owner_id: column(kind, 'owner_id'),
  shares: sql`shares.entity = ${sql.lit(kind)} and shares.record_id = ${column(kind, 'id')}`,
});

/** The users and levels of the shares of one record, without names. */
export const shareLevels = (kind: Shareable) => sql<Pick<Share, 'userId' | 'level'>[]>`coalesce(
  (select jsonb_agg(jsonb_build_object('userId', user_id, 'level', level))
   from shares where ${accessFields(kind).shares}), '[]')`;

/** The visibility scope of a viewer for one kind of record, which the kind's policy creates from their permissions. */
export type VisibilityScope = {
  viewerId: string;
  /** Whether the viewer sees all records by permission; otherwise only owned and shared ones. */
  all: boolean;
  /** Records that are hidden from the viewer even if owned or shared. */
  except?: readonly string[];
};

/** Returns the visibility condition of all reads: lists, single records and live events. */
export function whereVisible(kind: Shareable, { viewerId, all, except = [] }: VisibilityScope) {
  const isShared = where(hasAccess, { userId: viewerId }, accessFields(kind));
  return sql<boolean>`(${all ? sql`true` : isShared} and ${column(kind, 'id')} <> all(${except}::uuid[]))`;
}

/** Returns the visible ids, for live events. With full visibility they include deleted records. */
export async function visibleIds(
  db: Db | Tx,
  kind: Shareable,
  scope: VisibilityScope,
  ids: string[],
): Promise<Set<string>> {
  if (scope.all) return new Set(ids).difference(new Set(scope.except));
  const { rows } = await sql<{ id: string }>`
    select id from ${table(kind)}
    where id = any(${ids}::uuid[]) and ${whereVisible(kind, scope)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Locks these records in a fixed order, to prevent deadlocks. */
export async function lockRecords(db: Tx, kind: Shareable, ids: readonly string[]): Promise<void> {
  await sql`select id from ${table(kind)} where id = any(${ids}::uuid[]) order by id for update`.execute(db);
}

export async function lockRecordsOwnedBy(db: Tx, kind: Shareable, ownerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${table(kind)} where owner_id = ${ownerId} and ${isNotDeleted(kind)}
    order by id for update`.execute(db);
  return rows.map(({ id }) => id);
}

export async function findAccess(db: Tx, kind: Shareable, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; owner_id: string; shares: Pick<Share, 'userId' | 'level'>[] }>`
    select id, owner_id, ${shareLevels(kind)} as shares
    from ${table(kind)} where id = any(${ids}::uuid[]) order by id`.execute(db);
  return rows;
}

/** Returns the index of the first unknown or inactive user, with the name if known; undefined if all are active. */
export async function findInactive(
  db: Db | Tx,
  ids: readonly string[],
): Promise<{ index: number; name: string | undefined } | undefined> {
  const { rows } = await sql<{ id: string; name: string; is_active: boolean }>`
    select id, name, is_active from users where id = any(${ids}::uuid[])`.execute(db);
  const people = new Map(rows.map((row) => [row.id, row]));
  const index = ids.findIndex((id) => !people.get(id)?.is_active);
  return index < 0 ? undefined : { index, name: people.get(ids[index]!)?.name };
}

export type StoredShare = { recordId: string; userId: string; level: Level };

/** Returns the ids of up to `limit` records that are shared with a user. */
export async function sharedIds(
  db: Db | Tx,
  kind: Shareable,
  userId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select record_id as id from shares where user_id = ${userId} and entity = ${kind} limit ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

export async function putShares(
  db: Tx,
  kind: Shareable,
  shares: readonly StoredShare[],
  by: string,
): Promise<void> {
  await sql`
    insert into shares (entity, record_id, user_id, level, shared_by)
    select ${kind}, record_id, user_id, level, ${by}::uuid
    from unnest(
      ${shares.map(({ recordId }) => recordId)}::uuid[],
      ${shares.map(({ userId }) => userId)}::uuid[],
      ${shares.map(({ level }) => level)}::text[]
    ) as new_share (record_id, user_id, level)
    on conflict (entity, record_id, user_id)
    do update set level = excluded.level, shared_by = excluded.shared_by, shared_at = now()`.execute(db);
}

export async function removeShares(
  db: Tx,
  kind: Shareable,
  shares: readonly Pick<StoredShare, 'recordId' | 'userId'>[],
): Promise<void> {
  await sql`
    delete from shares using unnest(
      ${shares.map(({ recordId }) => recordId)}::uuid[],
      ${shares.map(({ userId }) => userId)}::uuid[]
    ) as removed_share (record_id, user_id)
    where shares.entity = ${kind}
      and shares.record_id = removed_share.record_id and shares.user_id = removed_share.user_id`.execute(db);
}

/** Increments the version of these records, and sets the owner if there is one. Returns the new versions by id. */
export async function markChanged(
  db: Tx,
  kind: Shareable,
  ids: readonly string[],
  by: string,
  ownerId?: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; version: number }>`
    update ${table(kind)} set version = version + 1, updated_at = now()
      ${kind === 'deal' ? sql`, updated_by = ${by}` : sql``}
      ${ownerId === undefined ? sql`` : sql`, owner_id = ${ownerId}`}
    where id = any(${ids}::uuid[]) returning id, version`.execute(db);
  return new Map(rows.map(({ id, version }) => [id, version]));
}
