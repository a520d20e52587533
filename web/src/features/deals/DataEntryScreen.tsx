import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useRef, useState, type ReactNode } from 'react';
import { DataGrid, type CellAddress, type GridHandle, type SelectedCells } from '../../grid/grid.ts';
import { createStore, useStore } from '../../platform/external-store.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { useMay } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/deals.ts';
import './DataEntryScreen.css';
import { ColumnChooser } from './ColumnChooser.tsx';
import type { DealField } from './deal-fields.ts';
import { offeredFilters } from './deal-filters.ts';
import { nextDealSort, orderOf, serverOrder, type DealSort } from './deal-order.ts';
import { isUnsaved, rowName, type DealRow, valueOf } from './deal-row.ts';
import { DealFilterButton } from './DealFilterButton.tsx';
import { DealImportButton } from './DealImportButton.tsx';
import { DealInForm } from './DealInForm.tsx';
import { dealColumns, statusClass } from './deals.columns.tsx';
import {
  dealOptionsKey,
  dealOptionsQuery,
  isOverMonths,
  monthOfClock,
  useTimeZone,
} from './deals.queries.ts';
import { DealsEmpty } from './DealsEmpty.tsx';
import { DealsNotice } from './DealsNotice.tsx';
import { DealsStatusBar } from './DealsStatusBar.tsx';
import { DealsToolbar, NewRowButton } from './DealsToolbar.tsx';
import { DealViews } from './DealViews.tsx';
import { shownColumns } from './initial-columns.ts';
import { PresentPeople } from './PresentPeople.tsx';
import { statusStyles } from './status-styles.ts';
import { TableActions } from './TableActions.tsx';
import { useArrangement } from './use-arrangement.ts';
import { useAskedFilters } from './use-asked-filters.ts';
import { useDealView } from './use-deal-view.ts';
import { useDeals } from './use-deals.ts';
import { usePeople } from './use-people.ts';
import { usePresence } from './use-presence.ts';
import { useRenamedStatuses } from './use-renamed-statuses.ts';
import { useSavedViews } from './use-saved-views.ts';
import { useScreenKeys } from './use-screen-keys.ts';
import { useShownMonth } from './use-shown-month.ts';
import { useUndo } from './use-undo.ts';
import { useUntickGone } from './use-untick-gone.ts';
import styles from './DataEntryScreen.module.css';

const KeysHelp = lazy(() => import('./KeysHelp.tsx'));
const DealCards = lazy(() => import('./DealCards.tsx'));
const DealWindowBar = lazy(() => import('./DealWindowBar.tsx'));
const none: ReadonlySet<string> = new Set();
/** What cells are filled in with. */
const choices = ['status', 'dealership', 'item'] as const;

