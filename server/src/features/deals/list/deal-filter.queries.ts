import { isCustomKey } from '@forecourt/contract/custom-field-types';
import { typeOf, type CustomTypes } from '@forecourt/contract/deal-fields';
import {
  isFilterGroup,
  type ColumnFilter,
  type FilterCondition,
  type FilterField,
  type FilterGroup,
} from '@forecourt/contract/deal-filter-fields';
import { daysOf, phoneDigits, wantedText } from '@forecourt/contract/deal-filter-match';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { inDateRange, where } from '../../../platform/conditions.ts';
import { NOT_PREPARED } from '../../../platform/db/named-statements.ts';
import {
  inDeals,
  isChangedSinceSent,
  lastEmailedAt,
  matching,
  rowMail,
  type InScope,
} from '../deals.queries.ts';
import { valueOf } from './deal-values.queries.ts';

type Facts = {
  viewerId: string;
  today: string;
  customFields: CustomTypes;
  scope: InScope;
  /** The month of the request; undefined for all. */
  month: string | undefined;
  /** Whether the statement joins the mail state of each row as `row_mail`. */
  hasRowMail: boolean;
};

/** Returns the SQL of a filter, which selects the same rows as `createFilterMatcher` of the contract. */
export function whereFilter(filter: ColumnFilter, facts: Facts): RawBuilder<SqlBool> {
  const joined = ({ match, conditions }: ColumnFilter | FilterGroup): RawBuilder<SqlBool> => {
    const parts = conditions.map((part) => (isFilterGroup(part) ? joined(part) : isMet(part, facts)));
    return sql<SqlBool>`(${sql.join(parts, match === 'all' ? sql` and ` : sql` or `)})`;
  };
  return sql<SqlBool>`${sql.raw(NOT_PREPARED)} ${joined(filter)}`;
}

const id = (column: string) => ({ type: 'id', by: sql.ref(`deals.${column}`) }) as const;
const flag = (by: (facts: Facts) => RawBuilder<SqlBool>) => ({ type: 'flag', by }) as const;

/** Fields whose conditions do not compare a single value. */
const FIELDS = {
  status: id('status_id'),
  dealershipId: id('dealership_id'),
  owner: id('owner_id'),
  emailState: { type: 'mail' },
  isOverdue: flag(
    () => sql<SqlBool>`(deals.follow_up_at is not null and deals.follow_up_at <= now()
      and deals.status_id <> all (array(select id from statuses where is_closed)))`,
  ),
  isSharedWithMe: flag(
    ({ viewerId }) => sql<SqlBool>`exists (select from shares
      where shares.entity = 'deal' and shares.record_id = deals.id and shares.user_id = ${viewerId})`,
  ),
  isUnsaved: flag(() => sql<SqlBool>`false`),
  isDuplicate: flag(isDuplicate),
  isFarFromPrice: flag(
    () => sql<SqlBool>`((deals.sale_amount > 0 and exists (
      select from deal_items where deal_items.deal_id = deals.id having sum(quantity * unit_price) > 0
        and abs(deals.sale_amount - sum(quantity * unit_price)) * 2 > sum(quantity * unit_price))) is true)`,
  ),
  items: { type: 'items' },
  lastEmailedAt: {
    type: 'timestamptz',
    by: sql<string>`case when ${isMailed(['sent'])} then ${lastEmailedAt} end`,
  },
} as const;
const isListed = (field: string): field is keyof typeof FIELDS => Object.hasOwn(FIELDS, field);

/**
 * Whether another row of the month that the viewer sees has the same phone or deal number, by the rule of the import.
 * The rows of the month are read once per statement.
 */
