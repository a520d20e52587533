import type { CustomKey } from '@forecourt/contract/custom-field-types';
import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { DealItem } from '@forecourt/contract/deals';
import {
  expressionBuilder,
  sql,
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import { inDateRange, where } from '../../platform/conditions.ts';
import { countRows, valuesOf, type Db, type Tx } from '../../platform/db/database.ts';
import { NOT_PREPARED } from '../../platform/db/named-statements.ts';
import { prepared } from '../../platform/db/prepared.ts';
import type { Tables } from '../../platform/db/schema.generated.ts';
import {
  accessFields,
  accessSelections,
  sharedIds,
  shareLevels,
} from '../../platform/sharing/shares.queries.ts';
import {
  parsedSearch,
  searchColumns,
  searched,
  type Search,
  type SearchColumn,
} from './deal-search.queries.ts';
import { belongsToNonOwner, visible, type DealScope, type ScopedDeal } from './deals.policy.ts';

/** Filters in addition to the viewer's scope. */
export type DealFilter = {
  month?: string | undefined;
  /** First and last business day of creation, both included. */
  from?: string | undefined;
  to?: string | undefined;
  dealershipId?: string | undefined;
  status?: string | undefined;
  owner?: string | undefined;
  /** The typed or parsed text. */
  search?: string | Search | undefined;
  /** The columns to search; default: all. */
  searchIn?: readonly SearchColumn[] | undefined;
  /** A filter on columns. */
  where?: RawBuilder<SqlBool> | undefined;
};

/** A requested filter, not yet checked for hidden columns. */
export type RequestedFilter = Omit<DealFilter, 'where' | 'searchIn'> & { filter?: ColumnFilter | undefined };

/**
 * The viewer's scope, the time zone of business days, and the ids of the rows shared with somebody who sees only their own,
 * if they were read before (`withSharedIds`).
 */
export type InScope = DealScope & { timeZone: string; sharedIds?: readonly string[] };

/** Whether the rows of a filter may have any month. */
export const coversAllMonths = (scope: InScope, filter: Pick<DealFilter, 'month'>): boolean =>
  (filter.month ?? scope.onlyMonth) === null;

/** Whether any limit except the named ones is set. */
export const hasLimit = <L extends object>(limits: L, except: readonly (keyof L & string)[]): boolean =>
  Object.entries(limits).some(
    ([name, limit]) =>
      !(except as readonly string[]).includes(name) && limit && (!Array.isArray(limit) || limit.length > 0),
  );

export type InDeals = ExpressionBuilder<Tables, 'deals'>;
export const inDeals: InDeals = expressionBuilder();

export const whereIds = (ids: readonly string[]) => sql<SqlBool>`deals.id = any(${ids}::uuid[])`;

const createdOn = (timeZone: string) => sql<string>`(deals.created_at at time zone ${timeZone})::date`;

/** Returns the columns of `deals` that conditions on rows use. */
const fields = ({ timeZone, sharedIds }: InScope) => ({
  id: sql.ref('deals.id'),
  month: sql.ref('deals.month'),
  dealershipId: sql.ref('deals.dealership_id'),
  statusId: sql.ref('deals.status_id'),
  createdOn: sql.ref('deals.created_at'),
  ...accessFields('deal'),
  isShared: sharedIds && whereIds(sharedIds),
  created_by: sql.ref('deals.created_by'),
  timeZone,
});

/** Returns the condition of every read of deals: lists, counts, sums, search and live events. */
export const whereVisible = (scope: InScope): RawBuilder<SqlBool> => where(visible, scope, fields(scope));

/**
 * Returns the same condition for rows selected by id. For a date range PostgreSQL underestimates the number of rows so
 * much that it would scan the index on `created_at` for all of those days; it has no index for this expression.
 */
export const whereVisibleById = (scope: InScope): RawBuilder<SqlBool> =>
  where(visible, scope, { ...fields(scope), createdOn: sql`(deals.created_at + '0'::interval)` });

/** Returns the condition for rows that belong to a person and have another owner. */
export const ofOtherOwners = ({ userId }: { userId: string }, scope: InScope) =>
  sql<SqlBool>`(deals.owner_id <> ${userId}
    and ${where(belongsToNonOwner, { userId }, fields(scope))})`;

/** Maximum shares whose rows a statement names. */
const MAX_NAMED_SHARES = 1000;

/**
 * Returns the scope for reads of all months with the ids of the rows that are shared with somebody who sees only their own,
 * so that indexes find their rows. With more shares, and in a month, PostgreSQL looks up the shares of each row.
 */
export async function withSharedIds(db: Db | Tx, scope: InScope, filter: DealFilter): Promise<InScope> {
  if (!scope.onlyOf || !coversAllMonths(scope, filter)) return scope;
  const ids = await sharedIds(db, 'deal', scope.onlyOf.userId, MAX_NAMED_SHARES + 1);
  return ids.length > MAX_NAMED_SHARES ? scope : { ...scope, sharedIds: ids };
}

/** Returns the condition for rows that are in scope and match the filter, deleted or not. */
export const selected = (eb: InDeals, scope: InScope, filter: DealFilter): Expression<SqlBool> =>
  eb.and([
    whereVisible(scope),
    // The plan depends on the number of rows that the person has.
    ...(scope.onlyOf && coversAllMonths(scope, filter) ? [sql<SqlBool>`${sql.raw(NOT_PREPARED)} true`] : []),
    ...(filter.month ? [eb('deals.month', '=', filter.month)] : []),
    where(inDateRange('createdOn'), filter, fields(scope)),
    ...(filter.dealershipId ? [eb('deals.dealership_id', '=', filter.dealershipId)] : []),
    ...(filter.owner ? [eb('deals.owner_id', '=', filter.owner)] : []),
    ...(filter.status
      ? [
          eb(
            'deals.status_id',
            '=',
            eb
              .selectFrom('statuses')
              .select('id')
              .where(sql<SqlBool>`lower(name) = lower(${filter.status})`),
          ),
        ]
      : []),
    ...(filter.search
      ? [
          searched(
            eb,
            parsedSearch(filter.search),
            filter.searchIn ?? searchColumns,
            coversAllMonths(scope, filter),
          ),
        ]
      : []),
    ...(filter.where ? [filter.where] : []),
  ]);

/** Returns the condition for rows that are in scope, match the filter and are not deleted. */
export const matching = (eb: InDeals, scope: InScope, filter: DealFilter): Expression<SqlBool> =>
  eb.and([eb('deals.deleted_at', 'is', null), selected(eb, scope, filter)]);

/** The message is neither sent, failed nor cancelled. */
const isWaiting = sql<boolean>`emails.status in ('queued', 'sending', 'retrying')`;

const lastDelivery = sql<string | null>`max(emails.sent_at) filter (where emails.status = 'sent')`;

/**
 * Aggregates the messages about a row to its mail state. A message in delivery has precedence over finished ones; a
 * cancelled one counts only if there is no other.
 */
export const mailState = [
  sql<string | null>`(array_agg(emails.status order by
    ${isWaiting} desc, emails.status <> 'cancelled' desc, emails.created_at desc, emails.id desc))[1]`.as(
    'status',
  ),
  lastDelivery.as('sent_at'),
  // This is the oldest version of the row in a delivered message.
  sql<number | null>`min(email_deals.deal_version) filter (where emails.status = 'sent')`.as('version'),
] as const;

export const rowMail = inDeals
  .selectFrom('email_deals')
  .innerJoin('emails', 'emails.id', 'email_deals.email_id')
  .whereRef('email_deals.deal_id', '=', 'deals.id')
  .select(mailState);

/** Time at which the last message about a row was delivered. */
export const lastEmailedAt = sql<string | null>`(
  select ${lastDelivery} from email_deals join emails on emails.id = email_deals.email_id
  where email_deals.deal_id = deals.id)`;

/** Whether a delivered message has an outdated field, and no later message has the current one. */
export const isChangedSinceSent = sql<boolean>`
  case when row_mail.version < deals.version then exists (
    select from email_deals join emails on emails.id = email_deals.email_id, unnest(emails.deal_fields) as field
    where email_deals.deal_id = deals.id and emails.status = 'sent'
      and (deals.field_versions ->> field)::integer > email_deals.deal_version
      and not exists (
        select from email_deals later join emails message on message.id = later.email_id
        where later.deal_id = deals.id and message.status = 'sent'
          and (message.sent_at, message.id) > (emails.sent_at, emails.id) and field = any(message.deal_fields)
          and later.deal_version >= (deals.field_versions ->> field)::integer))
  else false end`;

export const nameOfReference = (
  table: 'statuses' | 'dealerships' | 'users' | 'items',
  column: string,
): RawBuilder<string> =>
  sql`(select name from ${sql.table(table)} as named where named.id = ${sql.ref(column)})`;

/** The options of a custom field with their positions; permits further conditions. */
export const customOptions = (key: CustomKey) =>
  sql`custom_fields, jsonb_array_elements(options) with ordinality as each(option, place)
    where custom_fields.key = ${key}`;

export const customText = (key: CustomKey) => sql<string | null>`(deals.custom ->> ${key}::text)`;

/** Aggregates the items of a row, in their order. `json` is built in half the time of `jsonb`. */
export const itemList = sql<DealItem[]>`json_agg(json_build_object(
  'name', deal_items.name,
  'itemId', deal_items.item_id,
  'quantity', deal_items.quantity,
  'unitPrice', deal_items.unit_price) order by deal_items.position)`;

/** The items of a row of `deals`. */
const soldItems = sql<DealItem[]>`(
  select coalesce(${itemList}, '[]') from deal_items where deal_items.deal_id = deals.id)`.as('items');

/** Selects rows with the names of referenced records, their items, owner, shares and mail state. */
export const dealRows = (db: Db | Tx) =>
  db
    .selectFrom('deals')
    .innerJoin('statuses', 'statuses.id', 'deals.status_id')
    .innerJoin('dealerships', 'dealerships.id', 'deals.dealership_id')
    .innerJoin('users as editors', 'editors.id', 'deals.updated_by')
    .leftJoinLateral(
      () => rowMail.as('row_mail'),
      (join) => join.onTrue(),
    )
    .selectAll('deals')
    .select(accessSelections('deal'))
    .select(soldItems)
    .select([
      'statuses.name as status',
      'dealerships.name as dealership_name',
      'editors.name as updated_by_name',
      'row_mail.status as email_status',
      'row_mail.sent_at as last_emailed_at',
    ])
    .select(isChangedSinceSent.as('is_changed_since_sent'));

export type DealRow = Awaited<ReturnType<ReturnType<typeof dealRows>['execute']>>[number];

/** A row with everything that responses contain. */
export type ListedRow = Omit<
  DealRow,
  'field_versions' | 'deleted_at' | 'deleted_by' | 'draft_key' | 'search_text' | 'closed_at'
>;

export const listOwners = (db: Db | Tx) => listUsers(db).execute();

const listUsers = (db: Db | Tx) =>
  db
    .selectFrom('users')
    .select(['id', 'name'])
    .orderBy(sql`name collate natural_order`)
    .orderBy('id');

export const listActiveUsers = (db: Db | Tx) => listUsers(db).where('is_active', '=', true).execute();

/** Returns the active items without their cost. */
export const listOffered = (db: Db | Tx) =>
  db
    .selectFrom('items')
    .where('active', '=', true)
    .orderBy('position')
    .orderBy('id')
    .select(['id', 'name', 'price'])
    .execute();

export const findItems = (db: Db | Tx, ids: readonly string[]) =>
  db
    .selectFrom('items')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select(['id', 'name', 'price', 'active'])
    .execute();

/** Counts the rows with a status, including deleted rows, which can be restored. */
export const countWithStatus = (db: Tx, statusId: string): Promise<number> =>
  db.selectFrom('deals').where('status_id', '=', statusId).$call(countRows);

export const listStatuses = (db: Db | Tx) =>
  db
    .selectFrom('statuses')
    .orderBy('position')
    .select(['id', 'name', 'color', 'position', 'active', 'is_default', 'is_closed'])
    .select(sql<boolean>`counts_for_commission is not false`.as('counts_for_commission'))
    .execute();

/** The conditions for the status of a write: by name in any case, or the default. */
export const isStatusNamed = (name: string | RawBuilder<unknown>) =>
  sql<SqlBool>`(statuses.active and lower(statuses.name) = lower(${name}))`;
export const isDefaultStatus = sql<SqlBool>`(statuses.active and statuses.is_default)`;

export const findStatus = (db: Db | Tx, name: string | undefined) =>
  db
    .selectFrom('statuses')
    .where(name === undefined ? isDefaultStatus : isStatusNamed(name))
    .select(['id', 'name'])
    .executeTakeFirst();

type Named = { id: string } | { ids: readonly string[] };

/**
 * PostgreSQL plans a statement with a list each time, because the length is unknown. The lookup of one id, which is the
 * most common, is planned once; planning takes seven times as long as the lookup.
 */
const named = (ids: readonly string[]): Named => (ids.length === 1 ? { id: ids[0]! } : { ids });
const isOneOf = (eb: InDeals, these: Named): Expression<SqlBool> =>
  'id' in these ? eb('deals.id', '=', these.id) : whereIds(these.ids);

const findNamed = prepared((db, { these, scope }: { these: Named; scope: InScope }) =>
  dealRows(db)
    .where((eb) => isOneOf(eb, these))
    .where('deals.deleted_at', 'is', null)
    .where(whereVisibleById(scope))
    .orderBy('deals.id'),
);

/** Returns the rows with these ids that are in scope and not deleted. */
export const findDeals = (db: Db | Tx, scope: InScope, ids: string[]): Promise<DealRow[]> =>
  findNamed(db, { these: named(ids), scope });

/** Returns the rows in scope that were deleted in the last `hours` by the user `by`; null means any user. */
export const findDeleted = (
  db: Tx,
  scope: InScope,
  ids: string[],
  { by, hours }: { by: string | null; hours: number },
): Promise<DealRow[]> =>
  dealRows(db)
    .where(whereIds(ids))
    .where('deals.deleted_at', '>', sql<string>`now() - make_interval(hours => ${hours}::integer)`)
    .$if(by !== null, (query) => query.where('deals.deleted_by', '=', by))
    .where(whereVisibleById(scope))
    .orderBy('deals.id')
    .execute();

const findVisible = prepared((db, { these, scope }: { these: Named; scope: InScope }) =>
  db
    .selectFrom('deals')
    .where((eb) => isOneOf(eb, these))
    .where(whereVisibleById(scope))
    .select('id'),
);

/** Returns the ids in scope, for live events. Deleted rows count with their last values. */
export const visibleDealIds = async (db: Db | Tx, scope: InScope, ids: string[]): Promise<Set<string>> =>
  new Set((await findVisible(db, { these: named(ids), scope })).map((row) => row.id));

export const findNames = (db: Db | Tx, scope: InScope, ids: string[]) =>
  db
    .selectFrom('deals')
    .where(whereIds(ids))
    .where((eb) => matching(eb, scope, {}))
    .select(['id', 'customer_name', 'month'])
    .execute();

const scoped = (db: Db | Tx, ids: string[], timeZone: string) =>
  db
    .selectFrom('deals')
    .where(whereIds(ids))
    .select([
      'id',
      'month',
      'dealership_id as dealershipId',
      'status_id as statusId',
      createdOn(timeZone).as('createdOn'),
      'owner_id',
      'created_by',
      shareLevels('deal').as('shares'),
    ]);

/** Returns the current fields on which the visibility of these rows depends, including deleted rows. */
export const findScoped = (db: Db, ids: string[], timeZone: string): Promise<ScopedDeal[]> =>
  scoped(db, ids, timeZone).execute();

/** Returns the same as `findScoped`, without deleted rows. */
export const findScopedUndeleted = (db: Db | Tx, ids: string[], timeZone: string): Promise<ScopedDeal[]> =>
  scoped(db, ids, timeZone).where('deleted_at', 'is', null).execute();

/** Returns these rows without deleted ones, for live events, with the fields on which their visibility depends. */
export const findForEvents = (db: Db, ids: string[], timeZone: string) =>
  dealRows(db)
    .where(whereIds(ids))
    .where('deals.deleted_at', 'is', null)
    .select(['deals.dealership_id as dealershipId', 'deals.status_id as statusId'])
    .select(createdOn(timeZone).as('createdOn'))
    .execute();

export type EventRow = Awaited<ReturnType<typeof findForEvents>>[number];

/** Locks the rows of an owner in months that are not closed, without deleted ones. Returns their ids. */
export const lockOpenRowsOf = (db: Tx, ownerId: string): Promise<string[]> =>
  db
    .selectFrom('deals')
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`month <> all (array(select month from business_months where state = 'closed'))`)
    .orderBy('id')
    .forUpdate()
    .select('id')
    .$call(valuesOf('id'));
