import type { DealItem, NewDeal } from '@forecourt/contract/deals';
import { sql, type Compilable, type RawBuilder } from 'kysely';
import { auditChange, auditValues, type Actor, type AuditEntry } from '../../../platform/audit.ts';
import { where } from '../../../platform/conditions.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { createStatementBatcher } from '../../../platform/db/statement-batcher.ts';
import { accessFields } from '../../../platform/sharing/shares.queries.ts';
import {
  columnOf,
  columnsOf,
  storedFields,
  type DealColumns,
  type DealValues,
  type PlainField,
  type StoredField,
} from '../deals.fields.ts';
import { dealershipVisible, editable, mergeable, statusVisible } from '../deals.policy.ts';
import { dealRows, withinById, type DealRow, type InScope } from '../deals.queries.ts';
import { rateOf, type CommissionRates } from './deal-rates.queries.ts';

// Each statement writes many rows, each under its own conditions, and skips the rows for which one does not
// hold.

const nameOf = (field: StoredField) => sql.ref(columnOf(field).name);
/** Returns the column definition of a field in the table of input rows. */
const inputColumn = (field: StoredField) => sql`${sql.ref(field)} ${sql.raw(columnOf(field).type)}`;
const list = (parts: readonly RawBuilder<unknown>[]) => sql.join([...parts]);
const all = (conditions: readonly RawBuilder<unknown>[]) => sql.join([...conditions], sql` and `);

/** Returns the table of input rows, with these columns and with values of an audit entry. */
const input = (rows: string, columns: RawBuilder<unknown>) => sql`
  select * from json_to_recordset(${rows}::json) as input (
    id uuid, actor_id uuid, actor_name text, ip text, request_id text, action text, entity text, after jsonb, ${columns})`;

/** Inserts an audit entry for each row of `changed`, with values from `permitted`. */
const audited = (before: RawBuilder<unknown>, after: RawBuilder<unknown>) => sql`
  insert into audit_entries
    (actor_id, actor_name, ip, request_id, action, entity, before, after, record_id, version)
  select actor_id, actor_name, ip, request_id, action, entity, ${before}, ${after}, changed.id, changed.version
  from changed join permitted on permitted.id = changed.id`;

type Part = [name: string, part: RawBuilder<unknown>];

/**
 * Returns a statement of these parts that selects the rows of the part named `changed`, whole or only their
 * ids. The part named `deals` replaces the table in that select, since a statement does not see its own
 * changes in the table.
 */
function returning(db: Db | Tx, isWhole: boolean, parts: readonly Part[]): Compilable<DealRow> {
  const changed = [...parts, ['deals', sql`select * from changed`] satisfies Part].reduce(
    (query, [name, part]) => query.with(name, () => sql`(${part})` as never) as unknown as Db,
    db as Db,
  );
  return isWhole
    ? dealRows(changed)
    : (changed.selectFrom('deals').select('id') as unknown as Compilable<DealRow>);
}

type SettableColumn = keyof DealColumns;
const columnTypes = {
  ...Object.fromEntries(storedFields.map(columnOf).map(({ name, type }) => [name, type])),
  status_id: 'uuid',
  deleted_at: 'timestamptz',
  deleted_by: 'uuid',
} as Record<SettableColumn, string>;

type ChangeForm = {
  columns: readonly SettableColumn[];
  /** Fields whose version is set to that of the row. */
  fields: readonly string[];
  isWhole: boolean;
};

