import { StrictMode, useEffect, useState, type ReactElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import {
  createCommandHistory,
  createRowStore,
  DataGrid,
  nextSort,
  pinColumn,
  reversed,
  sortedOrder,
  useStoredColumnState,
  type CellMarks,
  type CellValue,
  type Command,
  type GridHandle,
  type RowMarks,
  type RowStore,
  type SortState,
} from '../../../web/src/grid/grid.ts';
import { createGridGroups } from '../../../web/src/grid/groups.tsx';
import { formatHtmlTable, parseHtmlTable } from '../../../web/src/grid/html-table.ts';
import type { GridGroups } from '../../../web/src/grid/row-sequence.ts';
import type { PageRow } from '../page-controls.ts';
import { cellName, columns, makeRows, refusals } from './rows.ts';

const grid: { current: GridHandle | null } = { current: null };
const unsavedListeners = new Set<(key: string) => void>();
const markListeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  markListeners.add(listener);
  return () => void markListeners.delete(listener);
};
const markStore = { get: () => marks, subscribe };
const groupStore = { get: () => groups, subscribe };
const rowMarkStore = { get: () => rowMarks, subscribe };

// State of the mounted grid, replaced by the next `mount`.
let root: Root;
let store: RowStore<PageRow>;
let marks: CellMarks;
let rowMarks: RowMarks;
let groups: GridGroups | null;
let groupedBy: string | null;
let collapsed: ReadonlySet<string>;
let createdRows: number;
let mostNewRows: number;
let opens: boolean;

const rowClassName = (row: PageRow) => `status-${String(row['dealNumber'] ?? '').length % 3}`;
const rowLabel = (row: PageRow) => String(row['customerName'] ?? '');
const isUnsaved = (row: PageRow) => row.id === undefined;
const rowNumber = (row: PageRow) => Number(row.key.slice(4));
const startingColumns = {
  columnOrder: [],
  columnSizing: {},
  columnVisibility: {},
  columnPinning: { start: ['customerName', 'dealNumber'], end: [] },
};

function sortBy(columnId: string | null, descending: boolean): void {
  const extract = columnId === null ? rowNumber : (row: PageRow) => row[columnId] ?? null;
  store.setOrder(sortedOrder(store, store.getOrder(), [{ extract, descending }]));
}

/** Groups the rows by the texts of a column, in their alphabetical order. */
function placeRows(): void {
  const column = groupedBy;
  if (column === null) groups = null;
  else {
    const byValue = Map.groupBy(store.getOrder(), (key) => String(store.get(key)?.[column] ?? ''));
    const list = [...byValue].sort(([a], [b]) => Number(a > b) - Number(a < b));
    groups = createGridGroups({
      groups: list.map(([value, rows]) => ({
        key: `group-${value}`,
        rows,
        isExpanded: !collapsed.has(`group-${value}`),
        selectLabel: `Select ${value}`,
        addLabel: value === '' ? null : `Add to ${value}`,
      })),
      rest: [],
      renderHead,
      onToggle(key, isExpanded) {
        collapsed = new Set([...collapsed].filter((each) => each !== key).concat(isExpanded ? [] : [key]));
        placeRows();
      },
      onToggleAll(isExpanded) {
        collapsed = new Set(isExpanded ? [] : [...byValue.keys()].map((value) => `group-${value}`));
        placeRows();
      },
      onAdd: (key) => void window.page.added.push(key),
    });
  }
  for (const listener of markListeners) listener();
}

const renderHead = (key: string): ReactElement => <strong>{key.replace('group-', 'Group ')}</strong>;

