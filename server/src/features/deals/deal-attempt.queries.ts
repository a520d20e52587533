import type { Deal, NewDeal } from '@forecourt/contract/deals';
import { expressionBuilder, sql, type RawBuilder } from 'kysely';
import { auditValues, type Actor } from '../../platform/audit.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';
import { rateOf, type CommissionRates } from './deal-money.queries.ts';
import type { DealColumns } from './deal-write.queries.ts';
import { dealRows, within, type DealRow, type InScope } from './deals.queries.ts';

// Many rows in one statement, each under its own conditions: rows for which one of them does not hold are left out.

/** Fields that are one column each, with its type: what is written is what was typed, and nothing else follows from it. */
const PLAIN = {
  customerName: ['customer_name', 'text'],
  customerNumber: ['customer_number', 'text'],
  customerEmail: ['customer_email', 'text'],
  dealNumber: ['deal_number', 'text'],
  vehicle: ['vehicle', 'text'],
  deliveryDate: ['delivery_date', 'date'],
  costAmount: ['cost_amount', 'numeric'],
  notes: ['notes', 'text'],
} as const satisfies Partial<Record<keyof Deal, readonly [keyof DealColumns, string]>>;
export type PlainField = keyof typeof PLAIN;
export const isPlain = (field: string): field is PlainField => Object.hasOwn(PLAIN, field);

const columnOf = (field: PlainField) => sql.ref(PLAIN[field][0]);
const list = (parts: readonly RawBuilder<unknown>[]) => sql.join([...parts]);
const all = (conditions: readonly RawBuilder<unknown>[]) => sql.join([...conditions], sql` and `);

/** Rows with a part of an audit entry each, as a table of these columns. */
const given = (rows: string, columns: RawBuilder<unknown>) => sql`
  select * from json_to_recordset(${rows}::json) as given (
    id uuid, actor_id uuid, actor_name text, ip text, request_id text, action text, entity text, after jsonb, ${columns})`;

/** An entry for each row of `changed`, by what `judged` knows of it. */
const audited = (before: RawBuilder<unknown>, after: RawBuilder<unknown>) => sql`
  insert into audit_entries
    (actor_id, actor_name, ip, request_id, action, entity, before, after, record_id, version)
  select actor_id, actor_name, ip, request_id, action, entity, ${before}, ${after}, changed.id, changed.version
  from changed join judged on judged.id = changed.id`;

type Part = [name: string, part: RawBuilder<unknown>];

/**
 * A statement of these parts that answers the rows of the one named `changed`. The part named `deals` stands for the
 * table in what is read behind it, since a statement sees none of its own changes there.
 */
const answering = (db: Db | Tx, parts: readonly Part[]) =>
  dealRows(
    [...parts, ['deals', sql`select * from changed`] satisfies Part].reduce(
      (query, [name, part]) => query.with(name, () => sql`(${part})` as never) as unknown as Db,
      db as Db,
    ),
  );

/** A change of plain fields of one row. */
export type Update = {
  id: string;
  actor: Actor;
  /** The version that the caller has seen: none of the fields was changed after it. */
  seen: number;
  /** Who may change it as its creator, its owner or with a share; null: everybody who sees it. */
  holderId: string | null;
  /** Rows of earlier months are left out: they move. Null: none does. */
  fromMonth: string | null;
  values: Partial<Record<PlainField, string | number | null | undefined>>;
};

/** The same as `canEdit` in deals.policy.ts. */
const isHeldToEdit = sql`("holderId" is null or deals.created_by = "holderId" or deals.owner_id = "holderId" or exists (
  select from shares where shares.entity = 'deal' and shares.record_id = deals.id
    and shares.user_id = "holderId" and shares.level in ('edit', 'full')))`;

const updated = prepared((db, { rows, scope }: { rows: string; scope: InScope }, fields: PlainField[]) => {
  const types = fields.map((field) => sql`${sql.ref(field)} ${sql.raw(PLAIN[field][1])}`);
  const was = (field: PlainField) => sql`deals.${columnOf(field)}`;
  const objectOf = (valueOf: (field: PlainField) => RawBuilder<unknown>) =>
    sql`jsonb_build_object(${list(fields.flatMap((field) => [sql.lit(field), valueOf(field)]))})`;
  const columns = sql`seen integer, "holderId" uuid, "fromMonth" text, ${list(types)}`;
  // One that somebody holds up would hold up all of them: it is left out.
  const judged = sql`
    select given.*, ${objectOf(was)} as before
    from given join deals on deals.id = given.id
    where deals.deleted_at is null and deals.version >= seen and ("fromMonth" is null or month >= "fromMonth")
      and ${isHeldToEdit} and ${within(expressionBuilder<Tables, 'deals'>(), scope)}
      and ${all(fields.map((field) => sql`coalesce((field_versions ->> ${sql.lit(field)})::integer, 1) <= seen`))}
      and ${all(fields.map((field) => sql`${was(field)} is distinct from given.${sql.ref(field)}`))}
    for no key update of deals skip locked`;
  const changed = sql`
    update deals set
      ${list(fields.map((field) => sql`${columnOf(field)} = judged.${sql.ref(field)}`))},
      version = deals.version + 1,
      field_versions = deals.field_versions || ${objectOf(() => sql`deals.version + 1`)},
      updated_at = now(),
      updated_by = judged.actor_id
    from judged where deals.id = judged.id
    returning deals.*`;
  return answering(db, [
    ['given', given(rows, columns)],
    ['judged', judged],
    ['changed', changed],
    ['audited', audited(sql`judged.before`, sql`judged.after`)],
  ]);
});

