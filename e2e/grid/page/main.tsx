import { StrictMode, useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import {
  createRowStore,
  DataGrid,
  nextSort,
  sortedOrder,
  useStoredColumnState,
  type Command,
  type GridHandle,
  type SortState,
} from '../../../web/src/grid/grid.ts';
import type { PageRow } from '../page-controls.ts';
import { columns, makeRows } from './rows.ts';

const store = createRowStore<PageRow>();
const grid: { current: GridHandle | null } = { current: null };
const root = createRoot(document.getElementById('app') ?? document.body);
const unsavedListeners = new Set<(key: string) => void>();

window.page = {
  store,
  headers: columns.map((column) => column.header),
  changes: [],
  makeRows,
  sort: (columnId) => sortBy(columnId, false),
  save(key) {
    const record = store.get(key);
    if (record) store.upsert([{ ...record, id: `id-${key}` }]);
    for (const listener of unsavedListeners) listener(key);
  },
  scrollToRow: (key) => grid.current?.scrollToRow(key),
  leave: () => root.unmount(),
  firstRowsAfter: 0,
};

const rowClassName = (row: PageRow) => `status-${String(row['dealNumber'] ?? '').length % 3}`;
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

function App(): ReactElement {
  const [columnState, setColumnState] = useStoredColumnState('grid-page', startingColumns);
  const [trailing, setTrailing] = useState(() => [newRow()]);
  const [sort, setSort] = useState<SortState | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());

  function onCommand(command: Command) {
    window.page.changes.push(...command.changes);
    for (const { key, columnId, after } of command.changes) {
      const record = store.get(key);
      if (!record) continue;
      store.upsert([{ ...record, [columnId]: after }], trailing.includes(key) ? 'aside' : 'end');
      if (trailing.at(-1) === key) setTrailing((old) => [...old, newRow()]);
    }
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
      trailingRows={trailing}
      isUnsaved={isUnsaved}
      rowClassName={rowClassName}
      sort={sort}
      onHeaderClick={onHeaderClick}
      selectedKeys={selected}
      onSelectedKeysChange={setSelected}
      timeZone="Australia/Sydney"
    />
  );
}

let newRows = 0;
function newRow(): string {
  newRows += 1;
  const key = `new-${newRows}`;
  store.upsert([{ key }], 'aside');
  return key;
}

const parameters = new URLSearchParams(location.search);
document.documentElement.dataset['mantineColorScheme'] = parameters.get('scheme') ?? 'light';
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
