import { recordKinds, type KindWith } from '@forecourt/contract/record-kinds';
import { sql } from 'kysely';
import { auditMany } from './audit.ts';
import { lockName, type Tx } from './db/database.ts';
import type { TxContext } from './http/context.ts';
import { invalidField } from './http/errors.ts';

/** Kinds with an order that users change. Their tables have id, version, updated_at and position. */
type Ordered = KindWith<'ordered'>;

const table = (kind: Ordered) => sql.table(recordKinds[kind].table);

/** Locks and reads the order. Writers of these records wait; rows that reference one can be written. */
export async function lockOrder(db: Tx, kind: Ordered): Promise<{ id: string; position: number }[]> {
  await lockName(db, `order:${kind}`);
  const { rows } = await sql<{ id: string; position: number }>`
    with locked as (select id, position from ${table(kind)} order by id for no key update)
    select id, position from locked order by position, id`.execute(db);
  return rows;
}

/**
 * Sets the order of all records of a kind. Records with a new position get a new version and an audit entry. Throws a
 * 400 unless `ids` contains each record once.
 */
export async function reorder(ctx: TxContext, kind: Ordered, ids: readonly string[]): Promise<void> {
  const before = await lockOrder(ctx.db, kind);
  const positions = new Map(before.map(({ id, position }) => [id, position]));
  const isWhole = ids.length === before.length && new Set(ids).size === ids.length;
  if (!isWhole || !ids.every((id) => positions.has(id))) {
    throw invalidField('ids', 'Must name each of them once; some were added or removed in the meantime');
  }
  // Uses the existing positions, so that records that did not move are unchanged.
  const moved = ids
    .map((id, at) => ({ id, from: positions.get(id)!, to: before[at]!.position }))
    .filter(({ from, to }) => from !== to);
  if (moved.length === 0) return;
  const { rows } = await sql<{ id: string; version: number }>`
    update ${table(kind)} as records
    set position = new_position.position, version = version + 1, updated_at = now()
    from unnest(
      ${moved.map(({ id }) => id)}::uuid[],
      ${moved.map(({ to }) => to)}::integer[]
    ) as new_position (id, position)
    where records.id = new_position.id
    returning records.id, records.version`.execute(ctx.db);
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  await auditMany(
    ctx,
    `${kind}.moved`,
    moved.map(({ id, from, to }) => ({
      recordId: id,
      version: versions.get(id)!,
      before: { order: from },
      after: { order: to },
    })),
  );
}
