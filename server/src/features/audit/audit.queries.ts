import { kindsWith } from '@forecourt/contract/record-kinds';
import { sql, type RawBuilder } from 'kysely';
import { auditCounts, THOUSAND } from '../../platform/audit-counts.ts';
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
const searchedText = sql`concat_ws(' ', actor_name, action, ip, request_id, record_id, before, after)`;

/** Compares without case. A text of ASCII alone does so by its bytes, in less than half of the time. */
function contains(text: string): RawBuilder<unknown> {
  const pattern = `%${escapeLike(text.toLowerCase())}%`;
  const isAscii = /^[\x20-\x7e]*$/.test(text);
  return isAscii
    ? sql`${searchedText} collate "C" ilike ${pattern}`
    : sql`lower(${searchedText}) like ${pattern}`;
}

/** Joins the conditions of a filter; those without a value are absent. */
const together = (conditions: readonly (RawBuilder<unknown> | '' | undefined)[]): RawBuilder<unknown> =>
  sql.join([sql`true`, ...conditions.filter(Boolean)], sql` and `);

const ofKind = ({ action, entity }: EntryFilter) => [
  action && sql`action = ${action}`,
  entity && sql`entity = ${entity}`,
];

const matching = ({ actorId, recordId, from, to, search, ...filter }: EntryFilter): RawBuilder<unknown> =>
  together([
    actorId && sql`actor_id = ${actorId}`,
    ...ofKind(filter),
    recordId && sql`record_id = ${recordId}`,
    from && sql`created_at >= ${from}`,
    to && sql`created_at < ${to}`,
    search && contains(search),
  ]);

/** Returns the counts, by kind and time and by person, that name where a filter has entries; none if they are not needed. */
async function countsOf(
  db: Db | Tx,
  { actorId, from, to, ...filter }: EntryFilter,
): Promise<RawBuilder<unknown>[]> {
  const isOfKind = filter.action || filter.entity || from || to;
  if (filter.recordId || (!isOfKind && !actorId)) return [];
  const { counts, people } = await auditCounts(db);
  const kinds = together([
    ...ofKind(filter),
    from && sql`quarter > ${from}::timestamptz - interval '15 minutes'`,
    to && sql`quarter < ${to}`,
  ]);
  return [
    ...(isOfKind ? [sql`${counts} where ${kinds}`] : []),
    ...(actorId ? [sql`${people} where actor_id = ${actorId}`] : []),
  ];
}

/** Returns the number that the next entry will have. */
export async function nextNumber(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(id), 0) + 1 as next from audit_entries`.execute(db);
  return rows[0]!.next;
}

type FoundIds = {
  /** The ids of matching entries, newest first. */
  ids: number[];
  /** The entries below this number are not searched yet; 1 if all are. */
  below: number;
};

/**
 * Returns the newest matching entries below a number, up to a limit, among the next `thousands` that can have some: the
 * counts name those of an actor, an action, a kind or a time. An index has all entries about a record.
 */
export async function findIds(
  db: Db | Tx,
  filter: EntryFilter,
  { below, thousands, limit }: { below: number; thousands: number; limit: number },
): Promise<FoundIds> {
  const counts = await countsOf(db, filter);
  const from = filter.recordId ? 1 : Math.max(1, below - thousands * THOUSAND);
  if (counts.length === 0) {
    const { rows } = await sql<{ id: number }>`
      select id from audit_entries
      where id >= ${from} and id < ${below} and ${matching(filter)}
      order by id desc limit ${limit}`.execute(db);
    return { ids: rows.map(({ id }) => id), below: from };
  }
  const isBelow = sql`thousand <= ${Math.floor((below - 1) / THOUSAND)}::bigint`;
  const places = counts.map((part) => sql`(select distinct thousand from ${part} and ${isBelow})`);
  const ranges = counts.map(
    (part) => sql`(select range_agg(int8range(first_id, last_id + 1)) from ${part}
      and thousand in (select thousand from places))`,
  );
  const { rows } = await sql<{ ids: number[]; places: number; lowest: number | null }>`
    with places as materialized (
      ${sql.join(places, sql` intersect `)} order by thousand desc limit ${thousands}
    ), parts as materialized (
      select unnest(${sql.join(ranges, sql` * `)}) as ids
    ), found as (
      select entry.id from parts, lateral (
        select id from audit_entries
        where id >= lower(ids) and id < least(upper(ids), ${below}) and ${matching(filter)}
        order by id desc limit ${limit}
      ) as entry
      order by entry.id desc limit ${limit}
    )
    select (select coalesce(json_agg(id order by id desc), '[]') from found) as ids, count(*) as places,
      min(thousand) as lowest
    from places`.execute(db);
  const { ids, lowest, ...found } = rows[0]!;
  return { ids, below: found.places < thousands ? 1 : Math.max(1, lowest! * THOUSAND) };
}

/** Returns the time of the oldest entry with this number or a higher one; null if there is none. */
export async function timeFrom(db: Db | Tx, id: number): Promise<string | null> {
  const entries = db.selectFrom('audit_entries').where('id', '>=', id);
  return (await entries.orderBy('id').select('created_at').limit(1).executeTakeFirst())?.created_at ?? null;
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
