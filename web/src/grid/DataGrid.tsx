import './grid-colours.css';
import './grid.css';
import './grid-cells.css';
import './grid-header.css';
import './grid-checks.css';
import './grid-editors.css';
import { useId, useMemo, useRef, type ReactElement } from 'react';
import { useStore } from '../platform/external-store.ts';
import { CellNote } from './CellNote.tsx';
import type { GridRecord } from './columns.ts';
import { cellFinder, useFind } from './find-cell.ts';
import { createGridCommands } from './grid-commands.ts';
import type { DataGridProps, GridParts } from './grid-props.ts';
import { type RowContext, RemovedRow, ROW_REMOVED } from './GridRow.tsx';
import { HeaderRow } from './HeaderRow.tsx';
import { noGroups, noMarks } from './marks.ts';
import { mountRows } from './mount-rows.tsx';
import { useRowSequence } from './row-sequence.ts';
import { useActiveCell, useActiveRow } from './use-active-cell.ts';
import { useBlockCommands, useClipboard } from './use-block-commands.ts';
import { selectionText, useBlock, useBlockReport, useBlockSpans } from './use-block.ts';
import { useColumnGestures } from './use-column-gestures.ts';
import {
  columnsToMount,
  layoutRules,
  SELECT_WIDTH,
  useColumnLayout,
  useShownColumns,
} from './use-column-layout.ts';
import { useEditing, useLostColumn } from './use-editing.ts';
import { useFill } from './use-fill.ts';
import { useGridHandle } from './use-grid-handle.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useGridMenu } from './use-grid-menu.ts';
import { useGridMessage, useNote } from './use-grid-message.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { useRowSelection } from './use-row-selection.ts';
import { useViewport } from './use-viewport.ts';

// oxlint-disable jsx-a11y/prefer-tag-over-role -- a <table> allows neither rows out of flow nor virtual columns

const HEADER_HEIGHT = 36;
const ROW_HEIGHT = 32;
const none: readonly string[] = [];

/**
 * The grid (docs/product/data-entry.md, Editing cells): virtual rows and columns, spreadsheet keys, typed cells. It is
 * fully controlled: it emits edits as commands, and column changes as new column states.
 */