const changed = prepared(
  (
    db,
    { rows, scope }: { rows: string; scope: InScope | undefined },
    { columns, fields, isWhole }: ChangeForm,
  ) => {
    const objectOf = (valueOf: (field: string) => RawBuilder<unknown>) =>
      sql`jsonb_build_object(${list(fields.flatMap((field) => [sql.lit(field), valueOf(field)]))})`;
    const typed = columns.map((column) => sql`${sql.ref(column)} ${sql.raw(columnTypes[column])}`);
    const was = (field: string) => sql`deals.${nameOf(field as PlainField)}`;
    const viewer = {
      userId: sql.ref('input.userId'),
      role: sql.ref('input.role'),
      seen: sql.ref('input.seen'),
      movesTo: sql.ref('input.movesTo'),
    };
    const deal = {
      ...accessFields('deal'),
      created_by: sql.ref('deals.created_by'),
      version: sql.ref('deals.version'),
      month: sql.ref('deals.month'),
      fieldVersions: sql.ref('deals.field_versions'),
    };
    // A row that another transaction has locked is skipped, since it would block the whole batch.
    const permitted = scope
      ? sql`
        select input.*, ${objectOf(was)} as before
        from input join deals on deals.id = input.id
        where deals.deleted_at is null and ${withinById(scope)} and ${where(editable, viewer, deal)}
          and ${where(mergeable(fields), viewer, deal)}
          and ${all(columns.map((column) => sql`deals.${sql.ref(column)} is distinct from input.${sql.ref(column)}`))}
        for no key update of deals skip locked`
      : sql`select * from input`;
    const set = [
      ...columns.map((column) => sql`${sql.ref(column)} = permitted.${sql.ref(column)}`),
      sql`version = deals.version + 1`,
      sql`field_versions = deals.field_versions || ${objectOf(() => sql`deals.version + 1`)}`,
      sql`updated_at = now()`,
      sql`updated_by = coalesce(permitted.actor_id, deals.updated_by)`,
    ];
    const written = sql`
      update deals set ${list(set)}
      from permitted where deals.id = permitted.id ${scope ? sql`` : sql`and deals.version = permitted.seen`}
      returning deals.*`;
    const facts = scope ? sql`"userId" uuid, role text, "movesTo" text` : sql`before jsonb`;
    return returning(db, isWhole, [
      ['input', input(rows, list([sql`seen integer`, facts, ...typed]))],
      ['permitted', permitted],
      ['changed', written],
      ['audited', audited(sql`permitted.before`, sql`permitted.after`)],
    ]);
  },
);

/** A change of plain fields of one row. */
export type Update = {
  id: string;
  actor: Actor;
  userId: string;
  role: string;
  /** The version that the caller saw: none of the fields may have been changed after it. */
  seen: number;
  /** The month to which edits move rows: rows of earlier months are skipped. Null: edits move no rows. */
  movesTo: string | null;
  values: Pick<DealValues, PlainField>;
};

/**
 * Updates rows with all checks as conditions of one statement, at half the cost of reading them first. All
 * updates have the same fields. Returns each updated row; undefined if any condition does not hold and
 * nothing was changed.
 */
export async function attemptUpdates(
  db: Db | Tx,
  scope: InScope,
  updates: readonly Update[],
): Promise<(DealRow | undefined)[]> {
  const rows = updates.map(({ actor, values, ...update }) => {
    const entry = auditValues(actor, { action: 'deal.updated', entity: 'deal', after: values });
    return { ...entry, ...update, after: values, ...columnsOf(values) };
  });
  const fields = Object.keys(updates[0]!.values) as PlainField[];
  const form = { columns: fields.map((field) => columnOf(field).name), fields, isWhole: true };
  return inOrder(updates, await changed(db, { rows: JSON.stringify(rows), scope }, form));
}

/** An authorised change of a row that the caller read at a version. */
export type Change = {
  row: { id: string; version: number };
  columns: DealColumns;
  before: object | null;
  after: object | null;
};

/**
 * Updates rows that still have the version at which they were read, with an audit entry each. All changes
 * have the same columns. Returns the updated rows, whole or only their ids, without those that another
 * transaction changed first.
 * @param fields fields whose version is set to that of the row
 */
export async function changeDeals(
  db: Db | Tx,
  actor: Actor,
  action: 'deal.updated' | 'deal.deleted' | 'deal.restored',
  changes: readonly Change[],
  { fields = [], isWhole = false }: { fields?: readonly string[]; isWhole?: boolean } = {},
): Promise<DealRow[]> {
  if (changes.length === 0) return [];
  const rows = changes.map(({ row: { id, version: seen }, columns, before, after }) => {
    const entry = auditValues(actor, { action, entity: 'deal' });
    return { ...entry, id, seen, before, after, ...columns };
  });
  const columns = Object.keys(changes[0]!.columns) as SettableColumn[];
  return changed(db, { rows: JSON.stringify(rows), scope: undefined }, { columns, fields, isWhole });
}

/** Updates one such row. Returns the updated row; undefined if another transaction changed it first. */
export const changeDeal = async (
  db: Db | Tx,
  actor: Actor,
  change: Change,
  fields: readonly string[],
): Promise<DealRow | undefined> =>
  (await changeDeals(db, actor, 'deal.updated', [change], { fields, isWhole: true }))[0];

/** Replaces the items of a row. */
export async function replaceItems(db: Tx, dealId: string, items: readonly DealItem[]): Promise<void> {
  await db.deleteFrom('deal_items').where('deal_id', '=', dealId).execute();
  if (items.length === 0) return;
  const sold = items.map(({ itemId, name, quantity, unitPrice }, index) => ({
    deal_id: dealId,
    position: index + 1,
    item_id: itemId,
    name,
    quantity,
    unit_price: unitPrice,
  }));
  await db.insertInto('deal_items').values(sold).execute();
}

