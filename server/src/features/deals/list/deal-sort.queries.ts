import type { CustomFieldType, CustomKey } from '@forecourt/contract/custom-field-types';
import type { DealSort } from '@forecourt/contract/deal-list';
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { where } from '../../../platform/conditions.ts';
import { statusVisible } from '../deals.policy.ts';
import { customOptions, customText, nameOfReference, type InScope } from '../deals.queries.ts';
import { valueOf } from './deal-values.queries.ts';

/** The end of a page: the sort value of its last row, as text, and its id. */
export type Place = { value: string | null; id: string };

export type SortBy = DealSort | { key: CustomKey; type: CustomFieldType };

/** A page of a list by cursor or number, and the order of the list. */
export type Page = {
  sort: SortBy;
  /** For the sort by status: the name of the first status. */
  firstStatus: string | undefined;
  descending: boolean;
  limit: number;
  offset: number;
  after: Place | undefined;
};

export type SortKey = {
  by: RawBuilder<unknown>;
  /** The SQL type of the sort value, to which the text of a `Place` is cast. */
  type: RawBuilder<unknown>;
  /** Never null, so that an index can serve the sort. */
  isFilled?: true;
};

const filled = (column: string, type: string): SortKey => ({
  by: sql.ref(`deals.${column}`),
  type: sql.raw(type),
  isFilled: true,
});
/** An empty text is sorted like null, as in the grid. */
const read = (text: RawBuilder<unknown>): SortKey => ({
  by: sql`nullif(${text}, '') collate natural_order`,
  type: sql`text`,
});

/** Fields that are not sorted by a value of their own. */
const SORTS: { readonly [sort in DealSort]?: SortKey } = {
  createdAt: filled('created_at', 'timestamptz'),
  updatedAt: filled('updated_at', 'timestamptz'),
  month: filled('month', 'text'),
  status: {
    by: sql`(select position from statuses where statuses.id = deals.status_id)`,
    type: sql`integer`,
  },
  dealershipId: read(nameOfReference('dealerships', 'deals.dealership_id')),
  items: read(
    sql`(select string_agg(name, ', ' order by position) from deal_items where deal_id = deals.id)`,
  ),
  owner: read(nameOfReference('users', 'deals.owner_id')),
};

/** Returns the sort of a custom field. PostgreSQL reads its options once per statement. */
function customSort({ key, type }: Exclude<SortBy, DealSort>): SortKey | undefined {
  const value = customText(key);
  if (type === 'select')
    return {
      by: sql`array_position(array(select option ->> 'id' from ${customOptions(key)} order by place), ${value})`,
      type: sql`integer`,
    };
  if (type === 'multiSelect')
    return read(
      sql`(select string_agg(
          (select jsonb_object_agg(option ->> 'id', option ->> 'name') from ${customOptions(key)}) ->> id,
          ', ' order by place)
        from jsonb_array_elements_text(deals.custom -> ${key}::text) with ordinality as chosen(id, place))`,
    );
  if (type === 'person') return read(sql`(select name from users where users.id = ${value}::uuid)`);
  return type === 'checkbox' ? read(value) : undefined;
}

function valueSort(sort: SortBy): SortKey {
  const { by, type } = (typeof sort === 'object' ? valueOf(sort.key, sort.type) : valueOf(sort, undefined))!;
  return type === 'text' ? read(by) : { by, type: sql.raw(type) };
}

/** Greater than any number of statuses. */
const ROUND = 1_000_000;

/** Returns the sort by status cycle from one status on. A hidden status is ignored. */
const fromStatus = (name: string, scope: InScope): SortKey => ({
  by: sql`(
    select position + case when position < (
      select position from statuses
      where lower(name) = lower(${name}) and ${where(statusVisible, scope, { statusId: sql`id` })}
    ) then ${sql.lit(ROUND)} else 0 end
    from statuses where statuses.id = deals.status_id)`,
  type: sql`integer`,
});

export function sortKey(scope: InScope, { sort, firstStatus }: Page): SortKey {
  if (firstStatus !== undefined) return fromStatus(firstStatus, scope);
  return (typeof sort === 'object' ? customSort(sort) : SORTS[sort]) ?? valueSort(sort);
}

const directionOf = ({ isFilled }: SortKey, descending: boolean) =>
  sql.raw(`${descending ? 'desc' : 'asc'}${isFilled ? '' : ' nulls last'}`);

/** Returns the condition for the rows after a place. An index on the sort column makes every page equally fast. */
function whereAfter(
  { by, type, isFilled }: SortKey,
  descending: boolean,
  { value, id }: Place,
): RawBuilder<SqlBool> {
  const isOlder = sql`deals.id < ${id}::uuid`;
  if (value === null) return sql<SqlBool>`(${by} is null and ${isOlder})`;
  const place = sql`${value}::${type}`;
  const is = sql.raw(descending ? '<' : '>');
  const follows = sql<SqlBool>`(${by} ${is}= ${place} and (${by} ${is} ${place} or ${isOlder}))`;
  return isFilled ? follows : sql<SqlBool>`(${follows} or ${by} is null)`;
}

/** Adds sort value, order and limits of a page to a query. */
export function pageOf<D, O>(
  query: SelectQueryBuilder<D, 'deals' & keyof D, O>,
  key: SortKey,
  { descending, after, limit, offset }: Omit<Page, 'sort'>,
) {
  const direction = directionOf(key, descending);
  return query
    .select(key.by.as('sort_value'))
    .$if(after !== undefined, (query) => query.where(whereAfter(key, descending, after!)))
    .orderBy(sql`sort_value ${direction}`)
    .orderBy(sql`deals.id desc`)
    .limit(limit)
    .$if(offset > 0, (query) => query.offset(offset));
}
