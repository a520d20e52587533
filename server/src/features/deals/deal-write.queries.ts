import type { Deal } from '@forecourt/contract/deals';
import {
  sql,
  type InsertQueryBuilder,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  type UpdateQueryBuilder,
} from 'kysely';
import {
  auditChange,
  auditValues,
  type Actor,
  type AuditEntry,
  type AuditKnown,
  type AuditValues,
} from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { DealsTable, Tables } from '../../platform/db/schema.generated.ts';
import { rateOf, type CommissionRates } from './deal-money.queries.ts';
import { dealRows, within, type DealRow, type InScope } from './deals.queries.ts';

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
function written(db: Db | Tx, entry: AuditValues, change: Change, known?: AuditKnown) {
  const changed = db
    .with('changed', () => change)
    .with('audited', auditChange(entry, known))
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

/** What a new row is given as it is, and the type of each. */
const GIVEN = {
  customer_name: 'text',
  customer_number: 'text',
  customer_email: 'text',
  deal_number: 'text',
  vehicle: 'text',
  delivery_date: 'date',
  sale_amount: 'numeric',
  cost_amount: 'numeric',
  notes: 'text',
  follow_up_at: 'timestamptz',
  month: 'text',
} as const satisfies Partial<Record<Column, string>>;
type Given = { [C in keyof typeof GIVEN]?: DealColumns[C] };

type NewAttempt = {
  id: string;
  ownerId: string;
  dealershipId: string;
  /** A status by its name, of any case; undefined: the one that new rows have. */
  status: string | undefined;
  rates: CommissionRates;
  scope: InScope;
  columns: Given;
  entry: AuditValues;
};

const attemptedInsert = prepared(
  (db, { id, ownerId, dealershipId, status, rates, scope, columns, entry }: NewAttempt) => {
    const given = Object.keys(columns) as (keyof Given)[];
    const uuid = (value: string) => sql<string>`${value}::uuid`;
    const change = db
      .insertInto('deals')
      .columns([
        'id',
        'owner_id',
        'created_by',
        'updated_by',
        'dealership_id',
        'status_id',
        'commission_rate',
        ...given,
      ])
      .expression((eb) =>
        eb
          .selectFrom(['dealerships', 'statuses'])
          .where('dealerships.id', '=', dealershipId)
          .where('statuses.active', '=', true)
          .where(
            status === undefined
              ? sql<SqlBool>`statuses.is_default`
              : sql<SqlBool>`lower(statuses.name) = lower(${status})`,
          )
          .where(sql<SqlBool>`dealerships.id <> all(${scope.exceptDealerships}::uuid[])`)
          .where(sql<SqlBool>`statuses.id <> all(${scope.exceptStatuses}::uuid[])`)
          .select([
            uuid(id).as('id'),
            uuid(ownerId).as('owner_id'),
            uuid(ownerId).as('created_by'),
            uuid(ownerId).as('updated_by'),
            'dealerships.id as dealership_id',
            'statuses.id as status_id',
            rateOf(rates).as('commission_rate'),
            ...given.map((column) => sql`${columns[column]}::${sql.raw(GIVEN[column])}`.as(column)),
          ]),
      )
      .returningAll();
    const after = sql`${entry.after}::jsonb || jsonb_build_object(
      'commissionRate', changed.commission_rate, 'commission', changed.commission)`;
    return written(db, entry, change as never, { after });
  },
);

/**
 * Adds a row at the rate that its dealership earns now, with its audit entry and the answer in one statement. Answers
 * the row; undefined where its dealership or status is none that the viewer may choose, and nothing was added.
 */
export const attemptInsert = async (
  db: Db | Tx,
  actor: Actor,
  { after, ...attempt }: Omit<NewAttempt, 'entry'> & { after: object },
): Promise<DealRow | undefined> => {
  const entry = auditValues(actor, { action: 'deal.created', entity: 'deal', after });
  return (await attemptedInsert(db, { ...attempt, entry }))[0];
};

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

/** Fields that nothing else follows from: each is a column of its own, and its value is the column's. */
const PLAIN = {
  customerName: 'customer_name',
  customerNumber: 'customer_number',
  customerEmail: 'customer_email',
  dealNumber: 'deal_number',
  vehicle: 'vehicle',
  deliveryDate: 'delivery_date',
  costAmount: 'cost_amount',
  notes: 'notes',
} as const satisfies Partial<Record<keyof Deal, Column>>;
export type PlainField = keyof typeof PLAIN;
export const isPlain = (field: string): field is PlainField => Object.hasOwn(PLAIN, field);

type Attempt = {
  id: string;
  /** The version that the caller has seen. */
  seen: number;
  scope: InScope;
  /** Who may change it as its creator, its owner or with a share; null: everybody who sees it. */
  holderId: string | null;
  /** Rows of earlier ones are left out: they move. Null: none does. */
  fromMonth: string | null;
  values: Partial<Record<PlainField, string | number | null | undefined>>;
};
type Attempted = Omit<Attempt, 'values'> & { columns: DealColumns; entry: AuditValues };

const attempted = prepared(
  (db, { id, seen, scope, holderId, fromMonth, columns, entry }: Attempted, fields: PlainField[]) => {
    const objectOf = (valueOf: (field: PlainField) => RawBuilder<unknown>) =>
      sql`jsonb_build_object(${sql.join(fields.flatMap((field) => [sql.lit(field), valueOf(field)]))})`;
    const changed = db
      .with('old', (query) =>
        query
          .selectFrom('deals')
          .selectAll()
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .where('version', '>=', seen)
          .where((eb) => within(eb, scope))
          .$if(fromMonth !== null, (query) => query.where('month', '>=', fromMonth!))
          .$if(holderId !== null, (query) => query.where(isHeldToEdit(holderId!)))
          .where((eb) =>
            eb.and(
              fields.map(
                (field) =>
                  sql<SqlBool>`coalesce((field_versions ->> ${sql.lit(field)})::integer, 1) <= ${seen}`,
              ),
            ),
          ),
      )
      .with('changed', (query) =>
        query
          .updateTable('deals')
          .from('old')
          .set({
            ...columns,
            version: sql`old.version + 1`,
            field_versions: sql`old.field_versions || ${objectOf(() => sql`old.version + 1`)}`,
            updated_at: sql`now()`,
            updated_by: entry.actor_id,
          } as never)
          .whereRef('deals.id', '=', 'old.id')
          // Somebody who was faster changed it after `old` was read.
          .whereRef('deals.version', '=', 'old.version')
          .where((eb) =>
            eb.and(
              fields.map((field) =>
                eb(`old.${PLAIN[field]}`, 'is distinct from', columns[PLAIN[field]] as never),
              ),
            ),
          )
          .returningAll('deals'),
      )
      .with(
        'audited',
        auditChange(entry, {
          before: sql`(select ${objectOf((field) => sql.ref(`old.${PLAIN[field]}`))} from old)`,
        }),
      )
      .with('deals', (query) => query.selectFrom('changed').selectAll());
    return dealRows(changed as unknown as Db);
  },
);

/** The same as `canEdit` in deals.policy.ts, for who is no administrator. */
const isHeldToEdit = (viewerId: string) =>
  sql<SqlBool>`(deals.created_by = ${viewerId} or deals.owner_id = ${viewerId} or exists (
    select from shares where shares.entity = 'deal' and shares.record_id = deals.id
      and shares.user_id = ${viewerId} and shares.level in ('edit', 'full')))`;

/**
 * Changes plain fields of a row in one statement, with all that a change looks at as its conditions: half of what it
 * takes to read the row first. Answers the row as it is then; undefined where a condition does not hold, whichever it
 * is, and nothing was changed.
 */
export async function attemptUpdate(
  db: Db | Tx,
  actor: Actor,
  { values, ...attempt }: Attempt,
): Promise<DealRow | undefined> {
  const fields = Object.keys(values) as PlainField[];
  const columns = Object.fromEntries(fields.map((field) => [PLAIN[field], values[field]]));
  const entry = auditValues(actor, { action: 'deal.updated', entity: 'deal', after: values });
  return (await attempted(db, { ...attempt, columns, entry }, fields))[0];
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