export function DataGrid<R extends GridRecord>({ ref, ...props }: DataGridProps<R>): ReactElement {
  const { store, columns, columnState, trailingRows = none, timeZone = '' } = props;
  const { rowHeight = ROW_HEIGHT, selectedKeys, rowClassName, isUnsaved, rowLabel } = props;
  const prefix = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const selectable = selectedKeys !== undefined;
  const leadingWidth = selectable ? SELECT_WIDTH : 0;

  const groups = useStore(props.groups ?? noGroups);
  const sequence = useRowSequence(store, trailingRows, groups);
  const layout = useColumnLayout(columns, columnState, leadingWidth, scroller);
  const mounted = useViewport(scroller, {
    rowHeight,
    rowCount: sequence.length,
    headerHeight: HEADER_HEIGHT,
    pinnedWidth: layout.startWidth + layout.endWidth,
    centerStarts: layout.centerStarts,
  });
  const shownColumns = useShownColumns(layout, mounted.columns, prefix);
  const ticks = useRowSelection(sequence, selectedKeys, props.onSelectedKeysChange);
  const gestures = useColumnGestures(columns, layout, selectable, props.onColumnStateChange);

  const messages = useGridMessage(scroller);
  const editing = useEditing({
    store,
    columns,
    timeZone,
    onCommand: props.onCommand,
    onTyping: props.onTyping,
    onBlocked: messages.showBlocked,
  });
  const columnIds = useMemo(() => layout.columns.map((column) => column.id), [layout]);
  const active = useActiveCell({
    ...layout,
    scroller,
    sequence,
    columnIds,
    rowHeight,
    headerHeight: HEADER_HEIGHT,
    editing: editing.session !== null,
    grouped: groups !== null,
    onChange: props.onActiveCellChange,
  });

  useActiveRow(store, active.cell?.key);

  const blankKey = trailingRows.at(-1);
  const cells = { store, sequence, columns: layout.columns, timeZone };
  const selection = useBlock(active, sequence, columnIds);
  const commands = useBlockCommands({
    ...cells,
    selection,
    onCommand: props.onCommand,
    newRows: props.newRows,
    onNote: messages.showNote,
    onBlocked: messages.showBlocked,
  });
  useClipboard(scroller, commands, () => messages.announce('Copied'));
  const filling = useFill({
    scroller,
    sequence,
    selection,
    commands,
    places: {
      ...layout,
      rowHeight,
      headerHeight: HEADER_HEIGHT,
      stickyHeight: sequence.trailingCount > 0 ? rowHeight : 0,
      rowCount: sequence.length,
    },
  });
  useBlockReport(selection.isWide ? selection.block : null, sequence, columnIds, props.onSelectedCellsChange);

  const finder = useMemo(() => cellFinder(props.find ?? ''), [props.find]);
  const findNext = useFind({ ...cells, groups, finder, active });

  const focusGrid = () => scroller.current?.focus({ preventScroll: true });
  const groupKeys = (key: string | undefined) => groups?.group(key ?? '')?.rows;
  const rowParts = { sequence, groups, columnIds, active, editing, ticks };
  const parts: GridParts = {
    ...rowParts,
    props,
    scroller,
    prefix,
    selectable,
    gestures,
    block: selection,
    drag: filling.drag,
    focusGrid,
  };
  const run = createGridCommands(rowParts, commands, filling, messages.showNote);
  const onKey = useGridKeys(parts, {
    typeOf: (columnId) => columns.find((column) => column.id === columnId)?.type,
    onTickRows: () =>
      ticks.toggleRows(groupKeys(active.cell?.key) ?? selection.keys().filter((key) => key !== blankKey)),
    onCommand: (command) => run[command](),
  });

  useLostColumn(editing, columns, focusGrid);
  useGridHandle(ref, parts, {
    findNext,
    run,
    nextSequence: () => props.groups?.get()?.sequenceOf(trailingRows) ?? sequence,
  });
  const pointer = useGridPointer(parts, {
    onPress: messages.clear,
    onGroupTick: (key) => ticks.toggleRows(groupKeys(key) ?? []),
  });

  const rules = useMemo(
    () => layoutRules(layout, prefix, rowHeight, HEADER_HEIGHT, leadingWidth),
    [layout, prefix, rowHeight, leadingWidth],
  );
  const context = useMemo<RowContext<R>>(
    () => ({ store, prefix, rowHeight, timeZone, selectable, rowClassName, isUnsaved, rowLabel, finder }),
    [store, prefix, rowHeight, timeZone, selectable, rowClassName, isUnsaved, rowLabel, finder],
  );
  const marks = useStore(props.marks ?? noMarks);
  const rowMarks = useStore(props.rowMarks ?? noMarks);
  const mountedColumns = columnsToMount(shownColumns, active.position?.column);
  const activeId = active.position ? `${prefix}r${active.position.row}c${active.position.column}` : undefined;
  const menu = useGridMenu(parts, activeId);
  const lost = pointer.isInside ? active.lost : null;
  const lostId = `${prefix}lost`;
  const note = useNote(
    { store, columns, timeZone, active: active.cell },
    messages.message,
    editing.session ? editing.session.problem : lost ? ROW_REMOVED : undefined,
  );
  const spanOf = useBlockSpans(filling.target ?? (selection.isWide ? selection.block : null));
  const rows = mountRows(rowParts, {
    context,
    range: mounted.rows,
    columns: mountedColumns,
    activeId,
    selectedKeys,
    marks,
    rowMarks,
    spanOf,
  });

  return (
    <>
      <div
        ref={scroller}
        role="grid"
        className={`grid-root ${prefix}root`}
        tabIndex={0}
        aria-label={props.label}
        aria-rowcount={sequence.length + 1}
        aria-colcount={columnIds.length + (selectable ? 1 : 0)}
        aria-multiselectable
        aria-activedescendant={activeId}
        onKeyDown={(event) => {
          messages.clear();
          onKey(event);
        }}
        {...menu}
        {...pointer.listeners}
      >
        <style>{rules}</style>
        <HeaderRow
          prefix={prefix}
          columns={active.position?.row === -1 ? mountedColumns.withActive : mountedColumns.mounted}
          activeColumn={active.position?.row === -1 ? active.cell?.columnId : undefined}
          dropTarget={gestures.dropTarget}
          sort={props.sort ?? null}
          selection={ticks.state}
        />
        <div
          role="rowgroup"
          className={`grid-body ${prefix}row`}
          style={{ height: sequence.length * rowHeight }}
        >
          {rows}
          {lost && <RemovedRow id={lostId} top={lost.row * rowHeight} />}
        </div>
        <CellNote
          id={`${prefix}note`}
          text={note.text}
          whole={note.whole}
          anchorId={lost ? lostId : activeId}
          scroller={scroller}
        />
      </div>
      {/* Rendered beside the grid, because a grid may contain only rows. */}
      <div className="grid-spoken" aria-live="polite">
        {messages.message.announcement || selectionText(selection, sequence)}
      </div>
    </>
  );
}
