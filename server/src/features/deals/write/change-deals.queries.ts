import { isCustomKey } from '@forecourt/contract/custom-field-types';
import type { DealItem } from '@forecourt/contract/deals';
import type { FieldConflict } from '@forecourt/contract/errors';
import { sql, type RawBuilder } from 'kysely';
import { auditValues, type Actor } from '../../../platform/audit.ts';
import { where } from '../../../platform/conditions.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { isKeyNew, KEY_COLUMNS, keysOf, type KeyValues } from '../../../platform/http/idempotency.ts';
import { accessFields } from '../../../platform/sharing/shares.queries.ts';
import {
  columnOf,
  columnsOf,
  flat,
  storedFields,
  type DealColumns,
  type DealValues,
  type PlainField,
} from '../deals.fields.ts';
import { editable, mergeable, statusVisible, staysInMonth } from '../deals.policy.ts';
import {
  findDeals,
  isStatusNamed,
  whereVisibleById,
  type DealRow,
  type InScope,
  type ListedRow,
} from '../deals.queries.ts';
import {
  audited,
  closedAt,
  columnList,
  ENTRY,
  inOrder,
  list,
  nameOf,
  returning,
  type InputColumns,
  type NamedRow,
  type Part,
} from './write-statements.queries.ts';

const all = (conditions: readonly RawBuilder<unknown>[]) => sql.join([...conditions], sql` and `);

/** The additional inputs of an attempt, compared with a change that was checked before. */
const ATTEMPT = { userId: 'uuid', role: 'text', movesTo: 'text', ...KEY_COLUMNS };

type SameValues = { ids: readonly string[]; seen: readonly (number | null)[] };

/** Input rows as JSON, one row as values (which plans and runs faster), or one row as JSON that all rows share. */
type InputRows = { rows: string } | { only: Record<string, unknown> } | { rows: string; same: SameValues };

/** Returns the table of input rows, with these columns and the values of an audit entry. */
function inputOf(inputRows: InputRows, columns: InputColumns) {
  if ('same' in inputRows) {
    return sql`
      select row.*, shared.*
      from unnest(${inputRows.same.ids}::uuid[], ${inputRows.same.seen}::integer[]) as row (id, seen),
        json_to_record(${inputRows.rows}::json) as shared (${columnList({ ...ENTRY, after: 'jsonb', ...columns })})`;
  }
  const all = { id: 'uuid', seen: 'integer', ...ENTRY, after: 'jsonb', ...columns };
  if ('rows' in inputRows) {
    return sql`select * from json_to_recordset(${inputRows.rows}::json) as input (${columnList(all)})`;
  }
  return sql`select ${list(
    Object.entries(all).map(
      ([name, type]) => sql`${inputRows.only[name] ?? null}::${sql.raw(type)} as ${sql.ref(name)}`,
    ),
  )}`;
}

type SettableColumn = keyof DealColumns;
const columnTypes = {
  ...Object.fromEntries(storedFields.map(columnOf).map(({ name, type }) => [name, type])),
  status_id: 'uuid',
  owner_id: 'uuid',
  deleted_at: 'timestamptz',
  deleted_by: 'uuid',
} as Record<SettableColumn, string>;

type ChangeForm = {
  columns: readonly SettableColumn[];
  /** Fields whose version becomes that of the row. */
  fields: readonly string[];
  returned: 'ids' | 'whole' | 'named';
  /** For attempts: merges or skips a row with another version than the caller saw. */
  ifChanged?: 'merge' | 'skip';
};

