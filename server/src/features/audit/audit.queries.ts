import { kindsWith } from '@forecourt/contract/record-kinds';
import { sql, type RawBuilder } from 'kysely';
import { escapeLike, type Db, type Tx } from '../../platform/db/database.ts';

/** Instants are ISO 8601; `to` is exclusive. */
export type EntryFilter = {
  actorId?: string | undefined;
  action?: string | undefined;
  entity?: string | undefined;
  recordId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
};

/** An entry as one searchable text, with its values. */
const SEARCHED = sql`lower(concat_ws(' ', actor_name, action, ip, request_id, record_id, before, after))`;

const matching = (filter: EntryFilter): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...(filter.actorId ? [sql`actor_id = ${filter.actorId}`] : []),
      ...(filter.action ? [sql`action = ${filter.action}`] : []),
      ...(filter.entity ? [sql`entity = ${filter.entity}`] : []),
      ...(filter.recordId ? [sql`record_id = ${filter.recordId}`] : []),
      ...(filter.from ? [sql`created_at >= ${filter.from}`] : []),
      ...(filter.to ? [sql`created_at < ${filter.to}`] : []),
      ...(filter.search ? [sql`${SEARCHED} like ${`%${escapeLike(filter.search.toLowerCase())}%`}`] : []),
    ],
    sql` and `,
  );

/** Returns the number that the next entry will have. */
export async function nextNumber(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(id), 0) + 1 as next from audit_entries`.execute(db);
  return rows[0]!.next;
}

/** Returns the newest matching entries with numbers from `from` to below `below`, up to a limit. */
export async function findIds(
  db: Db | Tx,
  filter: EntryFilter,
  { from, below, limit }: { from: number; below: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from audit_entries
    where id >= ${from} and id < ${below} and ${matching(filter)}
    order by id desc limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export const readEntries = (db: Db | Tx, ids: readonly number[]) =>
  db
    .selectFrom('audit_entries')
    .leftJoin('audit_redactions', 'audit_redactions.entry_id', 'audit_entries.id')
    .where('audit_entries.id', 'in', [0, ...ids])
    .orderBy('audit_entries.id', 'desc')
    .select([
      'id',
      'created_at',
      'actor_id',
      'actor_name',
      'ip',
      'request_id',
      'action',
      'entity',
      'record_id',
      'before',
      'after',
      'audit_redactions.order_id',
    ])
    .execute();

export type EntryRow = Awaited<ReturnType<typeof readEntries>>[number];

/** Returns the current names of records by id, and of all custom fields by key. Deleted records have none. */
export async function namesOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const isInIds = sql`= any(${ids}::uuid[])`;
  const named = kindsWith('table').map(
    ({ table, nameColumn = 'name' }) =>
      sql`select id::text, ${sql.ref(nameColumn)} as name from ${sql.table(table)} where id ${isInIds}`,
  );
  const { rows } = await sql<{ id: string; name: string }>`
    ${sql.join(named, sql` union all `)} union all select key, name from custom_fields`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the last action on a record; undefined if there was none. */
export const newestActionOf = (db: Tx, recordId: string) =>
  db
    .selectFrom('audit_entries')
    .where('record_id', '=', recordId)
    .orderBy('id', 'desc')
    .limit(1)
    .select(['id', 'action', 'entity'])
    .executeTakeFirst();

/**
 * Redacts the values of all entries about a record except the entry of the redaction, and stores their digests. Returns
 * the number of redacted entries.
 */
export async function redactEntries(db: Tx, recordId: string, orderId: number): Promise<number> {
  const { rows } = await sql<{ entry_id: number }>`
    insert into audit_redactions (entry_id, values_digest, order_id)
    select id, audit_values_digest(salt, before, after), ${orderId} from audit_entries
    where record_id = ${recordId} and action <> 'audit.blanked' and salt is not null
      and (before is not null or after is not null)
    returning entry_id`.execute(db);
  const ids = rows.map(({ entry_id }) => entry_id);
  await sql`update audit_entries set before = null, after = null, salt = null where id = any(${ids}::bigint[])`.execute(
    db,
  );
  return ids.length;
}