function isDuplicate({ scope, month }: Facts): RawBuilder<SqlBool> {
  const isRepeated = (number: RawBuilder<string>) =>
    sql<SqlBool>`(${number} <> '' and count(*) over (partition by deals.month, ${number}) > 1)`;
  return sql<SqlBool>`(deals.id in (select id from (
    select deals.id, ${isRepeated(sql`deals.customer_number`)} or ${isRepeated(sql`lower(deals.deal_number)`)} as is_repeated
    from deals where ${matching(inDeals, scope, { month })}) as numbered where is_repeated))`;
}

const hasCustom = (key: FilterField) => sql<SqlBool>`(deals.custom ? ${key}::text)`;

function fieldOf(field: FilterField, { customFields }: Facts) {
  if (isListed(field)) return FIELDS[field];
  // A field hidden from the viewer counts as a text without a value.
  const type = typeOf(field, customFields) ?? 'text';
  if (type === 'checkbox') return flag(() => hasCustom(field));
  return valueOf(field, type) ?? ({ type: 'custom', by: hasCustom(field) } as const);
}

/**
 * Whether a row has a message in one of these statuses. PostgreSQL evaluates this once per statement, so that the mail
 * state is computed for these rows only. In a month only messages about its rows are read.
 */
function isMailed(statuses: readonly string[], month?: string): RawBuilder<SqlBool> {
  const ofMonth = sql`and email_deals.deal_id in (
    select id from deals where month = ${month} and deleted_at is null)`;
  return sql<SqlBool>`(deals.id in (select email_deals.deal_id from email_deals
    join emails on emails.id = email_deals.email_id
    where emails.status = any(${statuses}) ${month === undefined ? sql`` : ofMonth}))`;
}

const not = (condition: RawBuilder<SqlBool>) => sql<SqlBool>`not ${condition}`;

/** Returns a condition that is never null, so that `not` is correct. */
function isMet(condition: FilterCondition, facts: Facts): RawBuilder<SqlBool> {
  const { operator } = condition;
  if (operator === 'isEmpty') return isEmpty(condition.field, facts);
  if (operator === 'isNotEmpty') return not(isEmpty(condition.field, facts));
  const field = fieldOf(condition.field, facts);
  if (field.type === 'text') return textIs(condition, field.by);
  if (field.type === 'numeric') return sql<SqlBool>`(${numberIs(condition, field.by)}) is true`;
  if (field.type === 'date' || field.type === 'timestamptz')
    return sql<SqlBool>`(${dateIs(condition, facts, field)}) is true`;
  if (field.type === 'flag') return operator === 'isTrue' ? field.by(facts) : not(field.by(facts));
  const has = hasAnyOf(condition, facts);
  return operator === 'isAnyOf' ? has : not(has);
}

function isEmpty(name: FilterField, facts: Facts): RawBuilder<SqlBool> {
  const field = fieldOf(name, facts);
  if (field.type === 'custom') return not(field.by);
  if (field.type === 'items')
    return sql<SqlBool>`(not exists (select from deal_items where deal_items.deal_id = deals.id))`;
  if (name === 'lastEmailedAt') return not(isMailed(['sent'], facts.month));
  if (field.type === 'text') return sql<SqlBool>`(${field.by} = '')`;
  if (field.type === 'numeric' || field.type === 'date' || field.type === 'timestamptz')
    return sql<SqlBool>`(${field.by} is null)`;
  throw new Error(`${name} is never empty`);
}

function textIs(condition: FilterCondition, column: RawBuilder<string>): RawBuilder<SqlBool> {
  const digits = phoneDigits(condition);
  const pattern = digits === '' ? wantedText(condition) : digits;
  // An ICU collation, because lower() of the database's own collation may only support ASCII.
  const stored =
    digits === ''
      ? sql`lower(${column} collate "en-AU-x-icu")`
      : // Removes the other characters of the stored format, in a third of the time of a regular expression.
        sql`translate(${column}, '() ', '')`;
  const { operator } = condition;
  if (operator === 'is') return sql<SqlBool>`(${stored} = ${pattern})`;
  if (operator === 'isNot') return sql<SqlBool>`(${stored} <> ${pattern})`;
  const place = sql`strpos(${stored}, ${pattern})`;
  return operator === 'contains' ? sql<SqlBool>`(${place} > 0)` : sql<SqlBool>`(${place} = 0)`;
}

