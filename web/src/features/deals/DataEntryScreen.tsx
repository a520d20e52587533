import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useRef, useState, type ReactNode } from 'react';
import { DataGrid, useStoredColumnState, type CellAddress, type GridHandle } from '../../grid/grid.ts';
import { createStore, useStore } from '../../platform/external-store.ts';
import { may } from '../../platform/permissions.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/deals.ts';
import './DataEntryScreen.css';
import { ColumnChooser } from './ColumnChooser.tsx';
import { nextDealSort, orderOf, type DealSort } from './deal-order.ts';
import { isUnsaved, valueOf, type DealField, type DealRow } from './deal-row.ts';
import { dealColumns, statusClass } from './deals.columns.tsx';
import { dealOptionsQuery, monthOfClock } from './deals.queries.ts';
import { DealsEmpty } from './DealsEmpty.tsx';
import { DealsNotice } from './DealsNotice.tsx';
import { DealsStatusBar } from './DealsStatusBar.tsx';
import { DealsToolbar, NewRowButton } from './DealsToolbar.tsx';
import { initialColumns } from './initial-columns.ts';
import { statusStyles } from './status-styles.ts';
import { TableActions } from './TableActions.tsx';
import { useDealView } from './use-deal-view.ts';
import { useDeals } from './use-deals.ts';
import { useScreenKeys } from './use-screen-keys.ts';
import styles from './DataEntryScreen.module.css';

const DealCards = lazy(() => import('./DealCards.tsx'));
const none: ReadonlySet<string> = new Set();

/** The table of deals in which a clerk spends the day (spec sections 2 and 4, product section 4). */
export function DataEntryScreen(): ReactNode {
  const { user } = useSession();
  const rights = may(user);
  const userId = user?._id ?? '';
  const mayEditBlank = rights.do('dataEntry', 'canEditRows');
  const mayAdd = rights.do('dataEntry', 'canAddRows') && mayEditBlank;

  const { data: options } = useQuery(dealOptionsQuery);
  const currentMonth = options?.currentMonth ?? monthOfClock();
  const mayChooseMonth = rights.do('dataEntry', 'canAccessAllMonths');
  const { view, show } = useDealView(currentMonth, mayChooseMonth);

  const columns = useMemo(() => dealColumns(options, { mayEditBlank }), [options, mayEditBlank]);
  const statuses = useMemo(() => options?.statuses ?? [], [options]);
  const statusNames = useMemo(() => statuses.map(({ name }) => name), [statuses]);
  const rowClassName = useMemo(
    () => (row: DealRow) => statusClass(statuses, valueOf(row, 'status')),
    [statuses],
  );
  const [columnState, setColumnState] = useStoredColumnState(`data-entry-columns:${userId}`, initialColumns);

  const grid = useRef<GridHandle>(null);
  const search = useRef<HTMLInputElement>(null);
  const [sort, setSort] = useState<DealSort | null>(null);
  const [selected, setSelected] = useState(none);
  const [active] = useState(() => createStore<CellAddress | null>(null));

  const deals = useDeals({
    userId,
    view,
    currentMonth,
    mayAdd,
    onRows: () => sort && deals.rows.setOrder(orderOf(deals.rows, sort, columns, statusNames)),
  });
  const { rows, table } = deals;
  const trailing = useStore(table.trailing);

  const sortBy = (columnId: string): void => {
    const next = nextDealSort(sort, columnId, statusNames);
    setSort(next);
    rows.setOrder(orderOf(rows, next, columns, statusNames));
  };
  const newRow = (): void => {
    const key = table.blankKey();
    if (key !== null) grid.current?.focusCell(key, 'customerName');
  };
  const showCell = (key: string, field: DealField): void => grid.current?.focusCell(key, field);
  useScreenKeys({ onFind: () => search.current?.select(), onNewRow: newRow });

  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  return (
    <div className={styles.screen}>
      <style>{statusStyles(statuses)}</style>
      <DealsToolbar view={view} show={show} mayChooseMonth={mayChooseMonth} searchRef={search}>
        {!narrow && <ColumnChooser columns={columns} state={columnState} onChange={setColumnState} />}
        {!narrow && (
          <TableActions deals={deals} active={active} selected={selected} onSelected={setSelected} />
        )}
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
            columnState={columnState}
            onColumnStateChange={setColumnState}
            trailingRows={trailing}
            isUnsaved={isUnsaved}
            rowClassName={rowClassName}
            onCommand={deals.onCommand}
            sort={sort}
            onHeaderClick={sortBy}
            selectedKeys={selected}
            onSelectedKeysChange={setSelected}
            onActiveCellChange={active.set}
          />
        )}
        <DealsEmpty deals={deals} view={view} mayAdd={mayAdd} />
      </div>
      <DealsNotice deals={deals} columns={columns} active={active} onShow={showCell} />
      <DealsStatusBar deals={deals} view={view} active={active} selected={selected.size} mayAdd={mayAdd} />
    </div>
  );
}
