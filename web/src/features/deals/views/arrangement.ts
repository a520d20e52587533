import { MAX_COLUMN_WIDTH } from '@forecourt/contract/column-widths';
import { identityColumns } from '@forecourt/contract/deal-fields';
import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { GroupField } from '@forecourt/contract/deal-groups';
import type { Arrangement, ViewColumn, ViewSort } from '@forecourt/contract/deal-views';
import { columnZones, emptyColumnState, type ColumnState, pinColumn } from '../../../grid/grid.ts';
import { contractColumn, type DealOptions } from '../deal-fields.ts';
import type { DealSort } from '../deal-view.ts';

/** An arrangement in the screen's format: the first status by name, columns as in the grid. */
export type ScreenArrangement = {
  readonly filter: ColumnFilter | null;
  readonly sort: DealSort | null;
  readonly group: GroupField | null;
  readonly columns: ColumnState;
};

type Known = {
  /** The ids of visible columns in the grid's order. */
  readonly columnIds: readonly string[];
  readonly statuses: DealOptions['statuses'];
  /** Returns a filter without parts that are hidden from the user. */
  readonly offered: (filter: ColumnFilter | null) => ColumnFilter | null;
};

/** Converts the screen's arrangement to that of a view: every column by position, the first status by id. */
export function arrangementOf(
  screen: ScreenArrangement,
  { columnIds, statuses, offered }: Known,
): Arrangement {
  const { filter, sort, group, columns } = screen;
  const { start, center, end } = columnZones(columns, columnIds);
  const idOf = (name: string): string | null => statuses.find((status) => status.name === name)?._id ?? null;
  const column =
    (pinned: ViewColumn['pinned']) =>
    (id: string): ViewColumn => {
      const width = columns.columnSizing[id];
      return {
        column: contractColumn(id),
        shown: isColumnShown(columns, id),
        width: width === undefined ? null : Math.min(MAX_COLUMN_WIDTH, Math.round(width)),
        pinned,
      };
    };
  return {
    filter: offered(filter),
    sort: sort && columnIds.includes(sort.columnId) ? sortOf(sort, idOf) : null,
    group: offeredGroup(group, columnIds),
    columns: [...start.map(column('left')), ...center.map(column(null)), ...end.map(column('right'))],
  };
}

/** Returns the group field unless its column is hidden. */
export const offeredGroup = (group: GroupField | null, columnIds: readonly string[]): GroupField | null =>
  group !== null && columnIds.some((id) => contractColumn(id) === contractColumn(group)) ? group : null;

function sortOf(
  { columnId, direction, first }: DealSort,
  idOf: (name: string) => string | null,
): ViewSort | null {
  const column = contractColumn(columnId);
  if (column === 'status') {
    const firstStatusId = idOf(first ?? '');
    return firstStatusId === null ? null : { column, firstStatusId };
  }
  return direction === 'other' ? null : { column, direction };
}

/** Converts a view to the screen's arrangement, without references that no longer exist. */
export function screenOf(
  { filter, sort, group, columns }: Arrangement,
  { columnIds, statuses, offered }: Known,
): ScreenArrangement {
  const nameOf = (id: string): string => statuses.find(({ _id }) => _id === id)?.name ?? '';
  const gridIds = new Map(columnIds.map((id) => [contractColumn(id), id]));
  const existingColumns = columns.flatMap((each) => {
    const id = gridIds.get(each.column);
    return id === undefined ? [] : [{ ...each, id }];
  });
  const pinned = (side: 'left' | 'right') =>
    existingColumns.filter((each) => each.pinned === side).map(({ id }) => id);
  return {
    filter: offered(filter),
    sort: sort && screenSortOf(sort, gridIds.get(sort.column), nameOf),
    group: offeredGroup(group, columnIds),
    columns: {
      columnOrder: existingColumns.map(({ id }) => id),
      columnSizing: Object.fromEntries(
        existingColumns.flatMap(({ id, width }) => (width === null ? [] : [[id, width]])),
      ),
      columnVisibility: Object.fromEntries(
        existingColumns
          .filter(({ id, shown }) => shown !== isColumnShown(emptyColumnState, id))
          .map(({ id, shown }) => [id, shown]),
      ),
      columnPinning: { start: pinned('left'), end: pinned('right') },
    },
  };
}

function screenSortOf(
  sort: ViewSort,
  columnId: string | undefined,
  nameOf: (id: string) => string,
): DealSort | null {
  if (columnId === undefined) return null;
  if (sort.column !== 'status') return { columnId, direction: sort.direction };
  const first = nameOf(sort.firstStatusId);
  return first === '' ? null : { columnId, direction: 'other', first };
}

/** Whether two arrangements are equal, with defaults for missing values. */
export const isSameArrangement = (a: Arrangement, b: Arrangement, references: Known): boolean => {
  const whole = (each: Arrangement): string =>
    JSON.stringify(arrangementOf(screenOf(each, references), references));
  return whole(a) === whole(b);
};

const hiddenAtFirst: ReadonlySet<string> = new Set(identityColumns);

export const isColumnShown = ({ columnVisibility }: ColumnState, id: string): boolean =>
  columnVisibility[id] ?? !hiddenAtFirst.has(id);

/**
 * Returns the columns for the grid.
 * @param isOverMonths whether rows of all months are in view: the month column is then beside the customer
 */
export function shownColumns(state: ColumnState, isOverMonths: boolean): ColumnState {
  const hidden = Object.fromEntries(identityColumns.map((id) => [id, isColumnShown(state, id)]));
  const columns = { ...state, columnVisibility: { ...state.columnVisibility, ...hidden } };
  if (!isOverMonths || columns.columnVisibility['month']) return columns;
  return pinColumn(
    { ...columns, columnVisibility: { ...columns.columnVisibility, month: true } },
    'month',
    'left',
  );
}

/**
 * The default columns. Status and customer name are pinned left, and the email state right, where it does not interrupt
 * Tab and pasted blocks between typed columns.
 */
export const initialColumns: ColumnState = {
  ...emptyColumnState,
  columnPinning: { start: ['status', 'customerName'], end: ['emailStatus'] },
};
