/** All that the grid offers; README.md tells how to use it. */
export { DataGrid, type GridHandle } from './DataGrid.tsx';
export type { CellAddress, CellValue, Command, GridColumn, SelectOption } from './columns.ts';
export { createRowStore, type RowStore } from './row-store.ts';
export { parseNumber, parsePhone } from './parse.ts';
export { nextSort, sortedOrder, type SortKey, type SortState } from './sort.ts';
export { emptyColumnState, type ColumnState, type SetColumnState } from './use-column-layout.ts';
export { useStoredColumnState } from './use-stored-column-state.ts';