const changed = prepared(
  (
    db,
    { input: inputRows, scope }: { input: InputRows; scope: InScope | undefined },
    { columns, fields, returned, ifChanged = 'merge' }: ChangeForm,
  ) => {
    const objectOf = (valueOf: (field: string) => RawBuilder<unknown>) =>
      sql`jsonb_build_object(${list(fields.flatMap((field) => [sql.lit(field), valueOf(field)]))})`;
    // An attempt has the name of the status; a checked change has its id.
    const named = scope && columns.includes('status_id') ? scope : undefined;
    const same = 'same' in inputRows;
    const typed = Object.fromEntries(
      columns.map((column) =>
        named && column === 'status_id' ? ['status', 'text'] : [column, columnTypes[column]],
      ),
    );
    const was = (field: string) => {
      if (field === 'status') return sql`(select name from statuses where statuses.id = deals.status_id)`;
      return isCustomKey(field)
        ? sql`deals.custom -> ${sql.lit(field)}`
        : sql`deals.${nameOf(field as PlainField)}`;
    };
    // Sets these values of custom fields and preserves the others; null removes one.
    const stored = (column: SettableColumn, input: RawBuilder<unknown>) =>
      column === 'custom' ? sql`jsonb_strip_nulls(deals.custom || ${input})` : input;
    const target = (column: SettableColumn) =>
      named && column === 'status_id' ? sql`statuses.id` : stored(column, sql`input.${sql.ref(column)}`);
    const chosen = named
      ? sql`join statuses on ${isStatusNamed(sql.ref('input.status'))}
          and ${where(statusVisible, named, { statusId: sql.ref('statuses.id') })}`
      : sql``;
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
    // The audit entry contains the stored name of the status, not its spelling in the input.
    const recorded = named
      ? sql`input.after || jsonb_build_object('status', statuses.name)`
      : sql`input.after`;
    // A row that another transaction has locked is skipped, otherwise it would block the whole batch.
    const permitted = scope
      ? sql`
        select input.*, ${objectOf(was)} as before, ${recorded} as recorded ${named ? sql`, statuses.id as status_id` : sql``}
        from input join deals on deals.id = input.id ${chosen}
        where deals.deleted_at is null and ${whereVisibleById(scope)} and ${where(editable, viewer, deal)}
          and ${
            ifChanged === 'merge'
              ? where(mergeable(fields), viewer, deal)
              : sql`coalesce(input.seen, deals.version) = deals.version and ${where(staysInMonth, viewer, deal)}`
          }
          and ${all(columns.map((column) => sql`deals.${sql.ref(column)} is distinct from ${target(column)}`))}
        for no key update of deals skip locked`
      : sql`select input.*, after as recorded from input`;
    const set = [
      ...columns.map(
        (column) => sql`${sql.ref(column)} = ${stored(column, sql`permitted.${sql.ref(column)}`)}`,
      ),
      ...(columns.includes('status_id')
        ? [sql`closed_at = ${closedAt(sql`permitted.status_id`, sql`deals.closed_at`)}`]
        : []),
      sql`version = deals.version + 1`,
      sql`field_versions = deals.field_versions || ${objectOf(() => sql`deals.version + 1`)}`,
      sql`updated_at = now()`,
      sql`updated_by = coalesce(permitted.actor_id, deals.updated_by)`,
    ];
    const written = sql`
      update deals set ${list(set)}
      from permitted where deals.id = permitted.id and ${scope ? isKeyNew : sql`deals.version = permitted.seen`}
      returning deals.* ${same ? sql`, permitted.before, permitted.recorded` : sql``}`;
    return returning(db, returned, [
      ['input', inputOf(inputRows, { ...(scope ? ATTEMPT : { before: 'jsonb' }), ...typed })],
      ['permitted', permitted],
      ...(scope ? [['keys', keysOf] satisfies Part] : []),
      ['changed', written],
      // By id, because PostgreSQL expects one permitted row and would compare each changed row with all of them.
      ...(same
        ? audited({
            before: sql`changed.before`,
            after: sql`changed.recorded`,
            values: sql`(select * from input limit 1) as entry on true`,
          })
        : audited({ before: sql`permitted.before`, after: sql`permitted.recorded` })),
    ]);
  },
);

/** A change of plain fields, the status or a custom field of one row. */
export type Update = {
  id: string;
  actor: Actor;
  userId: string;
  role: string;
  /** The version that the caller saw. The row is skipped if a field was changed since. */
  seen: number;
  /** The month to which edits move rows of earlier months, which are then skipped; null if edits move no rows. */
  movesTo: string | null;
  values: Pick<DealValues, PlainField | 'status' | 'custom'>;
  /** The key of the request. A row whose key exists is skipped. */
  claim?: KeyValues | null;
};

/**
 * Updates rows in one statement with all checks as conditions, at half the cost of reading them first. All updates have
 * the same fields. Returns each updated row; undefined if a condition was not met and nothing was changed.
 */
export async function attemptUpdates(
  db: Db | Tx,
  scope: InScope,
  updates: readonly Update[],
): Promise<(ListedRow | undefined)[]> {
  const rows = updates.map(attempted);
  const [first] = rows;
  const inputRows =
    rows.length === 1
      ? { only: { ...first, after: JSON.stringify(first!.after), custom: JSON.stringify(first!.custom) } }
      : { rows: JSON.stringify(rows) };
  const form = { ...formOf(updates[0]!.values), returned: 'named' } as const;
  const written = await changed(db, { input: inputRows, scope }, form);
  return inOrder(updates, await withParts(db, scope, written as { id: string }[] as NamedRow[]));
}

/** A row without items, shares and messages. */
const NO_PARTS = {
  items: [],
  shares: [],
  email_status: null,
  last_emailed_at: null,
  is_changed_since_sent: false,
};

/** Returns these rows, after reading those with items, shares or messages, and without rows that became invisible. */
async function withParts(db: Db | Tx, scope: InScope, rows: readonly NamedRow[]): Promise<ListedRow[]> {
  const ids = rows.flatMap(({ id, has_parts }) => (has_parts ? id : []));
  const plain = rows.flatMap((row) => (row.has_parts ? [] : { ...row, ...NO_PARTS }));
  return ids.length === 0 ? plain : [...plain, ...(await findDeals(db, scope, ids))];
}

