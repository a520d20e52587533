import { sql, type InsertQueryBuilder, type Selectable, type UpdateQueryBuilder } from 'kysely';
import {
  auditChange,
  auditValues,
  type Actor,
  type AuditEntry,
  type AuditValues,
} from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { DealsTable, Tables } from '../../platform/db/schema.generated.ts';
import { dealRows, type DealRow } from './deals.queries.ts';

type Column = Exclude<keyof DealsTable, 'id' | 'version' | 'field_versions' | 'commission' | 'search_text'>;
/** Columns to write; the service names fields, this file columns. */
export type DealColumns = Partial<Record<Column, string | number | null>>;

export type Recorded = Omit<AuditEntry, 'recordId' | 'version'>;

type DealsRow = Selectable<DealsTable>;
type Change =
  | InsertQueryBuilder<Tables, 'deals', DealsRow>
  | UpdateQueryBuilder<Tables, 'deals', 'deals', DealsRow>;

/**
 * A change of one row in one statement: the row, its audit entry, and the answer. The part named `deals` stands for the
 * table in what is read behind it, since a statement sees none of its own changes there.
 */
function written(db: Db | Tx, entry: AuditValues, change: Change) {
  const changed = db
    .with('changed', () => change)
    .with('audited', auditChange(entry))
    .with('deals', (query) => query.selectFrom('changed').selectAll());
  return dealRows(changed as unknown as Db);
}

type NewRow = { columns: DealColumns & { id: string }; entry: AuditValues };

const inserted = prepared((db, { columns, entry }: NewRow) =>
  written(
    db,
    entry,
    db
      .insertInto('deals')
      .values(columns as never)
      .returningAll(),
  ),
);

/** Adds a row together with its audit entry. Answers the row. */
export const insertDeal = async (
  db: Db | Tx,
  actor: Actor,
  id: string,
  columns: DealColumns,
  entry: Recorded,
): Promise<DealRow> =>
  (await inserted(db, { columns: { ...columns, id }, entry: auditValues(actor, entry) }))[0]!;

type ChangedRow = {
  row: { id: string; version: number };
  columns: DealColumns;
  /** By field the version that changes it, as JSON. */
  versions: string;
  entry: AuditValues;
};

const updated = prepared((db, { row, columns, versions, entry }: ChangedRow) =>
  written(
    db,
    entry,
    db
      .updateTable('deals')
      .set({
        ...columns,
        version: sql`version + 1`,
        field_versions: sql`field_versions || ${versions}::jsonb`,
        updated_at: sql`now()`,
        ...(entry.actor_id !== null && { updated_by: entry.actor_id }),
      } as never)
      .where('id', '=', row.id)
      .where('version', '=', row.version)
      .where('deleted_at', 'is', null)
      .returningAll(),
  ),
);

/**
 * Changes a row that still has the given version, together with its audit entry, in one statement. Answers the row as
 * it is then; undefined when somebody else was first.
 */
export async function updateDeal(
  db: Db | Tx,
  actor: Actor,
  { id, version }: { id: string; version: number },
  columns: DealColumns,
  changedFields: readonly string[],
  entry: Recorded,
): Promise<DealRow | undefined> {
  const versions = JSON.stringify(Object.fromEntries(changedFields.map((field) => [field, version + 1])));
  const rows = await updated(db, {
    row: { id, version },
    columns,
    versions,
    entry: auditValues(actor, entry),
  });
  return rows[0];
}

/** Changes rows that the caller has locked, all in the same way. Answers their new versions by id. */
export async function updateDeals(
  db: Tx,
  by: string,
  ids: readonly string[],
  columns: DealColumns,
  changedFields: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .updateTable('deals')
    .set({
      ...columns,
      version: sql`version + 1`,
      field_versions: sql`field_versions || (
        select coalesce(jsonb_object_agg(field, version + 1), '{}')
        from unnest(${changedFields}::text[]) as changed (field))`,
      updated_at: sql`now()`,
      updated_by: by,
    } as never)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .returning(['id', 'version'])
    .execute();
  return new Map(rows.map(({ id, version }) => [id, version]));
}
