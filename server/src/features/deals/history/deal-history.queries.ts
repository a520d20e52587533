import { MAX_HISTORY_ENTRIES } from '@forecourt/contract/deal-limits';
import { sql, type SqlBool } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { whereVisibleById, type InScope } from '../deals.queries.ts';

/** Returns the audit entries of rows, their comments and their files, newest first. */
export const listEntries = (db: Db | Tx, dealIds: readonly string[]) =>
  db
    .selectFrom('audit_entries')
    .where(sql<SqlBool>`record_id = any(${dealIds}::uuid[])`)
    .where('entity', 'in', ['deal', 'deal-comments', 'deal-attachments'])
    .orderBy('id', 'desc')
    .limit(MAX_HISTORY_ENTRIES)
    .select([
      'id',
      'record_id',
      'entity',
      'action',
      'created_at',
      'actor_id',
      'actor_name',
      'change_set_id',
      'version',
      'before',
      'after',
    ])
    .execute();

export type StoredEntry = Awaited<ReturnType<typeof listEntries>>[number];

/**
 * Returns all names that these statuses have had, because entries of rows contain the name at that time. The audit log
 * does not have all of them: a restore renames without an entry.
 */
export async function everyNameOf(db: Db | Tx, statusIds: readonly string[]): Promise<Set<string>> {
  if (statusIds.length === 0) return new Set();
  const { rows } = await sql<{ name: string }>`
    select name from statuses where id = any(${statusIds}::uuid[])
    union
    select named.name from audit_entries, unnest(array[before ->> 'name', after ->> 'name']) as named (name)
    where entity = 'status' and record_id = any(${statusIds}::uuid[]) and named.name is not null`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Returns the customers of those of these rows that are in scope, also deleted ones, by the id of the row. */
export async function customersOf(
  db: Db | Tx,
  scope: InScope,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    select id, customer_name as name from deals
    where id = any(${ids}::uuid[]) and ${whereVisibleById(scope)}`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
