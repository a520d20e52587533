import {
  columnsOfFilter,
  conditionFault,
  conditionsOf,
  kindOf,
  type ColumnFilter,
} from '@forecourt/contract/deal-filter-fields';
import { sql } from 'kysely';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { callerOf, type Context, type Viewer } from '../../../platform/http/context.ts';
import { invalidField } from '../../../platform/http/errors.ts';
import { createSemaphore } from '../../../platform/http/semaphore.ts';
import { searchColumns } from '../deal-search.queries.ts';
import { refuseHidden } from '../deals.fields.ts';
import { canSee, searchesAllMonths } from '../deals.policy.ts';
import { coversAllMonths, type DealFilter, type InScope, type RequestedFilter } from '../deals.queries.ts';
import { whereFilter } from './deal-filter.queries.ts';

/**
 * Throws a 400 for a condition on a hidden column, because counts would reveal its values, and for one that is invalid
 * for the type of a custom field.
 */
function refuseConditions(viewer: Viewer, filter: ColumnFilter): void {
  for (const condition of conditionsOf(filter)) {
    const { field } = condition;
    if (!columnsOfFilter(field).every((column) => canSee(viewer, column)))
      throw invalidField('filter', `You may not filter by ${field}`);
    const fault = conditionFault(condition, [kindOf(field, viewer.customColumns)]);
    if (fault) throw invalidField('filter', `The ${fault.key} of ${field}: ${fault.message}`);
  }
}

/**
 * Returns a function that adds a viewer's limits to a filter: a search without a month covers the current month unless
 * they may search all months, and only visible columns are searched. It throws a 400 for a hidden column, and for a
 * condition that is invalid for the type of a custom field.
 */
export const createFilterFor =
  (clock: Clock, inScope: (viewer: Viewer) => InScope) =>
  <F extends RequestedFilter>(
    viewer: Viewer,
    { filter: onColumns, ...filter }: F,
    { hasRowMail = false } = {},
  ): Omit<F, 'filter'> & DealFilter => {
    refuseHidden(viewer, filter);
    if (onColumns) refuseConditions(viewer, onColumns);
    const staysInMonth = filter.search && !filter.month && !searchesAllMonths(viewer);
    const month = staysInMonth ? clock.businessMonth() : filter.month;
    const facts = {
      viewerId: viewer.userId,
      today: clock.businessDate(),
      customFields: viewer.customColumns,
      scope: inScope(viewer),
      month,
      hasRowMail,
    };
    return {
      ...filter,
      ...(staysInMonth && { month }),
      ...(onColumns && { where: whereFilter(onColumns, facts) }),
      searchIn: searchColumns.filter((column) => canSee(viewer, column)),
    };
  };

export type FilterFor = ReturnType<typeof createFilterFor>;

/**
 * Limits concurrent reads of all rows, such as sums of all months: in a large company each takes a second of a core,
 * and they must not use all cores and connections.
 */
const READS_OF_ALL_ROWS = { permits: 2, maxQueued: 200 };

/** Limits a user's concurrent reads that no index serves, also in a month. */
const LONG_READS = {
  permits: Infinity,
  permitsEach: 4,
  maxQueued: Infinity,
  maxQueuedEach: 100,
};

/**
 * Returns a function that limits long reads per user, and those of all months in total. A read that waits when its
 * client disconnects is dropped.
 */
export function createReadPermit() {
  const ofCaller = createSemaphore(LONG_READS);
  const ofAllRows = createSemaphore(READS_OF_ALL_ROWS);
  return <T>(
    { viewer, signal }: Pick<Context, 'viewer' | 'signal'>,
    readsAllMonths: boolean,
    read: () => Promise<T>,
  ): Promise<T> => {
    const caller = callerOf(viewer);
    return ofCaller(caller, () => (readsAllMonths ? ofAllRows(caller, read, signal) : read()), signal);
  };
}

export type ReadPermit = ReturnType<typeof createReadPermit>;

/** Timeout of a filter on columns in all months, in milliseconds. */
export const MAX_FILTER_MS = 1000;

/** Reads rows. A filter on columns in all months may read every row, so a timeout ends it with a 400. */
export async function readWithinLimit<R>(
  db: Db | Tx,
  { scope, filter, maxMs }: { scope: InScope; filter: DealFilter; maxMs: number },
  read: (db: Db | Tx) => Promise<R>,
): Promise<R> {
  if (!filter.where || !coversAllMonths(scope, filter) || db.isTransaction) return read(db);
  try {
    return await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        await sql`set local statement_timeout = ${sql.lit(maxMs)}`.execute(tx);
        return read(tx);
      });
  } catch (error) {
    if ((error as { code?: string }).code !== '57014') throw error;
    throw invalidField('filter', 'This filter reads too many rows of all months. Choose a month.');
  }
}
