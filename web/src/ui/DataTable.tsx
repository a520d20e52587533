import { Button, ActionIcon } from '@mantine/core';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import {
  useCallback,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  useLayoutEffect,
  type RefObject,
} from 'react';
import { useSession } from '../platform/session.ts';
import { readStored, tableKey, writeStored } from '../platform/storage-keys.ts';
import { texts } from '../texts/table.ts';
import { EmptyState } from './EmptyState.tsx';
import { LoadingCard } from './Loaded.tsx';
import { nextSort, sortRows } from './sort-rows.ts';
import { ColumnOptions } from './table/ColumnOptions.tsx';
import type { DataColumn } from './table/data-column.ts';
import { filterRows, withFilter, type Filters, filterText } from './table/filter-rows.ts';
import { toggled } from './table/selection.ts';
import { emptyView, parseView, type TableView } from './table/table-view.ts';
import { TableBodies } from './table/TableBodies.tsx';
import { TableHead } from './table/TableHead.tsx';
import { headOf, useColumnWidths } from './table/use-column-widths.ts';
import { WHOLE_SIZE } from './table/use-near-chunks.ts';
import styles from './table/Table.module.css';

export type { DataColumn };

/** Width of the checkbox column in px, as in Table.module.css. */
const CHECK_WIDTH = 40;

export type DataTableProps<R> = {
  label: string;
  /** Name under which the widths, sort and hidden columns are stored, per user and browser. */
  name?: string;
  /** Its identity must be stable: defined at module level or with `useMemo`. */
  columns: readonly DataColumn<R>[];
  /** Undefined while loading. */
  rows: readonly R[] | undefined;
  rowKey: (row: R) => string;
  rowLabel: (row: R) => string;
  empty: ReactNode;
  /** If set, each row has a checkbox, and the head has one for all rows. */
  selected?: ReadonlySet<string>;
  onSelectedChange?: (keys: ReadonlySet<string>) => void;
  /** Buttons at the end of a row. */
  actions?: ((row: R) => ReactNode) | undefined;
  /** Whether the row is greyed out, for example because it is inactive. */
  isMuted?: (row: R) => boolean;
};

const noRows: readonly never[] = [];

/**
 * The table of all lists (docs/product/screens.md, Tables): rows are sorted, filtered and selected and columns resized. A column can be sorted with `sortBy` and filtered with `filterBy`; without them the rows
 * remain in the given order, as for a list that the server paginates.
 */