/**
 * Changes rows with all that a change looks at as conditions: half of what it takes to read them first. `of` is one of
 * them: all have its fields. Answers each row as it is then; undefined where a condition does not hold, whichever it is,
 * and nothing was changed.
 */
export async function attemptUpdates(
  db: Db | Tx,
  scope: InScope,
  updates: readonly Update[],
): Promise<(DealRow | undefined)[]> {
  const rows = updates.map(({ id, actor, seen, holderId, fromMonth, values }) => {
    const entry = auditValues(actor, { action: 'deal.updated', entity: 'deal', after: values });
    return { ...entry, id, seen, holderId, fromMonth, after: values, ...values };
  });
  const fields = Object.keys(updates[0]!.values) as PlainField[];
  return inOrder(updates, await updated(db, { rows: JSON.stringify(rows), scope }, fields));
}

/** What a new row is given as it is, with its type. */
const GIVEN = {
  ...PLAIN,
  saleAmount: ['sale_amount', 'numeric'],
  followUpAt: ['follow_up_at', 'timestamptz'],
  month: ['month', 'text'],
} as const;
type GivenField = keyof typeof GIVEN;
const givenFields = Object.keys(GIVEN) as GivenField[];

/** A new row of its writer's. */
export type Insert = {
  id: string;
  actor: Actor;
  ownerId: string;
  dealershipId: string;
  /** A status by its name, of any case; undefined: the one that new rows have. */
  status: string | undefined;
  rates: CommissionRates;
  values: Pick<NewDeal, Exclude<GivenField, 'month'>> & { month: string };
  /** What the audit says of it, besides what it earns. */
  after: object;
};

const inserted = prepared(
  (db, { rows, except }: { rows: string; except: Pick<InScope, 'exceptDealerships' | 'exceptStatuses'> }) => {
    const types = givenFields.map((field) => sql`${sql.ref(field)} ${sql.raw(GIVEN[field][1])}`);
    const rate = rateOf({
      newSales: sql`"newSales"`,
      usedSales: sql`"usedSales"`,
      defaultSales: sql`"defaultSales"`,
    });
    const judged = sql`
      select given.*, statuses.id as status_id, ${rate} as rate
      from given
        join dealerships on dealerships.id = "dealershipId"
        join statuses on statuses.active
          and case when given.status is null then statuses.is_default else lower(statuses.name) = lower(given.status) end
      where dealerships.id <> all(${except.exceptDealerships}::uuid[])
        and statuses.id <> all(${except.exceptStatuses}::uuid[])`;
    const values = givenFields.map((field) =>
      // Texts are never null.
      GIVEN[field][1] === 'text' ? sql`coalesce(${sql.ref(field)}, '')` : sql.ref(field),
    );
    const changed = sql`
      insert into deals (id, owner_id, created_by, updated_by, dealership_id, status_id, commission_rate,
        ${list(givenFields.map((field) => sql.ref(GIVEN[field][0])))})
      select id, "ownerId", "ownerId", "ownerId", "dealershipId", status_id, rate, ${list(values)}
      from judged
      returning *`;
    const earned = sql`judged.after || jsonb_build_object(
      'commissionRate', changed.commission_rate, 'commission', changed.commission)`;
    const columns = sql`"ownerId" uuid, "dealershipId" uuid, status text,
      "newSales" numeric, "usedSales" numeric, "defaultSales" numeric, ${list(types)}`;
    return answering(db, [
      ['given', given(rows, columns)],
      ['judged', judged],
      ['changed', changed],
      ['audited', audited(sql`null::jsonb`, earned)],
    ]);
  },
);

/**
 * Adds rows at the rates that their dealerships earn now. Answers each row; undefined where its dealership or status is
 * none that the viewer may choose, and nothing was added.
 */
export async function attemptInserts(
  db: Db | Tx,
  { exceptDealerships, exceptStatuses }: InScope,
  inserts: readonly Insert[],
): Promise<(DealRow | undefined)[]> {
  const rows = inserts.map(({ actor, rates, values, after, ...row }) => {
    const entry = auditValues(actor, { action: 'deal.created', entity: 'deal' });
    return { ...entry, ...row, ...rates, ...values, after };
  });
  const except = { exceptDealerships, exceptStatuses };
  return inOrder(inserts, await inserted(db, { rows: JSON.stringify(rows), except }));
}

function inOrder(asked: readonly { id: string }[], rows: readonly DealRow[]): (DealRow | undefined)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return asked.map(({ id }) => byId.get(id));
}
