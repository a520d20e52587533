import type { ChangeKind } from '@forecourt/contract/change-kinds';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { dealRows, whereIds } from '../deals.queries.ts';
import { isReadable, isStep, type Reader } from './change-sets.queries.ts';

/** A change set that can be taken back, with its first entry. */
export type RevertSet = {
  id: string;
  kind: ChangeKind;
  created_at: string;
  set_ids: string[];
  first_entry: number;
};

/** Returns a change set with its undo and redo sets, which are taken back with it. `by` restricts it to a user. */
export async function findRevertSet(
  db: Db | Tx,
  id: string,
  by: string | undefined,
): Promise<RevertSet | undefined> {
  const { rows } = await sql<RevertSet>`
    with steps as (select id from change_sets where id = ${id} or (of_set = ${id} and ${isStep}))
    select id, kind, created_at, array(select id from steps) as set_ids,
      (select min(id) from audit_entries where change_set_id in (select id from steps)) as first_entry
    from change_sets where id = ${id} ${by ? sql`and created_by = ${by}` : sql``}`.execute(db);
  return rows[0];
}

/** Returns the ids of at most `limit` rows of the sets that the reader may see, in the order of their first change. */
export async function listRevertIds(
  db: Db | Tx,
  { set_ids }: RevertSet,
  reader: Reader,
  { only, limit }: { only: readonly string[] | undefined; limit: number },
): Promise<string[]> {
  // Materialised, because with stale statistics PostgreSQL would search the list of all deleted rows.
  const { rows } = await sql<{ record_id: string }>`
    with of_set as materialized (
      select record_id, min(id) as first_entry from audit_entries
      where change_set_id = any(${set_ids}::uuid[]) ${only ? sql`and record_id = any(${only}::uuid[])` : sql``}
      group by record_id
    )
    select record_id from of_set join deals on deals.id = record_id
    where ${isReadable(reader)} order by first_entry limit ${limit}`.execute(db);
  return rows.map(({ record_id }) => record_id);
}

/** Returns the rows, including deleted ones, and whether the reader may see them. */
export const findRows = (db: Db | Tx, ids: readonly string[], reader: Reader) =>
  dealRows(db)
    .where(whereIds(ids))
    .select(sql<boolean>`${isReadable(reader)}`.as('is_readable'))
    .execute();

/** Returns the entries of these rows since the first one of the set, oldest first. */
export const listEntriesSince = (db: Db | Tx, { set_ids, first_entry }: RevertSet, ids: readonly string[]) =>
  db
    .selectFrom('audit_entries')
    .where(sql<boolean>`record_id = any(${ids}::uuid[])`)
    .where('entity', '=', 'deal')
    .where('id', '>=', first_entry)
    .orderBy('id')
    .select(['record_id', 'action', 'before', 'after', 'actor_name', 'created_at', 'version'])
    .select(sql<boolean>`coalesce(change_set_id = any(${set_ids}::uuid[]), false)`.as('is_of_set'))
    .execute();

export type EntrySince = Awaited<ReturnType<typeof listEntriesSince>>[number];

/** Returns the statuses with their former names. */
export async function listStatusNames(
  db: Db | Tx,
): Promise<{ id: string; name: string; former: string[] }[]> {
  const { rows } = await sql<{ id: string; name: string; former: string[] }>`
    select id, name, array(
      select before ->> 'name' from audit_entries
      where entity = 'status' and record_id = statuses.id and before ->> 'name' is not null) as former
    from statuses`.execute(db);
  return rows;
}

export const findPeople = (db: Db | Tx, ids: readonly string[]) =>
  db
    .selectFrom('users')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select(['id', 'name', 'is_active'])
    .execute();

/** Returns which of these dealerships or rows, also deleted ones, exist. */
export async function findExisting(
  db: Db | Tx,
  table: 'dealerships' | 'deals',
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Returns version and commission rate of rows, and the commission at another sale amount and rate. */
export async function listPriced(
  db: Tx,
  rows: readonly { id: string; saleAmount: number | null; commissionRate: number | null }[],
) {
  const { rows: priced } = await sql<{
    id: string;
    version: number;
    commission_rate: number | null;
    commission: number | null;
    next_commission: number | null;
  }>`
    select deals.id, version, commission_rate, commission,
      commission_of("saleAmount", "commissionRate") as next_commission
    from json_to_recordset(${JSON.stringify(rows)}::json) as next (id uuid, "saleAmount" numeric, "commissionRate" numeric)
      join deals using (id)`.execute(db);
  return new Map(priced.map((row) => [row.id, row]));
}