/**
 * Replaces the status of up to `atOnce` rows, with an audit entry each. Returns the number of updated rows.
 */
export async function replaceStatus(
  db: Tx,
  actor: Actor & { viewer: { userId: string } },
  from: string,
  to: string,
  entry: Omit<AuditEntry, 'recordId' | 'version'>,
  atOnce: number,
): Promise<number> {
  const { count } = await db
    .with('changed', (query) =>
      query
        .updateTable('deals')
        .set({
          status_id: to,
          version: sql`version + 1`,
          field_versions: sql`field_versions || jsonb_build_object('status', version + 1)`,
          updated_at: sql`now()`,
          updated_by: actor.viewer.userId,
        })
        .where('id', 'in', (eb) =>
          eb.selectFrom('deals').where('status_id', '=', from).orderBy('id').limit(atOnce).select('id'),
        )
        .returning(['id', 'version']),
    )
    .with('audited', auditChange(auditValues(actor, entry)))
    .selectFrom('changed')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The fields that a new row stores as they were sent. The dealership is looked up, and its rate is stored. */
type InputField = Exclude<StoredField, 'dealershipId' | 'commissionRate'>;
const inputFields = storedFields.filter(
  (field): field is InputField => field !== 'dealershipId' && field !== 'commissionRate',
);

/** The creator of rows, who becomes their owner, and their commission rates. */
export type Writer = { actor: Actor; ownerId: string; rates: CommissionRates };

export type NewRow = Pick<NewDeal, Exclude<InputField, 'month'>> & {
  id: string;
  month: string;
  dealershipId: string;
  /**
   * If set, dealership and status were read before. Otherwise they are looked up, the status by name in any
   * case.
   */
  statusId?: string;
  /** Undefined: the default status. */
  status: string | undefined;
  items?: readonly DealItem[] | undefined;
  /** The key that the creator's browser generated. */
  draftKey?: string;
  /** The values of the audit entry, without commission rate and commission. */
  after: object;
};

type Choice = Pick<InScope, 'exceptDealerships' | 'exceptStatuses'>;
type Form = { hasItems: boolean; isWhole: boolean };

const inserted = prepared(
  (
    db,
    { rows, writers, scope }: { rows: string; writers: string; scope: Choice },
    { hasItems, isWhole }: Form,
  ) => {
    const input = sql`
      select * from json_to_recordset(${rows}::json) as input (
        id uuid, position integer, writer integer, after jsonb, "dealershipId" uuid, "statusId" uuid, status text,
        "draftKey" uuid, items json, ${list(inputFields.map(inputColumn))})`;
    const writer = sql`
      select * from json_to_recordset(${writers}::json) as writers (
        number integer, "ownerId" uuid, actor_id uuid, actor_name text, ip text, request_id text, action text,
        entity text, "newSales" numeric, "usedSales" numeric, "defaultSales" numeric)`;
    const rate = rateOf({
      newSales: sql`"newSales"`,
      usedSales: sql`"usedSales"`,
      defaultSales: sql`"defaultSales"`,
    });
    const permitted = sql`
      select input.*, writers.*, coalesce("statusId", statuses.id) as status_id, statuses.name as status_name,
        ${rate} as rate
      from input
        join writers on writers.number = input.writer
        left join dealerships on dealerships.id = "dealershipId"
        left join statuses on case
          when "statusId" is not null then statuses.id = "statusId"
          when input.status is null then statuses.active and statuses.is_default
          else statuses.active and lower(statuses.name) = lower(input.status) end
      where "statusId" is not null or (dealerships.id is not null and statuses.id is not null
        and ${where(dealershipVisible, scope, { dealershipId: sql.ref('dealerships.id') })}
        and ${where(statusVisible, scope, { statusId: sql.ref('statuses.id') })})`;
    const values = inputFields.map((field) =>
      // Text columns are never null.
      columnOf(field).type === 'text' ? sql`coalesce(${sql.ref(field)}, '')` : sql.ref(field),
    );
    const changed = sql`
      insert into deals (id, owner_id, created_by, updated_by, dealership_id, status_id, draft_key, commission_rate,
        ${list(inputFields.map(nameOf))})
      select id, "ownerId", "ownerId", "ownerId", "dealershipId", status_id, "draftKey", rate, ${list(values)}
      from permitted
      returning *`;
    const sold = sql`
      insert into deal_items (deal_id, position, item_id, name, quantity, unit_price)
      select permitted.id, line.position, line.item_id, line.name, line.quantity, line.unit_price
      from permitted, rows from (json_to_recordset(items) as ("itemId" uuid, name text, quantity integer, "unitPrice" numeric))
        with ordinality as line (item_id, name, quantity, unit_price, position)
      returning *`;
    // The audit entry contains the stored name of the status, whatever the case of the input.
    const after = sql`permitted.after
      || case when permitted.after ? 'status' then jsonb_build_object('status', permitted.status_name) else '{}' end
      || jsonb_build_object('commissionRate', changed.commission_rate, 'commission', changed.commission)`;
    const parts: Part[] = [
      ['input', input],
      ['writers', writer],
      ['permitted', permitted],
      ['changed', changed],
      ['audited', sql`${audited(sql`null::jsonb`, after)} order by permitted.position`],
      ...(hasItems
        ? [['sold', sold] satisfies Part, ['deal_items', sql`select * from sold`] satisfies Part]
        : []),
    ];
    return returning(db, isWhole, parts);
  },
);

const insertRows = async (
  db: Db | Tx,
  { exceptDealerships, exceptStatuses }: Choice,
  writers: readonly Writer[],
  rows: readonly (NewRow & { writer: number })[],
  isWhole: boolean,
): Promise<(DealRow | undefined)[]> => {
  const values = {
    rows: JSON.stringify(rows.map((row, position) => ({ ...row, position }))),
    writers: JSON.stringify(
      writers.map(({ actor, ownerId, rates }, number) => ({
        ...auditValues(actor, { action: 'deal.created', entity: 'deal' }),
        number,
        ownerId,
        ...rates,
      })),
    ),
    scope: { exceptDealerships, exceptStatuses },
  };
  const hasItems = rows.some(({ items }) => items && items.length > 0);
  return inOrder(rows, await inserted(db, values, { hasItems, isWhole }));
};

/**
 * Inserts rows, each with its own writer, at the current rates of their dealerships. Returns each row;
 * undefined if the writer may not choose its dealership or status and nothing was inserted.
 */
export const attemptInserts = (
  db: Db | Tx,
  scope: Choice,
  inserts: readonly (NewRow & { by: Writer })[],
): Promise<(DealRow | undefined)[]> =>
  insertRows(
    db,
    scope,
    inserts.map(({ by }) => by),
    inserts.map(({ by: _by, ...row }, writer) => ({ ...row, writer })),
    true,
  );

/** For rows that were read before: neither dealership nor status is looked up. */
const EVERY_CHOICE: Choice = { exceptDealerships: [], exceptStatuses: [] };

/**
 * Inserts rows of one writer whose dealerships and statuses were read before. Returns whole rows if
 * `isWhole`, otherwise only their ids.
 */
export const insertDeals = async (
  db: Db | Tx,
  by: Writer,
  rows: readonly (NewRow & { statusId: string })[],
  isWhole: boolean,
): Promise<DealRow[]> =>
  (
    await insertRows(
      db,
      EVERY_CHOICE,
      [by],
      rows.map((row) => ({ ...row, writer: 0 })),
      isWhole,
    )
  ).filter((row) => row !== undefined);

function inOrder(batch: readonly { id: string }[], rows: readonly DealRow[]): (DealRow | undefined)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return batch.map(({ id }) => byId.get(id));
}