export function DataTable<R>(props: DataTableProps<R>): ReactNode {
  const { label, name, rows: loadedRows, rowKey, empty, selected, onSelectedChange, actions } = props;
  const rows = loadedRows ?? noRows;
  const table = useRef<HTMLTableElement>(null);
  const [view, changeView] = useTableView(name);
  const [filters, setFilters] = useState<Filters>({});
  const [announcement, announce] = useState('');
  const pressedLast = useRef<string | null>(null);

  const { sort, hidden } = view;
  const columns = useMemo(
    () => props.columns.filter(({ id }, index) => index === 0 || !hidden.includes(id)),
    [props.columns, hidden],
  );
  const visibleRows = useMemo(() => {
    const filteredRows = filterRows(rows, props.columns, filters);
    const sortBy = props.columns.find(({ id }) => id === sort?.columnId)?.sortBy;
    return sort && sortBy ? sortRows(filteredRows, sortBy, sort.descending) : filteredRows;
  }, [props.columns, rows, filters, sort]);
  const keys = useMemo(() => visibleRows.map(rowKey), [visibleRows, rowKey]);

  const widths = useColumnWidths(table, view.widths, (next) => changeView({ widths: next }));
  const announceWidth = ({ header }: DataColumn<R>, width: number): void =>
    announce(texts.resized(header, width));
  const widen = (column: DataColumn<R>, by: number): void =>
    announceWidth(column, widths.resize(column.id, widths.measure(column.id) + by));
  const fit = (column: DataColumn<R>): void => announceWidth(column, widths.fit(column.id));

  const toggle = useCallback(
    (key: string, extend: boolean) => {
      if (selected) onSelectedChange?.(toggled(selected, keys, key, extend ? pressedLast.current : null));
      pressedLast.current = key;
    },
    [selected, onSelectedChange, keys],
  );
  const onToggle = selected && onSelectedChange ? toggle : undefined;

  const isLong = visibleRows.length > WHOLE_SIZE;
  const isFixed = isLong || widths.areSet;
  useActionsWidth(table, isFixed && actions !== undefined);

  if (loadedRows === undefined) {
    return <LoadingCard />;
  }
  if (rows.length === 0) return <div className={`ui-card ${styles.frame}`}>{empty}</div>;

  /** Deselects rows that the filters hide: actions must not apply to hidden rows. */
  const filterBy = (next: Filters): void => {
    setFilters(next);
    if (!selected || selected.size === 0) return;
    const left = filterRows(rows, props.columns, next).map(rowKey);
    onSelectedChange?.(new Set(left.filter((key) => selected.has(key))));
  };
  const clear = (columnId: string | null): void => {
    filterBy(columnId === null ? {} : withFilter(filters, columnId, []));
    const head = columnId === null ? null : headOf(table.current, columnId);
    (head ?? table.current?.tHead)?.querySelector<HTMLElement>('[data-options]')?.focus();
  };
  const sortByColumn = ({ id, header }: DataColumn<R>): void => {
    const next = nextSort(sort, id);
    changeView({ sort: next });
    announce(next ? texts.sorted(header, next.descending) : texts.unsorted);
  };
  const resetColumns = (): void => changeView({ widths: emptyView.widths, hidden: emptyView.hidden });

  const chosen = keys.filter((key) => selected?.has(key)).length;
  const widthOf = (some: readonly DataColumn<R>[]): number =>
    some.reduce((sum, column) => sum + widths.of(column), 0);
  const desktopWidth = widthOf(columns.filter(({ wideOnly }) => wideOnly === 'desktop'));
  const columnsWidth = widthOf(columns) - desktopWidth + (selected ? CHECK_WIDTH : 0);
  const hiddenCount = props.columns.length - columns.length;

  return (
    <>
      <TableBar
        columns={props.columns}
        filters={filters}
        onClear={clear}
        matches={visibleRows.length}
        all={rows.length}
        hiddenCount={hiddenCount}
        onShowAll={() => changeView({ hidden: emptyView.hidden })}
      />
      <div className={`ui-card ${styles.frame}`}>
        <table
          ref={table}
          className={styles.table}
          aria-label={label}
          aria-rowcount={isLong ? visibleRows.length + 1 : undefined}
          data-fixed={isFixed || undefined}
          data-sized={widths.areSet || undefined}
          style={
            {
              '--columns-width': `${columnsWidth}px`,
              '--desktop-width': `${desktopWidth}px`,
            } as CSSProperties
          }
        >
          <TableHead
            columns={columns}
            sort={sort}
            onSort={sortByColumn}
            widths={widths}
            onFit={fit}
            options={(column) => (
              <ColumnOptions
                column={column}
                rows={rows}
                filter={filters[column.id]}
                onFilter={(filter) => filterBy(withFilter(filters, column.id, filter))}
                onWiden={(by) => widen(column, by)}
                onFit={() => fit(column)}
                onHide={
                  column === columns[0] ? undefined : () => changeView({ hidden: [...hidden, column.id] })
                }
                onReset={widths.areSet || hiddenCount > 0 ? resetColumns : undefined}
              />
            )}
            selectAll={
              onSelectedChange &&
              selected && {
                checked: chosen > 0 && chosen === keys.length,
                mixed: chosen > 0 && chosen < keys.length,
                onChange: () => onSelectedChange(new Set(chosen === keys.length ? [] : keys)),
              }
            }
            hasActions={actions !== undefined}
          />
          {visibleRows.length > 0 ? (
            <TableBodies
              {...props}
              table={table}
              columns={columns}
              rows={visibleRows}
              keys={keys}
              onToggle={onToggle}
              hasRest={widths.areSet && actions === undefined}
            />
          ) : (
            <tbody>
              <tr>
                <td colSpan={columns.length + 2}>
                  <EmptyState
                    icon={<Search />}
                    title={texts.noMatch}
                    action={
                      <Button variant="default" onClick={() => clear(null)}>
                        {texts.clearFilters}
                      </Button>
                    }
                  >
                    {texts.noMatchNext}
                  </EmptyState>
                </td>
              </tr>
            </tbody>
          )}
        </table>
      </div>
      <output className="ui-hidden">{announcement}</output>
    </>
  );
}

