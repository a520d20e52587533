import { identityColumns } from '@forecourt/contract/permission-defaults';
import { emptyColumnState, pinColumn, type ColumnState } from '../../grid/grid.ts';

/** Columns that are shown when somebody asks for them. */
const hiddenAtFirst: ReadonlySet<string> = new Set(identityColumns);

export const isColumnShown = ({ columnVisibility }: ColumnState, id: string): boolean =>
  columnVisibility[id] ?? !hiddenAtFirst.has(id);

/**
 * The columns as the grid is to show them.
 * @param isOverMonths rows of all months are in view: then which month each is in stands beside who it is about
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

/** How the columns stand until somebody arranges them: who it is about stays in sight. */
export const initialColumns: ColumnState = {
  ...emptyColumnState,
  columnPinning: { start: ['status', 'customerName'], end: [] },
};
