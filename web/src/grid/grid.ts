/** Public API of the grid; see README.md. */
export { CellEditor } from './CellEditor.tsx';
export { DataGrid } from './DataGrid.tsx';
export { gridKeys, type GridCommand, type GridHandle, type GridMenuTarget } from './grid-props.ts';
export { blockSums, type BlockSums } from './block-sums.ts';
export type {
  CellAddress,
  CellLink,
  CellValue,
  Change,
  Command,
  GridColumn,
  Refusal,
  RefusedText,
  SelectOption,
  TextPart,
  TypedText,
} from './columns.ts';
export { changesOf, sameValue } from './cell-changes.ts';
export {
  emptyColumnState,
  moveColumn,
  pinColumn,
  useStoredColumnState,
  type ColumnState,
  type SetColumnState,
} from './column-state.ts';
export { columnZones } from './column-zones.ts';
export { createCommandHistory, reversed } from './command-history.ts';
export type { CellMark, CellMarks, RowMark, RowMarks } from './marks.ts';
export type { GridGroups, RowGroup } from './row-sequence.ts';
export { createRowStore, type RowStore } from './row-store.ts';
export { displayText, editText } from './format.ts';
export { parseDate, type Clock } from './parse-date.ts';
export { parseNumber, parsePhone, parseText } from './parse.ts';
export { nextSort, sortedOrder, type SortKey, type SortState } from './sort.ts';
export type { SelectedCells } from './use-block.ts';
export { blockedReason } from './use-cell-reason.ts';
export { useEditing, type Editing } from './use-editing.ts';