/** The unique constraint on writer and key. */
export const DRAFT_KEY = 'deals_draft_key';

/** Returns the row ids by key of those keys that rows of this writer have, including deleted rows. */
export async function idsByDraftKey(
  db: Tx,
  createdBy: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('deals')
    .where('created_by', '=', createdBy)
    .where(sql<boolean>`draft_key = any(${keys}::uuid[])`)
    .select(['id', sql<string>`replace(draft_key::text, '-', '')`.as('key')])
    .execute();
  return new Map(rows.map(({ id, key }) => [key, id]));
}

type AttemptMany<A> = (
  db: Db | Tx,
  scope: InScope,
  attempts: readonly A[],
) => Promise<(DealRow | undefined)[]>;
type BatchedAttempt<A> = { db: Db; scope: InScope; attempt: A };

/**
 * Returns a function that writes a row in one statement with all its conditions, batched with concurrent
 * writes of the same scope. The function returns undefined if a condition does not hold; the caller then
 * checks each of them and throws the error. In a transaction each row is written alone. Rows of one statement
 * have the same form, for example the same fields.
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
  return async (db, scope, attempt) =>
    db.isTransaction
      ? (await run(db, scope, [attempt]))[0]
      : batched(JSON.stringify([formOf(attempt), scope]), { db, scope, attempt });
}