function App(): ReactElement {
  const [columnState, setColumnState] = useStoredColumnState('grid-columns:page', startingColumns);
  const [trailing, setTrailing] = useState(() => [newRow()]);
  const [sort, setSort] = useState<SortState | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());

  const [history] = useState(() => createCommandHistory<Command>());
  const [find, setFind] = useState('');

  useEffect(() => {
    window.page.setSearch = setFind;
    window.page.pin = (columnId, side) => setColumnState((state) => pinColumn(state, columnId, side));
  }, [setColumnState]);

  function apply({ changes, refused, cleared }: Pick<Command, 'changes' | 'refused' | 'cleared'>) {
    const known = new Set(store.getOrder());
    const put = (key: string, values: Record<string, CellValue>) => {
      const record = store.get(key);
      if (record) store.upsert([{ ...record, ...values }], known.has(key) ? 'end' : 'aside');
    };
    for (const text of cleared) refusals.delete(cellName(text));
    for (const text of refused) refusals.set(cellName(text), text);
    for (const { key } of [...cleared, ...refused]) put(key, {});
    for (const { key, columnId, after } of changes) put(key, { [columnId]: after });
    const last = (old: readonly string[]) => [...changes, ...refused].some(({ key }) => key === old.at(-1));
    setTrailing((old) => (last(old) ? [...old, newRow()] : old));
  }

  function onCommand(command: Command) {
    window.page.changes.push(...command.changes);
    window.page.commands.push(command.source);
    history.record(command);
    apply(command);
  }

  function undo() {
    const command = history.lastDone();
    if (!command) return;
    const { changes, refused, cleared } = command;
    apply({ changes: reversed(changes), refused: cleared, cleared: refused });
    history.undo();
  }

  function redo() {
    const command = history.lastUndone();
    if (!command) return;
    apply(command);
    history.redo();
  }

  function newRows(count: number): readonly string[] {
    const keys = Array.from({ length: Math.min(count, mostNewRows) }, newRow);
    setTrailing((old) => [...old, ...keys]);
    return keys;
  }

  function onHeaderClick(columnId: string) {
    const next = nextSort(sort, columnId);
    setSort(next);
    sortBy(next?.columnId ?? null, next?.direction === 'descending');
  }

  return (
    <DataGrid
      label="Deals"
      ref={(handle) => {
        grid.current = handle;
        const saved = (key: string) => setTrailing((old) => old.filter((each) => each !== key));
        unsavedListeners.add(saved);
        return () => void unsavedListeners.delete(saved);
      }}
      store={store}
      columns={columns}
      columnState={columnState}
      onColumnStateChange={setColumnState}
      onCommand={onCommand}
      onTyping={(typed) => window.page.typed.push(typed)}
      trailingRows={trailing}
      isUnsaved={isUnsaved}
      rowClassName={rowClassName}
      rowLabel={rowLabel}
      groups={groupStore}
      sort={sort}
      onHeaderClick={onHeaderClick}
      selectedKeys={selected}
      onSelectedKeysChange={setSelected}
      timeZone="Australia/Sydney"
      newRows={newRows}
      onUndo={undo}
      onRedo={redo}
      find={find}
      marks={markStore}
      rowMarks={rowMarkStore}
      {...(opens && { onOpen: (key: string) => window.page.opened.push(key) })}
      onSelectedCellsChange={(cells) => (window.page.selected = cells)}
    />
  );
}

function newRow(): string {
  createdRows += 1;
  const key = `new-${createdRows}`;
  store.upsert([{ key }], 'aside');
  return key;
}

function mount(query: string): void {
  const parameters = new URLSearchParams(query);
  document.documentElement.dataset['mantineColorScheme'] = parameters.get('scheme') ?? 'light';
  mostNewRows = Number(parameters.get('newRows') ?? Infinity);
  opens = parameters.has('opens');
  createdRows = 0;
  marks = new Map();
  rowMarks = new Map();
  groups = null;
  groupedBy = null;
  collapsed = new Set();
  refusals.clear();
  store = createRowStore();
  root = createRoot(document.getElementById('app') ?? document.body);
  window.page = {
    store,
    headers: columns.map((column) => column.header),
    changes: [],
    commands: [],
    typed: [],
    selected: null,
    makeRows,
    sort: (columnId) => sortBy(columnId, false),
    save(key) {
      const record = store.get(key);
      if (record) store.upsert([{ ...record, id: `id-${key}` }]);
      for (const listener of unsavedListeners) listener(key);
    },
    groupBy(columnId) {
      groupedBy = columnId;
      placeRows();
    },
    collapseAll() {
      const column = groupedBy ?? '';
      collapsed = new Set(store.getOrder().map((key) => `group-${String(store.get(key)?.[column] ?? '')}`));
      placeRows();
    },
    added: [],
    scrollToRow: (key) => grid.current?.scrollToRow(key),
    findNext: (backwards) => grid.current?.findNext(backwards) ?? false,
    throughHtml: (rows) =>
      parseHtmlTable(formatHtmlTable(rows.map((row) => row.map((text) => ({ text, isText: true }))))),
    setSearch: () => undefined,
    mark(cell) {
      const shown = cell && {
        label: cell.label,
        title: `${cell.label} is here`,
        className: 'marked-by-test',
      };
      marks = new Map(cell && shown ? [[cell.key, new Map([[cell.columnId, shown]])]] : []);
      for (const listener of markListeners) listener();
    },
    markRow(row) {
      const onClick = () => void window.page.clickedMarks.push(row?.label ?? '');
      const dot = { label: row?.label ?? '', className: 'unread', onClick };
      const icon = {
        label: '1 file',
        icon: '¶',
        onClick: () => void window.page.clickedMarks.push('1 file'),
      };
      rowMarks = new Map(row ? [[row.key, [icon, dot]]] : []);
      for (const listener of markListeners) listener();
    },
    clickedMarks: [],
    opened: [],
    pin: () => undefined,
    mount,
    leave: () => root.unmount(),
    firstRowsAfter: 0,
  };
  const rows = makeRows(Number(parameters.get('rows') ?? 200));
  const started = performance.now();
  store.setRows(rows);
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  requestAnimationFrame(function look() {
    if (document.querySelector('.grid-row')) window.page.firstRowsAfter = performance.now() - started;
    else requestAnimationFrame(look);
  });
}

mount(location.search);
