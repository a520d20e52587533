import type { Arrangement, ViewColumn, ViewSort } from '@forecourt/contract/deal-views';
import { columnZones, emptyColumnState, type ColumnState } from '../../grid/grid.ts';
import type { DealFilters } from './deal-filters.ts';
import { contractColumn, type DealOptions } from './deal-options.ts';
import type { DealSort } from './deal-order.ts';
import { isColumnShown } from './initial-columns.ts';

/** What the screen shows and how, in its own words: statuses by name, columns as the grid has them. */
export type ScreenArrangement = {
  readonly filters: DealFilters;
  readonly sort: DealSort | null;
  readonly columns: ColumnState;
};

type Known = {
  /** The columns that exist for this person, as the grid defines them. */
  readonly columnIds: readonly string[];
  readonly statuses: DealOptions['statuses'];
};

/** Widest column that a view keeps, in px. */
const WIDEST = 2000;

/** The screen's arrangement as a view keeps it: every column by its place, statuses by id. */
export function arrangementOf(screen: ScreenArrangement, { columnIds, statuses }: Known): Arrangement {
  const { filters, sort, columns } = screen;
  const { start, center, end } = columnZones(columns, columnIds);
  const idOf = (name: string): string | null => statuses.find((status) => status.name === name)?._id ?? null;
  const column =
    (pinned: ViewColumn['pinned']) =>
    (id: string): ViewColumn => {
      const width = columns.columnSizing[id];
      return {
        column: contractColumn(id),
        shown: isColumnShown(columns, id),
        width: width === undefined ? null : Math.min(WIDEST, Math.round(width)),
        pinned,
      };
    };
  return {
    filters: {
      statusId: idOf(filters.status),
      dealershipId: filters.dealershipId || null,
      ownerId: filters.owner || null,
    },
    sort: sort && columnIds.includes(sort.columnId) ? sortOf(sort, idOf) : null,
    columns: [...start.map(column('left')), ...center.map(column(null)), ...end.map(column('right'))],
  };
}

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

/** A view as the screen shows it. What is not there any more is left out. */
export function screenOf(
  { filters, sort, columns }: Arrangement,
  { columnIds, statuses }: Known,
): ScreenArrangement {
  const nameOf = (id: string | null): string => statuses.find(({ _id }) => _id === id)?.name ?? '';
  const gridIds = new Map(columnIds.map((id) => [contractColumn(id), id]));
  const known = columns.flatMap((each) => {
    const id = gridIds.get(each.column);
    return id === undefined ? [] : [{ ...each, id }];
  });
  const pinned = (side: 'left' | 'right') => known.filter((each) => each.pinned === side).map(({ id }) => id);
  return {
    filters: {
      status: nameOf(filters.statusId),
      dealershipId: filters.dealershipId ?? '',
      owner: filters.ownerId ?? '',
    },
    sort: sort && screenSortOf(sort, gridIds.get(sort.column), nameOf),
    columns: {
      columnOrder: known.map(({ id }) => id),
      columnSizing: Object.fromEntries(
        known.flatMap(({ id, width }) => (width === null ? [] : [[id, width]])),
      ),
      columnVisibility: Object.fromEntries(
        known
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

/** Whether two arrangements show the same, whatever one of them leaves unsaid. */
export const isSameArrangement = (a: Arrangement, b: Arrangement, known: Known): boolean => {
  const whole = (each: Arrangement): string => JSON.stringify(arrangementOf(screenOf(each, known), known));
  return whole(a) === whole(b);
};
