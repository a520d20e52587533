// oxlint-disable jsx-a11y/prefer-tag-over-role -- a <table> can neither hold rows out of flow nor columns that come and go
import './grid.css';
import {
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
  type Ref,
} from 'react';
import { CellNote } from './CellNote.tsx';
import type { CellAddress, Command, GridColumn, GridRecord } from './columns.ts';
import { GridRow, type RowContext } from './GridRow.tsx';
import { HeaderRow } from './HeaderRow.tsx';
import { layoutRules } from './layout-rules.ts';
import { useRowSequence } from './row-sequence.ts';
import type { RowStore } from './row-store.ts';
import { SELECT_WIDTH, useShownColumns } from './shown-columns.ts';
import type { SortState } from './sort.ts';
import { useActiveCell } from './use-active-cell.ts';
import { useColumnGestures } from './use-column-gestures.ts';
import { useColumnLayout, type ColumnState, type SetColumnState } from './use-column-layout.ts';
import { useEditing } from './use-editing.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { useInvalidReason } from './use-invalid-reason.ts';
import { useRefusals } from './use-refusals.ts';
import { useRowSelection } from './use-row-selection.ts';
import { useViewport } from './use-viewport.ts';

export interface GridHandle {
  readonly focusCell: (key: string, columnId: string) => void;
  readonly scrollToRow: (key: string) => void;
  /** Opens the editor of a cell; `text` replaces its content. */
  readonly startEdit: (key: string, columnId: string, text?: string) => void;
}

export interface DataGridProps<R extends GridRecord> {
  readonly label: string;
  readonly store: RowStore<R>;
  readonly columns: readonly GridColumn<R>[];
  readonly columnState: ColumnState;
  readonly onColumnStateChange: SetColumnState;
  readonly onCommand: (command: Command) => void;
  readonly trailingRows?: readonly string[];
  readonly isUnsaved?: (record: R) => boolean;
  readonly rowClassName?: (record: R) => string | undefined;
  readonly sort?: SortState | null;
  readonly onHeaderClick?: (columnId: string) => void;
  readonly headerActions?: (column: GridColumn<R>) => ReactNode;
  readonly selectedKeys?: ReadonlySet<string>;
  readonly onSelectedKeysChange?: (keys: ReadonlySet<string>) => void;
  readonly onActiveCellChange?: (cell: CellAddress | null) => void;
  readonly afterEnter?: 'down' | 'right' | 'stay';
  readonly rowHeight?: number;
  readonly timeZone?: string;
  readonly empty?: ReactNode;
  readonly ref?: Ref<GridHandle>;
}

const HEADER_HEIGHT = 36;
const ROW_HEIGHT = 32;
/**
 * Rows that scroll in take over the elements of those that scroll out (half the work of making new ones): a row's React
 * key is its place modulo a number of slots, in steps so that it changes only with the size of the window. The active row
 * keeps a key of its own, because an editor, its text and the focus live in its elements.
 */
const SLOT_STEP = 32;
const none: readonly string[] = [];
const browserTimeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * The grid of spec sections 2 and 5: virtual rows and columns, spreadsheet keys, typed cells. It changes nothing itself:
 * edits leave as commands, arrangements of columns as new column states.
 */
