import type { FieldConflict } from '@forecourt/contract/errors';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';

/** Maximum number of audit entries returned for a row. */
const MAX_ENTRIES = 1000;

/** Returns the audit entries of a row, newest first. */
export const listEntries = (db: Db | Tx, dealId: string) =>
  db
    .selectFrom('audit_entries')
    .where('record_id', '=', dealId)
    .where('entity', '=', 'deal')
    .orderBy('id', 'desc')
    .limit(MAX_ENTRIES)
    .select(['action', 'created_at', 'actor_name', 'version', 'before', 'after'])
    .execute();

/**
 * Returns who last changed each of these fields and when, from the audit entry of that version. Queried only
 * in case of a conflict, so that a change does not have to store it.
 */
export async function changersOf(
  db: Db | Tx,
  dealId: string,
  fieldVersions: Readonly<Record<string, number>>,
  fields: readonly string[],
): Promise<FieldConflict[]> {
  if (fields.length === 0) return [];
  const versions = fields.flatMap((field) => fieldVersions[field] ?? []);
  const entries = await db
    .selectFrom('audit_entries')
    .where('record_id', '=', dealId)
    .where('entity', '=', 'deal')
    .where(sql<boolean>`version = any(${versions}::integer[])`)
    .select(['version', 'actor_name', 'created_at'])
    .execute();
  const byVersion = new Map(entries.map((entry) => [entry.version, entry]));
  return fields.flatMap((field) => {
    const entry = byVersion.get(fieldVersions[field] ?? 0);
    return entry ? [{ field, byName: entry.actor_name, at: entry.created_at }] : [];
  });
}

/** Returns the names of dealerships or users by id. */
export async function namesOf(
  db: Db | Tx,
  table: 'dealerships' | 'users',
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom(table).where('id', 'in', ids).select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