type TableBarProps<R> = {
  columns: readonly DataColumn<R>[];
  filters: Filters;
  /** Null clears all filters. */
  onClear: (columnId: string | null) => void;
  /** Number of rows after filtering and in total. */
  matches: number;
  all: number;
  hiddenCount: number;
  onShowAll: () => void;
};

/** The active filters and hidden columns, with buttons to undo them. */
function TableBar<R>(props: TableBarProps<R>): ReactNode {
  const { columns, filters, onClear, matches, all, hiddenCount, onShowAll } = props;
  const isFiltered = Object.keys(filters).length > 0;

  return (
    <div className={`ui-row ${styles.bar}`} data-empty={(!isFiltered && hiddenCount === 0) || undefined}>
      {columns.map(({ id, header, filterBy }) => {
        const filter = filters[id];
        if (!filterBy || !filter) return null;
        const text = texts.filter(header, filterText(filterBy.kind, filter));
        return (
          <span key={id} className={`ui-inline ${styles.chip}`}>
            {text}
            <ActionIcon size={24} aria-label={texts.removeFilter(text)} onClick={() => onClear(id)}>
              <X size={13} />
            </ActionIcon>
          </span>
        );
      })}
      {isFiltered && (
        <Button variant="subtle" size="compact-sm" onClick={() => onClear(null)}>
          {texts.clearFilters}
        </Button>
      )}
      {hiddenCount > 0 && (
        <span className="ui-inline ui-quiet">
          {texts.hidden(hiddenCount)}
          <Button variant="subtle" size="compact-sm" onClick={onShowAll}>
            {texts.showAll}
          </Button>
        </span>
      )}
      <output className="ui-quiet ui-push">{isFiltered && texts.shown(matches, all)}</output>
    </div>
  );
}

/** Px around the buttons, as in Table.module.css. */
const PADDING = 16;

/** Sets `--actions-width` to the width of the buttons of a row, unless the table has automatic layout. */
function useActionsWidth(table: RefObject<HTMLTableElement | null>, isNeeded: boolean): void {
  useLayoutEffect(() => {
    if (!isNeeded || !table.current) return;
    const buttons = [...table.current.querySelectorAll<HTMLElement>('[data-actions] > *')];
    const width = Math.max(0, ...buttons.map(({ offsetWidth }) => offsetWidth)) + PADDING;
    table.current.style.setProperty('--actions-width', `${width}px`);
  });
}

/** The user's layout of a table, stored in this browser by `name`; without a name in memory. */
function useTableView(name: string | undefined): [TableView, (part: Partial<TableView>) => void] {
  const userId = useSession().user?._id;
  const key = name === undefined || userId === undefined ? null : tableKey(name, userId);
  const [view, setView] = useState(() => parseView(key === null ? null : readStored(key)));

  return [
    view,
    (part) => {
      const next = { ...view, ...part };
      setView(next);
      if (key !== null) writeStored(key, JSON.stringify(next));
    },
  ];
}