function numberIs({ operator, value }: FilterCondition, column: RawBuilder<unknown>): RawBuilder<unknown> {
  if (operator === 'is') return sql`${column} = ${value}::numeric`;
  if (operator === 'isNot') return sql`${column} is distinct from ${value}::numeric`;
  if (operator === 'moreThan') return sql`${column} > ${value}::numeric`;
  if (operator === 'lessThan') return sql`${column} < ${value}::numeric`;
  const [least, most] = value as [number, number];
  return sql`${column} between ${least}::numeric and ${most}::numeric`;
}

function dateIs(
  condition: FilterCondition,
  { today, scope: { timeZone } }: Facts,
  { type, by }: { type: 'date' | 'timestamptz'; by: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const days = daysOf(condition, today);
  if (type === 'timestamptz') return where(inDateRange('at'), days, { at: by, timeZone });
  const { from = '-infinity', to = 'infinity' } = days;
  return sql`${by} between ${from}::date and ${to}::date`;
}

/** Message statuses by mail state, without `notSent` and `changed`. */
const STATUSES = {
  queued: ['queued', 'sending', 'retrying'],
  sent: ['sent'],
  failed: ['failed'],
  unconfirmed: ['unconfirmed'],
} as const;

function hasAnyOf({ field, value }: FilterCondition, facts: Facts): RawBuilder<SqlBool> {
  const values = value as readonly string[];
  if (field === 'items')
    return sql<SqlBool>`(exists (select from deal_items
      where deal_items.deal_id = deals.id and deal_items.item_id = any(${values}::uuid[])))`;
  if (field === 'emailState')
    return facts.hasRowMail ? hasJoinedMailState(values) : hasMailState(values, facts.month);
  // The value is the id of an option or user, or a list of ids. The condition is never null, even without a value.
  if (isCustomKey(field))
    return sql<SqlBool>`(coalesce(deals.custom -> ${field}::text, 'null') ?| ${values}::text[])`;
  const { by } = FIELDS[field as 'status' | 'dealershipId' | 'owner'];
  // A single value is compared by equality, so that an index also gives the order.
  return values.length === 1
    ? sql<SqlBool>`(${by} = ${values[0]}::uuid)`
    : sql<SqlBool>`(${by} = any(${values}::uuid[]))`;
}

const statusesOf = (states: readonly string[]): string[] =>
  Object.entries(STATUSES).flatMap(([state, statuses]) => (states.includes(state) ? statuses : []));

/** A row whose messages are all cancelled counts as one without messages. */
const hasJoinedMailState = (states: readonly string[]): RawBuilder<SqlBool> =>
  sql`(${sql.join(
    [
      sql`(row_mail.status = any(${statusesOf(states)})) is true`,
      ...(states.includes('notSent') ? [sql`coalesce(row_mail.status, 'cancelled') = 'cancelled'`] : []),
      ...(states.includes('changed') ? [isChangedSinceSent] : []),
    ],
    sql` or `,
  )})`;

function hasMailState(states: readonly string[], month: string | undefined): RawBuilder<SqlBool> {
  const statuses = statusesOf(states);
  const conditions = [
    ...(states.includes('notSent') ? [not(isMailed(Object.values(STATUSES).flat(), month))] : []),
    ...(statuses.length > 0
      ? [
          sql`(${isMailed(statuses, month)}
            and exists (select from ${rowMail} as row_mail where row_mail.status = any(${statuses})))`,
        ]
      : []),
    ...(states.includes('changed')
      ? [
          sql`(${isMailed(['sent'], month)} and exists (select from ${rowMail} as row_mail where ${isChangedSinceSent}))`,
        ]
      : []),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}
