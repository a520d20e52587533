import './grid-colours.css';
import './grid.css';
import './grid-cells.css';
import './grid-header.css';
import './grid-checks.css';
import './grid-editors.css';
import {
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactElement,
} from 'react';
import { blockSpans, blockSizeText, type Block } from './block.ts';
import { CellNote } from './CellNote.tsx';
import type { CellAddress, GridRecord } from './columns.ts';
import { cellFinder, useFind } from './find-cell.ts';
import { displayText } from './format.ts';
import type { DataGridProps, GridCommand, GridParts } from './grid-props.ts';
import { GridRow, type RowContext, RemovedRow, ROW_REMOVED } from './GridRow.tsx';
import { HeaderRow } from './HeaderRow.tsx';
import { noGroups, noMarks } from './marks.ts';
import { fillOfDrag, fillOfKey } from './paste-area.ts';
import { passHeads, useRowSequence } from './row-sequence.ts';
import { parseTsv } from './tsv.ts';
import { useActiveCell, useActiveRow } from './use-active-cell.ts';
import { useBlockCommands, useClipboard } from './use-block-commands.ts';
import { useBlockDrag } from './use-block-drag.ts';
import { useBlock, useBlockReport } from './use-block.ts';
import { blockedReason, invalidReason, useCellReason } from './use-cell-reason.ts';
import { useColumnGestures } from './use-column-gestures.ts';
import { layoutRules, SELECT_WIDTH, useColumnLayout, useShownColumns } from './use-column-layout.ts';
import { useEditing } from './use-editing.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useGridMenu } from './use-grid-menu.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { useRowSelection } from './use-row-selection.ts';
import { useViewport } from './use-viewport.ts';
import { isCutOff } from './whole-text.ts';

// oxlint-disable jsx-a11y/prefer-tag-over-role -- a <table> allows neither rows out of flow nor virtual columns

/** The last message, shown beside the active cell or only announced. The next key clears it. */
interface GridMessage {
  readonly note: string | null;
  /** The blocked cell that a user tried to edit. Its reason is shown as long as it applies. */
  readonly blocked: CellAddress | null;
  /** Whether the cell is too narrow for its text, which the note then contains too. */
  readonly cutOff?: boolean;
  readonly announcement: string;
}
const noMessage: GridMessage = { note: null, blocked: null, announcement: '' };

const MAY_NOT_PASTE = 'The browser does not let this page read the clipboard. Press Ctrl+V to paste.';

const HEADER_HEIGHT = 36;
const ROW_HEIGHT = 32;
/**
 * Rows that scroll in reuse the elements of rows that scroll out, which costs half as much as new ones: the React key
 * of a row is its index modulo a number of slots. The number grows in steps, so that it changes only with the size of
 * the window. The active row has a key of its own, because an editor, its text and the focus are in its elements.
 */
