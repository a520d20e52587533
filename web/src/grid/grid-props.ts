import type { Ref, RefObject } from 'react';
import type { Point } from '../platform/use-menu-gesture.ts';
import type { ColumnState, SetColumnState } from './column-state.ts';
import type { CellAddress, Command, GridColumn, GridRecord, TypedText } from './columns.ts';
import type { MarkStore, RowMarks } from './marks.ts';
import type { GridGroups, RowSequence } from './row-sequence.ts';
import type { RowStore } from './row-store.ts';
import type { SortState } from './sort.ts';
import type { ActiveCell } from './use-active-cell.ts';
import type { BlockDrag } from './use-block-drag.ts';
import type { BlockSelection, SelectedCells } from './use-block.ts';
import type { ColumnGestures } from './use-column-gestures.ts';
import type { Editing } from './use-editing.ts';
import type { RowSelection } from './use-row-selection.ts';

/** The commands on the active cell or the selected block, and their keys. Browsers handle those of the clipboard. */
export const gridKeys = {
  edit: 'F2',
  copy: 'Ctrl+C',
  paste: 'Ctrl+V',
  clear: 'Delete',
  fillDown: 'Ctrl+D',
  fillRight: 'Ctrl+R',
} as const;

export type GridCommand = keyof typeof gridKeys;

/** What a context menu is about. */
export type GridMenuTarget =
  /** The active cell and the selected block around it. */
  | {
      readonly kind: 'cells';
      readonly cell: CellAddress;
      /** The rows of the block, or that of the cell. */
      readonly keys: readonly string[];
      /** Whether it is more than one cell. */
      readonly isBlock: boolean;
      /** Whether there is a cell to fill from. */
      readonly canFillDown: boolean;
    }
  | { readonly kind: 'row'; readonly key: string }
  /** The head of a group. */
  | { readonly kind: 'group'; readonly key: string }
  | { readonly kind: 'header'; readonly columnId: string };

export interface GridHandle {
  readonly focusCell: (key: string, columnId: string) => void;
  readonly scrollToRow: (key: string) => void;
  /** Moves to the next cell that matches `find`, wrapping around, without moving the focus. Returns false: no match. */
  readonly findNext: (backwards: boolean) => boolean;
  /** Runs a command on the active cell or the selected block, as its key does. */
  readonly run: (command: GridCommand) => void;
  /** Fits a column's width to its content, as a double click on its edge does. */
  readonly fitColumn: (columnId: string) => void;
}

export interface DataGridProps<R extends GridRecord> {
  readonly label: string;
  readonly store: RowStore<R>;
  readonly columns: readonly GridColumn<R>[];
  readonly columnState: ColumnState;
  readonly onColumnStateChange: SetColumnState;
  readonly onCommand: (command: Command) => void;
  /** Called on each keystroke in an open editor, so keep it cheap; null: the editor was closed, after its command. */
  readonly onTyping?: (typed: TypedText | null) => void;
  readonly trailingRows?: readonly string[];
  readonly isUnsaved?: (record: R) => boolean;
  readonly rowClassName?: (record: R) => string | undefined;
  /** Returns the label of a record's checkbox. Of stable identity. */
  readonly rowLabel?: (record: R) => string;
  /** The rows in groups; null: in the order of the store. Of stable identity. */
  readonly groups?: MarkStore<GridGroups | null>;
  readonly sort?: SortState | null;
  readonly onHeaderClick?: (columnId: string) => void;
  readonly selectedKeys?: ReadonlySet<string>;
  readonly onSelectedKeysChange?: (keys: ReadonlySet<string>) => void;
  /** Creates blank rows at the end for a paste that is longer than the table; returns the keys, fewer when limited. */
  readonly newRows?: (count: number) => readonly string[];
  readonly onUndo?: () => void;
  readonly onRedo?: () => void;
  /** Search text: matching cells are highlighted. */
  readonly find?: string;
  /** Marked cells, for example the active cells of other users. Of stable identity. */
  readonly marks?: MarkStore;
  /** Marks of rows, beside their checkboxes. Of stable identity. */
  readonly rowMarks?: MarkStore<RowMarks>;
  /** Called with the block when more than one cell is selected, else with null. */
  readonly onSelectedCellsChange?: (cells: SelectedCells | null) => void;
  readonly onActiveCellChange?: (cell: CellAddress | null) => void;
  /** Called for Space on a cell. Absent: Space starts a text. */
  readonly onOpen?: (key: string) => void;
  /** Called for a right click, Shift+F10, the menu key and a long press. Absent: the browser's menu. */
  readonly onContextMenu?: (target: GridMenuTarget, at: Point) => void;
  readonly rowHeight?: number;
  readonly timeZone?: string;
  readonly ref?: Ref<GridHandle>;
}

/** What the keys, the pointer and the menu of a grid act on. */
export interface GridParts {
  readonly props: Pick<
    DataGridProps<GridRecord>,
    'onHeaderClick' | 'onOpen' | 'onUndo' | 'onRedo' | 'onContextMenu'
  >;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Begins the ids and class names of this grid. */
  readonly prefix: string;
  /** Whether rows have checkboxes. */
  readonly selectable: boolean;
  readonly sequence: RowSequence;
  readonly groups: GridGroups | null;
  /** The visible columns from left to right. */
  readonly columnIds: readonly string[];
  readonly active: ActiveCell;
  readonly editing: Editing;
  readonly gestures: ColumnGestures;
  readonly ticks: RowSelection;
  readonly block: BlockSelection;
  readonly drag: BlockDrag;
  readonly focusGrid: () => void;
}
