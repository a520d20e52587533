import { sql, type Compilable, type RawBuilder } from 'kysely';
import { putChangeSets, type Actor } from '../../../platform/audit.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { createStatementBatcher } from '../../../platform/db/statement-batcher.ts';
import { isMonthClosed } from '../../../platform/http/closed-months.ts';
import { isDeadlock } from '../../../platform/http/context.ts';
import { columnOf, STORED, type StoredField } from '../deals.fields.ts';
import { dealRows, nameOfReference, type DealRow, type InScope } from '../deals.queries.ts';

// The common parts of statements for new and for changed rows. A statement writes many rows, each under its own
// conditions, and skips rows for which one is not met.

/** Foreign keys of a deal's dealership, status and items. */
export const DEALERSHIP_KEY = 'deals_dealership_id_fkey';
export const STATUS_KEY = 'deals_status_id_fkey';
export const ITEM_KEY = 'deal_items_item_id_fkey';

export const nameOf = (field: StoredField) => sql.ref(columnOf(field).name);
export const list = (parts: readonly RawBuilder<unknown>[]) => sql.join([...parts]);

/** SQL types by column. */
export type InputColumns = Readonly<Record<string, string>>;
export const columnList = (columns: InputColumns) =>
  list(Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`));

export type Part = [name: string, part: RawBuilder<unknown>];

/**
 * The time of closing of a row that gets this status; null if the status is not closed. Each statement that writes
 * `status_id` also writes `closed_at`, from the stored value or null.
 */
export const closedAt = (statusId: RawBuilder<unknown>, stored: RawBuilder<unknown>) =>
  sql`case when (select is_closed from statuses where id = ${statusId}) then coalesce(${stored}, now()) end`;

/** Columns of an audit entry and its change set, except those of its record; see `auditValues`. */
export const ENTRY: InputColumns = {
  actor_id: 'uuid',
  actor_name: 'text',
  ip: 'text',
  request_id: 'text',
  action: 'text',
  entity: 'text',
  change_set_id: 'uuid',
  change_set_kind: 'text',
  change_set_of: 'uuid',
};

type Entries = {
  before: RawBuilder<unknown>;
  after: RawBuilder<unknown>;
  values?: RawBuilder<unknown>;
  order?: RawBuilder<unknown>;
};

/** Returns the parts that insert an audit entry, with values from `permitted` or this table, per changed row. */
export function audited({
  before,
  after,
  values = sql`permitted on permitted.id = changed.id`,
  order = sql``,
}: Entries): Part[] {
  const entries = sql`
    insert into audit_entries
      (actor_id, actor_name, ip, request_id, action, entity, change_set_id, before, after, record_id, version)
    select actor_id, actor_name, ip, request_id, action, entity, change_set_id, ${before}, ${after}, changed.id,
      changed.version
    from changed join ${values} ${order}`;
  return [
    ['audited', entries],
    ['put_change_sets', putChangeSets(sql`changed join ${values}`)],
  ];
}

/**
 * The result of a statement per row: its id, the whole row, or its columns and names with whether it has items, shares
 * or messages. Most changed rows have none, and the lookups take half as long as the rest of the statement.
 */
type Returned = 'ids' | 'whole' | 'named';

const hasParts = sql<boolean>`(
  exists (select from deal_items where deal_items.deal_id = deals.id)
  or exists (select from shares where shares.entity = 'deal' and shares.record_id = deals.id)
  or exists (select from email_deals where email_deals.deal_id = deals.id))`.as('has_parts');

/** Selects rows with their names, without items, shares and messages. */
const namedRows = (db: Db) =>
  db
    .selectFrom('deals')
    .select(STORED)
    .select([
      nameOfReference('statuses', 'deals.status_id').as('status'),
      nameOfReference('dealerships', 'deals.dealership_id').as('dealership_name'),
      nameOfReference('users', 'deals.owner_id').as('owner_name'),
      nameOfReference('users', 'deals.updated_by').as('updated_by_name'),
      hasParts,
    ]);
export type NamedRow = Awaited<ReturnType<ReturnType<typeof namedRows>['execute']>>[number];

/**
 * Returns a statement with these parts that selects the rows of `changed`. The part named `deals` replaces the table,
 * because a statement does not see its own changes there.
 */
export function returning(db: Db | Tx, returned: Returned, parts: readonly Part[]): Compilable<DealRow> {
  const changed = [...parts, ['deals', sql`select * from changed`] satisfies Part].reduce(
    (query, [name, part]) => query.with(name, () => sql`(${part})` as never) as unknown as Db,
    db as Db,
  );
  if (returned === 'whole') return dealRows(changed);
  const few = returned === 'named' ? namedRows(changed) : changed.selectFrom('deals').select('id');
  return few as unknown as Compilable<DealRow>;
}

/** Returns the rows in the order of their batch; undefined for rows that were not written. */
export function inOrder<R extends { id: string }>(
  batch: readonly { id: string }[],
  rows: readonly R[],
): (R | undefined)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return batch.map(({ id }) => byId.get(id));
}

/**
 * Returns the named change set for the form of a fast write. Another call of the set may be in an open transaction, for
 * which the statement then waits.
 */
export const namedSetOf = ({ viewer, origin: { changeSet } }: Actor): unknown =>
  changeSet?.isNamed ? [viewer?.userId, changeSet.kind, changeSet.key] : null;

type AttemptMany<A, R> = (db: Db | Tx, scope: InScope, attempts: readonly A[]) => Promise<(R | undefined)[]>;
type BatchedAttempt<A> = { db: Db | Tx; scope: InScope; attempt: A };

/**
 * Returns a function that writes a row in one statement with all its conditions, batched with concurrent writes of the
 * same scope. It returns undefined if a condition was not met, after a deadlock or for a closed month; the caller then checks each
 * condition and throws the error. Rows of one statement have the same form, for example the same fields.
 */
export function createFastWriter<A extends { id: string }, R>(
  run: AttemptMany<A, R>,
  formOf: (attempt: A) => unknown,
): (db: Db | Tx, scope: InScope, attempt: A) => Promise<R | undefined> {
  const batched = createStatementBatcher<BatchedAttempt<A>, R | undefined>(
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
      if (isDeadlock(error) || isMonthClosed(error)) return undefined;
      throw error;
    }
  };
}