type AttemptValues = Pick<DealValues, PlainField | 'status' | 'month' | 'custom'>;

const attempted = ({
  actor,
  values,
  claim,
  ...update
}: Omit<Update, 'id' | 'seen'> & { values: AttemptValues }) => ({
  ...auditValues(actor, { action: 'deal.updated' }),
  ...update,
  ...claim,
  after: flat(values),
  status: values.status,
  ...columnsOf(values),
});

const formOf = (values: AttemptValues) => {
  const columns = (Object.keys(values) as (keyof AttemptValues)[]).map((field) =>
    field === 'status' ? 'status_id' : columnOf(field).name,
  );
  return { columns, fields: Object.keys(flat(values)) };
};

/**
 * Sets the same values on rows, with the conditions of `attemptUpdates`. Returns the updated rows, without those for
 * which a condition was not met.
 * @param seen the required version of each row by id; undefined for any
 */
export const attemptSameUpdate = (
  db: Tx,
  scope: InScope,
  ids: readonly string[],
  {
    seen,
    ...update
  }: Omit<Update, 'id' | 'seen' | 'claim' | 'values'> & {
    seen: Readonly<Record<string, number>> | undefined;
    values: AttemptValues;
  },
): Promise<DealRow[]> => {
  const each = [...new Set(ids)].filter((id) => !seen || seen[id] !== undefined);
  const same = { ids: each, seen: each.map((id) => seen?.[id] ?? null) };
  const form = { ...formOf(update.values), returned: 'whole', ifChanged: 'skip' } as const;
  return changed(db, { input: { rows: JSON.stringify(attempted(update)), same }, scope }, form);
};

/** An authorised change of a row that the caller has read at a version. */
export type Change = {
  row: { id: string; version: number };
  columns: DealColumns;
  before: object | null;
  after: object | null;
};

/**
 * Updates rows that still have the version at which they were read, each with an audit entry. All changes have the same
 * columns. Returns the updated rows or only their ids, without rows that another transaction has changed.
 * @param fields fields whose version becomes that of the row
 */
export async function changeDeals(
  db: Db | Tx,
  actor: Actor,
  action: `deal.${'updated' | 'transferred' | 'deleted' | 'restored' | 'merged' | 'separated'}`,
  changes: readonly Change[],
  { fields = [], isWhole = false }: { fields?: readonly string[]; isWhole?: boolean } = {},
): Promise<DealRow[]> {
  if (changes.length === 0) return [];
  const rows = changes.map(({ row: { id, version: seen }, columns, before, after }) => {
    const entry = auditValues(actor, { action });
    return { ...entry, id, seen, before, after, ...columns };
  });
  const columns = Object.keys(changes[0]!.columns) as SettableColumn[];
  const form = { columns, fields, returned: isWhole ? 'whole' : 'ids' } as const;
  return changed(db, { input: { rows: JSON.stringify(rows) }, scope: undefined }, form);
}

/**
 * Replaces the status `from` in up to `limit` rows with a higher id than `after`, also deleted ones. Returns the id of
 * the last updated row; undefined if there was none.
 */
export async function replaceStatus(
  db: Tx,
  actor: Actor,
  from: { id: string; name: string },
  to: { id: string; name: string },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<string | undefined> {
  const found = await db
    .selectFrom('deals')
    .where('status_id', '=', from.id)
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .select(['id', 'version'])
    .execute();
  const rows = JSON.stringify({
    ...auditValues(actor, { action: 'deal.updated' }),
    // The status is still found by its name, which is impossible after its deletion.
    before: { status: from.name, statusId: from.id },
    after: { status: to.name },
    status_id: to.id,
  });
  const same = { ids: found.map(({ id }) => id), seen: found.map(({ version }) => version) };
  const form = { columns: ['status_id'], fields: ['status'], returned: 'ids' } as const;
  await changed(db, { input: { rows, same }, scope: undefined }, form);
  return found.at(-1)?.id;
}

/** Replaces the items of rows. */
export async function replaceItems(
  db: Tx,
  rows: readonly { id: string; items: readonly DealItem[] }[],
): Promise<void> {
  await sql`delete from deal_items where deal_id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(db);
  const sold = rows.flatMap(({ id, items }) =>
    items.map((item, index) => ({ ...item, dealId: id, position: index + 1 })),
  );
  if (sold.length === 0) return;
  await sql`
    insert into deal_items (deal_id, position, item_id, name, quantity, unit_price)
    select "dealId", position, "itemId", name, quantity, "unitPrice"
    from json_to_recordset(${JSON.stringify(sold)}::json) as sold (
      "dealId" uuid, position integer, "itemId" uuid, name text, quantity integer, "unitPrice" numeric)`.execute(
    db,
  );
}

/**
 * Returns who last changed each of these fields and when, from the audit entry of that version. Only a conflict needs
 * it, so a change does not store it.
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
