import {
  columnsOfFilter,
  MAX_FILTER_VALUES,
  type ColumnFilter,
  type EmailState,
  type FilterCondition,
  type FilterField,
} from '@forecourt/contract/deal-filter-fields';
import { fixedStatuses } from '@forecourt/contract/fixed-statuses';
import { monthChecks, type MonthCheck } from '@forecourt/contract/month-checks';
import type { Context, Viewer } from '../../../platform/http/context.ts';
import { canSee, statusVisible } from '../deals.policy.ts';
import { listStatuses, type InScope } from '../deals.queries.ts';
import type { FilterFor, ReadPermit } from '../list/deal-filter.service.ts';
import { countEach, findInactive } from './deal-checks.queries.ts';

type Status = Awaited<ReturnType<typeof listStatuses>>[number];
type Inactive = Awaited<ReturnType<typeof findInactive>>;

const isAnyOf = (field: FilterField, value: readonly string[]): FilterCondition => ({
  field,
  operator: 'isAnyOf',
  value: value.slice(0, MAX_FILTER_VALUES),
});
const isEmpty = (field: FilterField): FilterCondition => ({ field, operator: 'isEmpty' });
const isTrue = (field: FilterField): FilterCondition => ({ field, operator: 'isTrue' });
const isMailed = (state: EmailState) => isAnyOf('emailState', [state]);

/**
 * Returns the conditions of each check. Most checks concern rows that are paid: those of a closed status that counts for
 * commission, except No deal.
 */
function conditionsOf(
  statuses: readonly Status[],
  { owners, dealerships }: Inactive,
): Record<MonthCheck, readonly FilterCondition[]> {
  const hasStatus = (test: (status: Status) => boolean) =>
    isAnyOf(
      'status',
      statuses.filter(test).map(({ id }) => id),
    );
  const isPaid = hasStatus(
    ({ id, is_closed, counts_for_commission }) =>
      is_closed && counts_for_commission && id !== fixedStatuses.noDeal,
  );
  const lacks = (field: FilterField) => [isPaid, isEmpty(field)];
  return {
    openStatus: [hasStatus(({ id, is_closed }) => !is_closed && id !== fixedStatuses.dealNotEntered)],
    dealNotEntered: [hasStatus(({ id }) => id === fixedStatuses.dealNotEntered)],
    saleMissing: lacks('saleAmount'),
    costMissing: lacks('costAmount'),
    itemsMissing: lacks('items'),
    dealNumberMissing: lacks('dealNumber'),
    phoneMissing: lacks('customerNumber'),
    notEmailed: [isPaid, isMailed('notSent')],
    changedSinceEmailed: [isMailed('changed')],
    emailFailed: [isMailed('failed')],
    duplicates: [isTrue('isDuplicate')],
    farFromPrice: [isPaid, isTrue('isFarFromPrice')],
    ownerInactive: [isPaid, isAnyOf('owner', owners)],
    dealershipInactive: [isPaid, isAnyOf('dealershipId', dealerships)],
    rateMissing: [isPaid, { field: 'saleAmount', operator: 'isNotEmpty' }, isEmpty('commissionRate')],
  };
}

/** Returns the filter of these conditions; null if one of them has no value, so that no row can meet it. */
const filterOf = (conditions: readonly FilterCondition[]): ColumnFilter | null =>
  conditions.some(({ value }) => Array.isArray(value) && value.length === 0)
    ? null
    : { match: 'all', conditions: [...conditions] };

type Parts = {
  withPermit: ReadPermit;
  inScope: (viewer: Viewer) => InScope;
  filterFor: FilterFor;
};

/**
 * Counts the visible rows of a month in each check (docs/product/month-close.md, Checks). A check is a filter of Data
 * Entry, so that its count is that of its rows there. Checks by which the viewer may not filter are absent.
 */
export const createDealChecks =
  ({ withPermit, inScope, filterFor }: Parts) =>
  async (ctx: Context, month: string) => {
    const { db, viewer } = ctx;
    const scope = inScope(viewer);
    const read = async () => {
      const statuses = (await listStatuses(db)).filter(({ id }) =>
        statusVisible.matches(scope, { statusId: id }),
      );
      const conditions = conditionsOf(statuses, await findInactive(db, scope, month));
      const visible = monthChecks
        .filter((key) =>
          conditions[key].every(({ field }) =>
            columnsOfFilter(field).every((column) => canSee(viewer, column)),
          ),
        )
        .map((key) => ({ key, filter: filterOf(conditions[key]) }));
      const wheres = visible.flatMap(({ key, filter }) =>
        filter ? [[key, filterFor(viewer, { month, filter }, { hasRowMail: true }).where!] as const] : [],
      );
      const counts = await countEach(db, scope, month, wheres);
      return {
        rows: counts.rows,
        checks: visible.map(({ key, filter }) => ({ key, count: counts[key] ?? 0, filter })),
      };
    };
    // A transaction has a connection already.
    return db.isTransaction ? read() : withPermit(ctx, false, read);
  };
