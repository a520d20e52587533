import { sql, type Compilable, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { createStatementBatcher } from '../../../platform/db/statement-batcher.ts';
import { isDeadlock } from '../../../platform/http/context.ts';
import { columnOf, type StoredField } from '../deals.fields.ts';
import { dealRows, type DealRow, type InScope } from '../deals.queries.ts';

// Each statement writes many rows, each under its own conditions, and skips the rows for which one does not
// hold.

export const nameOf = (field: StoredField) => sql.ref(columnOf(field).name);
export const list = (parts: readonly RawBuilder<unknown>[]) => sql.join([...parts]);
/** Inserts an audit entry for each row of `changed`, with values from `permitted` or from this table. */
export const audited = (
  before: RawBuilder<unknown>,
  after: RawBuilder<unknown>,
  values = sql`permitted on permitted.id = changed.id`,
) => sql`
  insert into audit_entries
    (actor_id, actor_name, ip, request_id, action, entity, before, after, record_id, version)
  select actor_id, actor_name, ip, request_id, action, entity, ${before}, ${after}, changed.id, changed.version
  from changed join ${values}`;

export type Part = [name: string, part: RawBuilder<unknown>];

/**
 * Returns a statement of these parts that selects the rows of the part named `changed`, whole or only their
 * ids. The part named `deals` replaces the table in that select, since a statement does not see its own
 * changes in the table.
 */
export function returning(db: Db | Tx, isWhole: boolean, parts: readonly Part[]): Compilable<DealRow> {
  const changed = [...parts, ['deals', sql`select * from changed`] satisfies Part].reduce(
    (query, [name, part]) => query.with(name, () => sql`(${part})` as never) as unknown as Db,
    db as Db,
  );
  return isWhole
    ? dealRows(changed)
    : (changed.selectFrom('deals').select('id') as unknown as Compilable<DealRow>);
}

/** Returns the rows in the order of their batch; undefined for rows that were not written. */
export function inOrder(batch: readonly { id: string }[], rows: readonly DealRow[]): (DealRow | undefined)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return batch.map(({ id }) => byId.get(id));
}

type AttemptMany<A> = (
  db: Db | Tx,
  scope: InScope,
  attempts: readonly A[],
) => Promise<(DealRow | undefined)[]>;
type BatchedAttempt<A> = { db: Db | Tx; scope: InScope; attempt: A };

/**
 * Returns a function that writes a row in one statement with all its conditions, batched with concurrent
 * writes of the same scope. The function returns undefined if a condition does not hold or after a deadlock;
 * the caller then checks each condition and throws the error. Rows of one statement have the same form, for
 * example the same fields.
 */
export function createFastWriter<A extends { id: string }>(
  run: AttemptMany<A>,
  formOf: (attempt: A) => unknown = () => null,
): (db: Db | Tx, scope: InScope, attempt: A) => Promise<DealRow | undefined> {
  const batched = createStatementBatcher<BatchedAttempt<A>, DealRow | undefined>(
    (batch) =>
      run(
        batch[0]!.db,
        batch[0]!.scope,
        batch.map(({ attempt }) => attempt),
      ),
    { recordOf: ({ attempt }) => attempt.id },
  );
  return async (db, scope, attempt) => {
    try {
      return await batched(JSON.stringify([formOf(attempt), scope]), { db, scope, attempt });
    } catch (error) {
      if (isDeadlock(error)) return undefined;
      throw error;
    }
  };
}