/** The table of deals in which a clerk spends the day (spec sections 2 and 4, product section 4). */
export function DataEntryScreen(): ReactNode {
  const { user } = useSession();
  const rights = useMay();
  const userId = user?._id ?? '';
  const mayEditBlank = rights.do('dataEntry', 'canEditRows');

  const { data: options } = useQuery(dealOptionsQuery);
  const mayAdd = rights.do('dataEntry', 'canAddRows') && mayEditBlank && (options?.add ?? true) === true;
  useLiveRefresh(choices, dealOptionsKey);
  const currentMonth = options?.currentMonth ?? monthOfClock();
  const mayChooseMonth = rights.do('dataEntry', 'canAccessAllMonths');
  const searchesAll = mayChooseMonth && rights.do('dataEntry', 'canSearchHistorical');
  const arrangement = useArrangement(userId);
  const { sort } = arrangement;
  useAskedFilters(arrangement.setFilters);
  const filters = offeredFilters(arrangement.filters, options);
  const shownMonth = useShownMonth(options?.currentMonth);
  const { view, show } = useDealView(shownMonth, mayChooseMonth, searchesAll, filters);

  const people = usePeople();
  const timeZone = useTimeZone();
  const columns = useMemo(
    () => dealColumns(options, { mayEditBlank, people, timeZone }),
    [options, mayEditBlank, people, timeZone],
  );
  const statuses = useMemo(() => options?.statuses ?? [], [options]);
  const statusNames = useMemo(() => statuses.map(({ name }) => name), [statuses]);
  const rowClassName = useMemo(
    () => (row: DealRow) => statusClass(statuses, valueOf(row, 'status')),
    [statuses],
  );
  const columnIds = useMemo(() => columns.map(({ id }) => id), [columns]);

  const overMonths = isOverMonths(view);
  const shown = useMemo(
    () => shownColumns(arrangement.columns, overMonths),
    [arrangement.columns, overMonths],
  );

  const grid = useRef<GridHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const [selected, setSelected] = useState(none);
  const [helps, setHelps] = useState(false);
  const slides = useRef(false);
  const [active] = useState(() => createStore<CellAddress | null>(null));
  const [cells] = useState(() => createStore<SelectedCells | null>(null));

  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  // Cards have no headers to sort by: they are newest first.
  const order = useMemo(() => serverOrder(narrow ? null : sort, options), [narrow, sort, options]);
  const deals = useDeals({
    userId,
    view,
    order,
    currentMonth,
    mayAdd,
    mayChooseMonth,
    onRows(areOthers) {
      if (sort) orderRows(sort);
      if (areOthers) setSelected(none);
      if (slides.current) goToFirst();
    },
  });
  const { rows, table, loading } = deals;
  useUntickGone(rows, setSelected);
  const inWindow = useStore(loading.inWindow);
  const trailing = useStore(table.trailing);
  const presence = usePresence({ deals, month: view.month, active, columnIds });
  useRenamedStatuses(statuses, (names) => {
    table.renameStatuses(names);
    const first = names.get(sort?.first ?? '');
    if (sort && first !== undefined) arrangement.setSort({ ...sort, first });
    const status = names.get(arrangement.filters.status);
    if (status !== undefined) arrangement.setFilters({ status });
  });

  /** Of a window the server decides the order. */
  const orderRows = (next: DealSort | null): void => {
    if (loading.inWindow.get() === null) rows.setOrder(orderOf(rows, next, columns, statusNames));
  };
  const views = useSavedViews({ userId, arrangement, columnIds, options, onSort: orderRows });
  const sortBy = (columnId: string): void => {
    const offered = statuses.filter(({ active }) => active).map(({ name }) => name);
    const next = nextDealSort(sort, columnId, offered);
    arrangement.setSort(next);
    orderRows(next);
  };
  const newRow = (): void => {
    const key = table.blankKey();
    if (key !== null) grid.current?.focusCell(key, 'customerName');
  };
  const showCell = (key: string, field: DealField): void => grid.current?.focusCell(key, field);
  const slide = (backwards: boolean): void => {
    slides.current = backwards ? loading.previous() : loading.next();
  };
  const goToFirst = (): void => {
    slides.current = false;
    const [first] = rows.getOrder();
    if (first !== undefined) grid.current?.focusCell(first, active.get()?.columnId ?? 'customerName');
  };
  const leaveSearch = (to: 'first' | 'back'): void => {
    const cell = active.get();
    if (to === 'first' || cell === null) goToFirst();
    else grid.current?.focusCell(cell.key, cell.columnId);
  };
  const findNext = (backwards: boolean): void => void grid.current?.findNext(backwards);
  const { said, undo, redo } = useUndo(deals, grid, active);
  useScreenKeys({
    onFind: () => search.current?.select(),
    onFindNext: findNext,
    onNewRow: newRow,
    onUndo: undo,
    onRedo: redo,
    onSlide: inWindow === null ? undefined : slide,
    onHelp: () => setHelps(true),
  });

  return (
    <div className={styles.screen}>
      <style>{statusStyles(statuses)}</style>
      <DealsToolbar
        view={view}
        show={show}
        mayChooseMonth={mayChooseMonth}
        searchRef={search}
        onFindNext={findNext}
        onLeaveSearch={leaveSearch}
        arranging={
          <>
            <DealViews used={views} />
            <DealFilterButton filters={filters} options={options} onChange={arrangement.setFilters} />
            {!narrow && (
              <ColumnChooser
                columns={columns}
                state={arrangement.columns}
                onChange={arrangement.setColumns}
              />
            )}
            <PresentPeople people={presence.people} />
          </>
        }
      >
        {!narrow && (
          <TableActions
            deals={deals}
            active={active}
            cells={cells}
            selected={selected}
            onSelected={setSelected}
          />
        )}
        <DealImportButton deals={deals} view={view} />
        {mayAdd && !narrow && <NewRowButton onClick={newRow} />}
      </DealsToolbar>
      <div className={styles.table}>
        {narrow ? (
          <Suspense>
            <DealCards deals={deals} options={options} mayAdd={mayAdd} />
          </Suspense>
        ) : (
          <DataGrid
            label={texts.grid}
            ref={grid}
            store={rows}
            columns={columns}
            columnState={shown}
            onColumnStateChange={arrangement.setColumns}
            trailingRows={trailing}
            isUnsaved={isUnsaved}
            rowClassName={rowClassName}
            rowLabel={rowName}
            onCommand={(command) => {
              said.set('');
              deals.onCommand(command);
            }}
            onTyping={deals.onTyping}
            newRows={deals.addRows}
            onUndo={undo}
            onRedo={redo}
            find={view.search}
            marks={presence.marks}
            onSelectedCellsChange={cells.set}
            sort={sort}
            onHeaderClick={sortBy}
            selectedKeys={selected}
            onSelectedKeysChange={setSelected}
            onActiveCellChange={active.set}
            timeZone={timeZone}
          />
        )}
        <DealInForm deals={deals} userId={userId} options={options} />
        <DealsEmpty deals={deals} view={view} mayAdd={mayAdd} />
      </div>
      {inWindow && (
        <Suspense>
          <DealWindowBar
            inWindow={inWindow}
            rows={rows}
            active={active}
            columns={columns}
            sort={narrow ? null : sort}
            onSlide={slide}
          />
        </Suspense>
      )}
      <DealsNotice deals={deals} columns={columns} active={active} onShow={showCell} />
      <DealsStatusBar
        deals={deals}
        view={view}
        active={active}
        columns={columns}
        cells={cells}
        said={said}
        selected={selected.size}
        mayAdd={mayAdd}
        add={options?.add}
        onHelp={narrow ? undefined : () => setHelps(true)}
      />
      {helps && (
        <Suspense>
          <KeysHelp onClose={() => setHelps(false)} />
        </Suspense>
      )}
    </div>
  );
}
