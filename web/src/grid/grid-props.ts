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

/** The commands on the active cell or the selected block, and their keys. Browsers handle the clipboard keys. */
export const gridKeys = {
  edit: 'F2',
  copy: 'Ctrl+C',
  paste: 'Ctrl+V',
  clear: 'Delete',
  fillDown: 'Ctrl+D',
  fillRight: 'Ctrl+R',
} as const;

export type GridCommand = keyof typeof gridKeys;

/** The target of a context menu. */
export type GridMenuTarget =
  /** The active cell and the selected block around it. */
  | {
      readonly kind: 'cells';
      readonly cell: CellAddress;
      /** Keys of the rows of the block, or of the cell's row. */
      readonly keys: readonly string[];
      /** Whether more than one cell is selected. */
      readonly isBlock: boolean;
      /** Whether a cell above can be copied down. */
      readonly canFillDown: boolean;
    }
  | { readonly kind: 'row'; readonly key: string }
  /** The head of a group. */
  | { readonly kind: 'group'; readonly key: string }
  | { readonly kind: 'header'; readonly columnId: string };

export interface GridHandle {
  readonly focusCell: (key: string, columnId: string) => void;
  readonly scrollToRow: (key: string) => void;
  /** Moves to the next cell that matches `find`, wrapping around; the focus stays. Returns false if there is none. */
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
  /** Called on each keystroke in an open editor, so it must be fast; null after the command of a closed editor. */
  readonly onTyping?: (typed: TypedText | null) => void;
  readonly trailingRows?: readonly string[];
  readonly isUnsaved?: (record: R) => boolean;
  readonly rowClassName?: (record: R) => string | undefined;
  /** Returns the label of a record's checkbox. Its identity must be stable. */
  readonly rowLabel?: (record: R) => string;
  /** The groups of rows; null for the order of the store. Its identity must be stable. */
  readonly groups?: MarkStore<GridGroups | null>;
  readonly sort?: SortState | null;
  readonly onHeaderClick?: (columnId: string) => void;
  readonly selectedKeys?: ReadonlySet<string>;
  readonly onSelectedKeysChange?: (keys: ReadonlySet<string>) => void;
  /** Creates blank rows for a paste longer than the table. Returns their keys, fewer than `count` at the limit. */
  readonly newRows?: (count: number) => readonly string[];
  readonly onUndo?: () => void;
  readonly onRedo?: () => void;
  /** Search text. Matching cells are highlighted. */
  readonly find?: string;
  /** Marked cells, for example the active cells of other users. Its identity must be stable. */
  readonly marks?: MarkStore;
  /** Marks of rows, beside their checkboxes. Its identity must be stable. */
  readonly rowMarks?: MarkStore<RowMarks>;
  /** Called with the block if more than one cell is selected, otherwise with null. */
  readonly onSelectedCellsChange?: (cells: SelectedCells | null) => void;
  readonly onActiveCellChange?: (cell: CellAddress | null) => void;
  /** Called for Space on a cell; without it, Space starts a text. */
  readonly onOpen?: (key: string) => void;
  /** Called for a right click, Shift+F10, the menu key and a long press; without it, the browser's menu opens. */
  readonly onContextMenu?: (target: GridMenuTarget, at: Point) => void;
  readonly rowHeight?: number;
  readonly timeZone?: string;
  readonly ref?: Ref<GridHandle>;
}

/** The parts of a grid that its keys, pointer handlers and menu use. */
export interface GridParts {
  readonly props: Pick<
    DataGridProps<GridRecord>,
    'onHeaderClick' | 'onOpen' | 'onUndo' | 'onRedo' | 'onContextMenu'
  >;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Prefix of the ids and class names of this grid. */
  readonly prefix: string;
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