const SLOT_STEP = 32;
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

  const groupStore = props.groups ?? noGroups;
  const groups = useSyncExternalStore(groupStore.subscribe, groupStore.get);
  const sequence = useRowSequence(store, trailingRows, groups);
  const layout = useColumnLayout(columns, columnState, leadingWidth, scroller);
  const mounted = useViewport(scroller, {
    rowHeight,
    rowCount: sequence.length,
    headerHeight: HEADER_HEIGHT,
    pinnedWidth: layout.startWidth + layout.endWidth,
    centerStarts: layout.centerStarts,
  });
  const mountedColumns = useShownColumns(layout, mounted.columns, prefix);
  const ticks = useRowSelection(sequence, selectedKeys, props.onSelectedKeysChange);
  const gestures = useColumnGestures(columns, layout, selectable, props.onColumnStateChange);

  const [message, setMessage] = useState<GridMessage>(noMessage);
  const showNote = (note: string | null) =>
    setMessage((old) => (note === old.note ? old : { ...noMessage, note }));
  const onBlocked = (blocked: CellAddress) => {
    const cutOff = isCutOff(scroller.current?.querySelector('.grid-cell.active') ?? null);
    setMessage({ ...noMessage, blocked, cutOff });
  };
  const editing = useEditing({
    store,
    columns,
    timeZone,
    onCommand: props.onCommand,
    onTyping: props.onTyping,
    onBlocked,
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
  const selection = useBlock(active, sequence, columnIds);
  const commands = useBlockCommands({
    store,
    sequence,
    columns: layout.columns,
    selection,
    timeZone,
    onCommand: props.onCommand,
    newRows: props.newRows,
    onNote: showNote,
    onBlocked,
  });
  useClipboard(scroller, commands, () => setMessage({ ...noMessage, announcement: 'Copied' }));
  const [fillTarget, setFillTarget] = useState<Block | null>(null);
  const drag = useBlockDrag({
    scroller,
    places: {
      ...layout,
      rowHeight,
      headerHeight: HEADER_HEIGHT,
      stickyHeight: sequence.trailingCount > 0 ? rowHeight : 0,
      rowCount: sequence.length,
    },
    onDrag(kind, to) {
      if (kind === 'select') selection.extendTo(to);
      else setFillTarget((selection.block && fillOfDrag(selection.block, to)?.target) ?? null);
    },
    onDrop() {
      setFillTarget(null);
      if (!fillTarget || !selection.block) return;
      commands.fillFrom({ source: selection.block, target: fillTarget });
      selection.selectBlock(fillTarget);
    },
    onCancel: () => setFillTarget(null),
  });
  const block = fillTarget ?? selection.block;
  useBlockReport(selection.isWide ? selection.block : null, sequence, columnIds, props.onSelectedCellsChange);

  const invalid = useCellReason(store, columns, active.cell, invalidReason);
  const blocked = useCellReason(store, columns, message.blocked, blockedReason);
  const whole = useCellReason(store, columns, message.cutOff ? message.blocked : null, (column, record) =>
    displayText(column, record, timeZone),
  );
  const finder = useMemo(() => cellFinder(props.find ?? ''), [props.find]);
  const findNext = useFind({
    groups,
    store,
    sequence,
    columns: layout.columns,
    timeZone,
    finder,
    active,
  });

  const focusGrid = () => scroller.current?.focus({ preventScroll: true });
  const fill = (direction: 'down' | 'right') => {
    const { block: filled } = selection;
    const filling = filled && fillOfKey(filled, direction, passHeads(sequence, filled.top - 1, -1));
    if (filling) commands.fillFrom(filling);
  };
  const groupKeys = (key: string | undefined) => groups?.group(key ?? '')?.rows;
  const run: Readonly<Record<GridCommand, () => void>> = {
    edit() {
      if (!active.cell || !active.position) return;
      active.reveal(active.position);
      editing.start(active.cell);
    },
    copy: () => void document.execCommand('copy'),
    paste: () =>
      void navigator.clipboard.readText().then(
        (text) => commands.paste(parseTsv(text)),
        () => showNote(MAY_NOT_PASTE),
      ),
    clear: () => commands.clear('clear'),
    fillDown: () => fill('down'),
    fillRight: () => fill('right'),
  };
  const parts: GridParts = {
    props,
    scroller,
    prefix,
    selectable,
    sequence,
    groups,
    columnIds,
    active,
    editing,
    gestures,
    ticks,
    block: selection,
    drag,
    focusGrid,
  };
  const onKey = useGridKeys(parts, {
    typeOf: (columnId) => columns.find((column) => column.id === columnId)?.type,
    onTickRows: () =>
      ticks.toggleRows(groupKeys(active.cell?.key) ?? selection.keys().filter((key) => key !== blankKey)),
    onCommand: (command) => run[command](),
  });

  const editedColumn = editing.session?.columnId;
  const isEditorLost = editedColumn !== undefined && !columns.some(({ id }) => id === editedColumn);
  const leaveLost = useEffectEvent(() => {
    editing.finish('leave');
    focusGrid();
  });
  useEffect(() => {
    if (isEditorLost) leaveLost();
  }, [isEditorLost]);

  function focusCell(key: string, columnId: string) {
    editing.finish('leave');
    groups?.reveal(key);
    // The focus moves first, because a grid activates its first cell when it first receives the focus.
    focusGrid();
    active.activate({ key, columnId });
  }

  useImperativeHandle(ref, () => ({
    focusCell,
    scrollToRow(key) {
      groups?.reveal(key);
      const row = (groupStore.get()?.sequenceOf(trailingRows) ?? sequence).indexOf(key);
      if (row !== null) active.reveal({ row, column: -1 });
    },
    findNext,
    run(command) {
      focusGrid();
      run[command]();
    },
    fitColumn(columnId) {
      if (scroller.current) gestures.fit(columnIds.indexOf(columnId), scroller.current, prefix);
    },
  }));

  const pointer = useGridPointer(parts, {
    onPress: () => setMessage(noMessage),
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
  const markStore = props.marks ?? noMarks;
  const marks = useSyncExternalStore(markStore.subscribe, markStore.get);
  const rowMarkStore = props.rowMarks ?? noMarks;
  const rowMarks = useSyncExternalStore(rowMarkStore.subscribe, rowMarkStore.get);
  const activeRow = active.position?.row ?? -1;
  const activeColumn = mountedColumns.all[active.position?.column ?? -1];
  // The active cell stays mounted when scrolled away: unmounting it would lose the editor, its text and the focus.
  const withActive =
    !activeColumn || mountedColumns.mounted.includes(activeColumn)
      ? mountedColumns.mounted
      : [...mountedColumns.mounted, activeColumn];
  const activeId = active.position ? `${prefix}r${active.position.row}c${active.position.column}` : undefined;
  const menu = useGridMenu(parts, activeId);
  const lost = pointer.isInside ? active.lost : null;
  const lostId = `${prefix}lost`;
  const note = editing.session
    ? editing.session.problem
    : lost
      ? ROW_REMOVED
      : (message.note ?? blocked ?? invalid);
  const stickyIndex = sequence.trailingCount > 0 ? sequence.length - 1 : -1;

  const [left, right] = [block?.left ?? 0, block?.right ?? 0];
  const spanOf = useMemo(() => blockSpans({ left, right }), [left, right]);
  const drawn = block && (selection.isWide || fillTarget) ? block : null;

  const { from, to } = mounted.rows;
  const slots = Math.ceil((to - from) / SLOT_STEP) * SLOT_STEP;
  const rows: ReactElement[] = [];
  const mount = (index: number) => {
    const rowKey = sequence.keyAt(index);
    if (rowKey === undefined) return;
    const group = groups?.group(rowKey);
    if (groups && group) {
      const { Head, renderHead } = groups;
      const activeHead = index === activeRow ? activeId : undefined;
      const head = {
        group,
        renderHead,
        prefix,
        index,
        rowHeight,
        selected: selectedKeys,
        activeId: activeHead,
      };
      rows.push(<Head key={rowKey} columnCount={columnIds.length} {...head} />);
      return;
    }
    rows.push(
      <GridRow
        key={index === activeRow || index === stickyIndex ? rowKey : `#slot-${index % slots}`}
        context={context}
        rowKey={rowKey}
        index={index}
        columns={index === activeRow ? withActive : mountedColumns.mounted}
        active={index === activeRow ? activeColumn : undefined}
        session={editing.session?.key === rowKey ? editing.session : null}
        selected={ticks.has(rowKey)}
        marks={marks.get(rowKey)}
        rowMarks={rowMarks.get(rowKey)}
        block={drawn ? spanOf(index, drawn) : undefined}
        sticky={index === stickyIndex}
      />,
    );
  };
  if (activeRow >= 0 && activeRow < from) mount(activeRow);
  for (let index = from; index < to; index++) mount(index);
  if (activeRow >= to) mount(activeRow);
  if (stickyIndex >= to && stickyIndex !== activeRow) mount(stickyIndex);

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
          setMessage(noMessage);
          onKey(event);
        }}
        {...menu}
        {...pointer.listeners}
      >
        <style>{rules}</style>
        <HeaderRow
          prefix={prefix}
          columns={active.position?.row === -1 ? withActive : mountedColumns.mounted}
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
          text={note}
          whole={note === blocked ? whole : null}
          anchorId={lost ? lostId : activeId}
          scroller={scroller}
        />
      </div>
      {/* Rendered beside the grid, because a grid may contain only rows. */}
      <div className="grid-spoken" aria-live="polite">
        {message.announcement ||
          (selection.isWide && selection.block
            ? blockSizeText(
                selection.block,
                sequence.countBetween(selection.block.top, selection.block.bottom),
              )
            : '')}
      </div>
    </>
  );
}
