import type { CustomValues } from '@forecourt/contract/custom-field-types';
import type { DealItem, NewDeal } from '@forecourt/contract/deals';
import { sql } from 'kysely';
import { auditValues, type Actor } from '../../../platform/audit.ts';
import { where } from '../../../platform/conditions.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { isKeyNew, KEY_COLUMNS, keysOf, type KeyValues } from '../../../platform/http/idempotency.ts';
import { columnOf, storedFields, type StoredField } from '../deals.fields.ts';
import { dealershipVisible, statusVisible } from '../deals.policy.ts';
import { isDefaultStatus, isStatusNamed, type DealRow, type InScope } from '../deals.queries.ts';
import { RATE_COLUMNS, rateOf, type CommissionRates } from './deal-rates.queries.ts';
import {
  audited,
  closedAt,
  columnList,
  ENTRY,
  inOrder,
  list,
  nameOf,
  returning,
  type Part,
} from './write-statements.queries.ts';

const inputColumn = (field: StoredField) => sql`${sql.ref(field)} ${sql.raw(columnOf(field).type)}`;

/** The fields of a new row that are stored unchanged. The dealership is looked up, and its rate is stored. */
type InputField = Exclude<StoredField, 'dealershipId' | 'commissionRate'>;
const inputFields = storedFields.filter(
  (field): field is InputField => field !== 'dealershipId' && field !== 'commissionRate',
);

/** The creator and owner of rows, and their commission rates. */
export type Writer = { actor: Actor; ownerId: string; rates: CommissionRates };

export type NewRow = Pick<NewDeal, Exclude<InputField, 'month' | 'custom'>> & {
  custom?: CustomValues;
  id: string;
  month: string;
  dealershipId: string;
  /** Set if dealership and status were read before. Otherwise they are looked up, the status by name in any case. */
  statusId?: string;
  /** Undefined for the default status. */
  status: string | undefined;
  items?: readonly DealItem[] | undefined;
  /** The key that the creator's browser generated. */
  draftKey?: string;
  /** The key of the request. A row whose key exists is skipped. */
  claim?: KeyValues | null;
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
        "draftKey" uuid, items json, ${columnList(KEY_COLUMNS)}, ${list(inputFields.map(inputColumn))})`;
    const writer = sql`
      select * from json_to_recordset(${writers}::json) as writers (
        number integer, "ownerId" uuid, ${columnList(ENTRY)},
        "newSales" numeric, "usedSales" numeric, "defaultSales" numeric)`;
    const permitted = sql`
      select input.*, writers.*, "ownerId" as "userId", coalesce("statusId", statuses.id) as status_id, statuses.name as status_name,
        ${rateOf(RATE_COLUMNS)} as rate
      from input
        join writers on writers.number = input.writer
        left join dealerships on dealerships.id = "dealershipId"
        left join statuses on case
          when "statusId" is not null then statuses.id = "statusId"
          when input.status is null then ${isDefaultStatus}
          else ${isStatusNamed(sql.ref('input.status'))} end
      where "statusId" is not null or (dealerships.id is not null and statuses.id is not null
        and ${where(dealershipVisible, scope, { dealershipId: sql.ref('dealerships.id') })}
        and ${where(statusVisible, scope, { statusId: sql.ref('statuses.id') })})`;
    const values = inputFields.map((field) =>
      // Texts and values of custom fields are never null.
      ['text', 'jsonb'].includes(columnOf(field).type)
        ? sql`coalesce(${sql.ref(field)}, ${sql.lit(field === 'custom' ? '{}' : '')})`
        : sql.ref(field),
    );
    const changed = sql`
      insert into deals (id, owner_id, created_by, updated_by, dealership_id, status_id, closed_at, draft_key,
        commission_rate, ${list(inputFields.map(nameOf))})
      select id, "ownerId", "ownerId", "ownerId", "dealershipId", status_id,
        ${closedAt(sql`permitted.status_id`, sql`null`)}, "draftKey", rate, ${list(values)}
      from permitted where ${isKeyNew}
      returning *`;
    const sold = sql`
      insert into deal_items (deal_id, position, item_id, name, quantity, unit_price)
      select permitted.id, line.position, line.item_id, line.name, line.quantity, line.unit_price
      from permitted, rows from (json_to_recordset(items) as ("itemId" uuid, name text, quantity integer, "unitPrice" numeric))
        with ordinality as line (item_id, name, quantity, unit_price, position)
      returning *`;
    // The audit entry contains the stored name of the status, not its spelling in the input.
    const after = sql`permitted.after
      || case when permitted.after ? 'status' then jsonb_build_object('status', permitted.status_name) else '{}' end
      || jsonb_build_object('commissionRate', changed.commission_rate, 'commission', changed.commission)`;
    const parts: Part[] = [
      ['input', input],
      ['writers', writer],
      ['permitted', permitted],
      ['keys', keysOf],
      ['changed', changed],
      ...audited({ before: sql`null::jsonb`, after, order: sql`order by permitted.position` }),
      ...(hasItems
        ? [['sold', sold] satisfies Part, ['deal_items', sql`select * from sold`] satisfies Part]
        : []),
    ];
    return returning(db, isWhole ? 'whole' : 'ids', parts);
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
    rows: JSON.stringify(rows.map(({ claim, ...row }, position) => ({ ...row, ...claim, position }))),
    writers: JSON.stringify(
      writers.map(({ actor, ownerId, rates }, number) => ({
        ...auditValues(actor, { action: 'deal.created' }),
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
 * Inserts rows, each with its own creator, at the current rates of their dealerships. Returns each row; undefined if
 * the creator may not choose its dealership or status and nothing was inserted.
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

/** Without lookups of dealership and status, which were read before. */
const EVERY_CHOICE: Choice = { exceptDealerships: [], exceptStatuses: [] };

/** Inserts rows with known dealerships and statuses. Returns whole rows if `isWhole`, otherwise only ids. */
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

export const DRAFT_KEY = 'deals_draft_key';

/** Returns the ids of existing rows of this creator by key, including deleted rows. */
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
