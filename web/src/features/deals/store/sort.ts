import { nextSort, sortedOrder, type GridColumn, type RowStore, type SortKey } from '../../../grid/grid.ts';
import { contractColumn, existsFor, type DealOptions } from '../deal-fields.ts';
import { type DealRow, valueOf } from '../deal-row.ts';
import { isOverMonths, type DealSort, type DealView } from '../deal-view.ts';
import type { ServerOrder } from '../deals.queries.ts';

const newest: SortKey<DealRow> = {
  extract: ({ deal }) => (deal === null ? null : Date.parse(deal.createdAt)),
  descending: true,
};

/**
 * Returns the order after a click on a header (docs/product/data-entry.md, Sorting). The status column moves each
 * status to the top in turn and then returns to the default; other columns are ascending, descending, then default.
 * @param statuses names in their configured order
 */
export function nextDealSort(
  current: DealSort | null,
  columnId: string,
  statuses: readonly string[],
): DealSort | null {
  if (columnId !== 'status') return nextSort(current, columnId);
  const at = current?.columnId === 'status' ? statuses.indexOf(current.first ?? '') : -1;
  const first = statuses[at + 1];
  return first === undefined ? null : { columnId, direction: 'other', first };
}

/** The default order (docs/product/data-entry.md, Sorting): by `createdAt`, newest first. */
export const newestFirst = (rows: RowStore<DealRow>, keys: readonly string[]): string[] =>
  sortedOrder(rows, keys, [newest]);

/** Returns the sorted keys. Equal rows are newest first, and so are all rows if the column or status does not exist. */
export function orderOf(
  rows: RowStore<DealRow>,
  sort: DealSort | null,
  columns: readonly GridColumn<DealRow>[],
  statuses: readonly string[],
): string[] {
  const column = columns.find(({ id }) => id === sort?.columnId);
  if (sort === null || column === undefined) return newestFirst(rows, rows.getOrder());
  if (sort.first === undefined) {
    return sortedOrder(rows, rows.getOrder(), [
      { extract: sortValue(column), descending: sort.direction === 'descending' },
      newest,
    ]);
  }
  const top = statuses.indexOf(sort.first);
  if (top < 0) return newestFirst(rows, rows.getOrder());
  // The status cycle continues below the status at the top.
  const rank = new Map(statuses.map((name, at) => [name, (at - top + statuses.length) % statuses.length]));
  const byRank: SortKey<DealRow> = {
    extract: (row) => rank.get(String(valueOf(row, 'status'))) ?? statuses.length,
  };
  return sortedOrder(rows, rows.getOrder(), [byRank, newest]);
}

/** Returns the order of a large view. The server sorts rows of all months only by an index. */
export const windowSort = (sort: DealSort | null, view: DealView): DealSort | null =>
  isOverMonths(view) && sort?.columnId !== 'month' ? null : sort;

/** Returns the order as a query: newest first if column or status are hidden, or options not loaded. */
export function serverOrder(sort: DealSort | null, options: DealOptions | undefined): ServerOrder {
  if (sort === null || options === undefined || !existsFor(options, sort.columnId)) return {};
  if (sort.first === undefined)
    return {
      sort: contractColumn(sort.columnId),
      order: sort.direction === 'descending' ? 'desc' : 'asc',
    };
  const exists = options.statuses.some(({ name }) => name === sort.first);
  return exists ? { sort: 'status', firstStatus: sort.first } : {};
}

/** Returns the sort value of a column: the text of an option, a number for times and money, null for an empty cell. */
const sortValue =
  (column: GridColumn<DealRow>) =>
  (row: DealRow): number | string | null => {
    const value = column.get(row);
    if (value === null || value === '') return null;
    if (column.rank) return column.rank(value);
    if (column.toText && typeof value === 'string') return column.toText(value);
    if (column.type === 'date' || column.type === 'datetime') return Date.parse(String(value));
    return column.type === 'select' && column.format ? column.format(value, row) : value;
  };