export function DataGrid<R extends GridRecord>({ ref, ...props }: DataGridProps<R>): ReactElement {
  const { store, columns, columnState, trailingRows = none, timeZone = browserTimeZone } = props;
  const { rowHeight = ROW_HEIGHT, selectedKeys, rowClassName, isUnsaved } = props;
  const prefix = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const selectable = selectedKeys !== undefined;
  const leadingWidth = selectable ? SELECT_WIDTH : 0;

  const sequence = useRowSequence(store, trailingRows);
  const layout = useColumnLayout(columns, columnState, leadingWidth);
  const { startWidth, endWidth, startCount, centerStarts } = layout;
  const mounted = useViewport(scroller, {
    rowHeight,
    rowCount: sequence.length,
    headerHeight: HEADER_HEIGHT,
    pinnedWidth: startWidth + endWidth,
    centerStarts,
  });
  const shown = useShownColumns(layout, mounted.columns, prefix);
  const selection = useRowSelection(sequence, selectedKeys, props.onSelectedKeysChange);
  const gestures = useColumnGestures(columns, layout, selectable, props.onColumnStateChange);

  const [blocked, setBlocked] = useState<string | null>(null);
  const refusals = useRefusals();
  const editing = useEditing({
    store,
    columns,
    timeZone,
    refusals,
    onCommand: props.onCommand,
    onBlocked: setBlocked,
  });
  const columnIds = useMemo(() => layout.columns.map((column) => column.id), [layout]);
  const active = useActiveCell({
    scroller,
    sequence,
    columnIds,
    rowHeight,
    headerHeight: HEADER_HEIGHT,
    startCount,
    startWidth,
    endWidth,
    centerStarts,
    editing: editing.session !== null,
    onChange: props.onActiveCellChange,
  });

  const invalid = useInvalidReason(store, columns, active.cell);

  const focusGrid = () => scroller.current?.focus({ preventScroll: true });
  const headerClick = (columnId: string) => props.onHeaderClick?.(columnId);
  const onKey = useGridKeys({
    active,
    editing,
    typeOf: (columnId) => columns.find((column) => column.id === columnId)?.type,
    afterEnter: props.afterEnter ?? 'down',
    focusGrid,
    onEscape: () => setBlocked(null),
    onHeaderClick: headerClick,
    onMoveColumn: gestures.step,
    onResizeColumn: gestures.widen,
    onToggleRow: (key) => selection.toggle(key, false),
    onToggleAllRows: selection.toggleAll,
  });

  function focusCell(key: string, columnId: string) {
    editing.finish('leave');
    // Focus first: a grid that is entered for the first time makes its first cell the active one.
    focusGrid();
    active.activate({ key, columnId });
  }

  useImperativeHandle(ref, () => ({
    focusCell,
    scrollToRow(key) {
      const row = sequence.indexOf(key);
      if (row !== null) active.reveal({ row, column: -1 });
    },
    startEdit(key, columnId, text) {
      focusCell(key, columnId);
      editing.start({ key, columnId }, text);
    },
  }));

  const pointer = useGridPointer({
    scroller,
    prefix,
    sequence,
    columnIds,
    selectable,
    active,
    editing,
    gestures,
    selection,
    focusGrid,
    onHeaderClick: headerClick,
    onPress: () => setBlocked(null),
  });

  const rules = useMemo(
    () => layoutRules(layout, prefix, rowHeight, HEADER_HEIGHT, leadingWidth),
    [layout, prefix, rowHeight, leadingWidth],
  );
  const context = useMemo<RowContext<R>>(
    () => ({ store, prefix, rowHeight, timeZone, selectable, rowClassName, isUnsaved }),
    [store, prefix, rowHeight, timeZone, selectable, rowClassName, isUnsaved],
  );
  const activeRow = active.position?.row ?? -1;
  const activeColumn = shown.all[active.position?.column ?? -1];
  // The active cell stays mounted out of sight too: with it would go the editor, its text and the focus.
  const withActive =
    !activeColumn || shown.mounted.includes(activeColumn) ? shown.mounted : [...shown.mounted, activeColumn];
  const activeId = active.position ? `${prefix}r${active.position.row}c${active.position.column}` : undefined;
  const refusal = active.cell && refusals.of(active.cell)?.message;
  const note = editing.session ? editing.session.problem : (blocked ?? refusal ?? invalid);
  const stickyIndex = sequence.trailingCount > 0 ? sequence.length - 1 : -1;

  const { from, to } = mounted.rows;
  const slots = Math.ceil((to - from) / SLOT_STEP) * SLOT_STEP;
  const rows: ReactElement[] = [];
  const mount = (index: number) => {
    const rowKey = sequence.keyAt(index);
    if (rowKey === undefined) return;
    rows.push(
      <GridRow
        key={index === activeRow || index === stickyIndex ? rowKey : `#slot-${index % slots}`}
        context={context}
        rowKey={rowKey}
        index={index}
        columns={index === activeRow ? withActive : shown.mounted}
        active={index === activeRow ? activeColumn : undefined}
        session={editing.session?.key === rowKey ? editing.session : null}
        refusals={refusals.ofRow(rowKey)}
        selected={selection.has(rowKey)}
        sticky={index === stickyIndex}
      />,
    );
  };
  if (activeRow >= 0 && activeRow < from) mount(activeRow);
  for (let index = from; index < to; index++) mount(index);
  if (activeRow >= to) mount(activeRow);
  if (stickyIndex >= to && stickyIndex !== activeRow) mount(stickyIndex);

  return (
    <div
      ref={scroller}
      role="grid"
      className={`grid-root ${prefix}root`}
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={sequence.length + 1}
      aria-colcount={columnIds.length + (selectable ? 1 : 0)}
      aria-multiselectable={selectable || undefined}
      aria-activedescendant={activeId}
      onKeyDown={(event) => {
        setBlocked(null);
        onKey(event);
      }}
      {...pointer}
    >
      <style>{rules}</style>
      <HeaderRow
        prefix={prefix}
        columns={active.position?.row === -1 ? withActive : shown.mounted}
        activeColumn={active.position?.row === -1 ? active.cell?.columnId : undefined}
        dropTarget={gestures.dropTarget}
        sort={props.sort ?? null}
        headerActions={props.headerActions}
        selection={selection.state}
      />
      <div
        role="rowgroup"
        className={`grid-body ${prefix}row`}
        style={{ height: sequence.length * rowHeight }}
      >
        {rows}
      </div>
      {sequence.length === sequence.trailingCount && <div className="grid-empty">{props.empty}</div>}
      <CellNote id={`${prefix}note`} text={note} anchorId={activeId} scroller={scroller} />
    </div>
  );
}
