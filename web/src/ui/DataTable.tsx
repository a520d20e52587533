import { Checkbox, Loader } from '@mantine/core';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { useMemo, useState, type ReactNode } from 'react';
import { nextSort, sortRows, type Sort, type SortValue } from './sort-rows.ts';
import styles from './DataTable.module.css';

export type DataColumn<R> = {
  readonly id: string;
  readonly header: string;
  /** What the column is sorted by. Left out, it cannot be sorted. */
  readonly sortBy?: (row: R) => SortValue;
  readonly render: (row: R) => ReactNode;
  readonly align?: 'left' | 'right';
  /** CSS width; the rest is shared out. */
  readonly width?: string;
  /** Not shown on a phone. */
  readonly wideOnly?: boolean;
};

type DataTableProps<R> = {
  /** What the table holds, for those who cannot see it. */
  label: string;
  /** Stable: made at module level or with `useMemo`. */
  columns: readonly DataColumn<R>[];
  /** Undefined while loading. */
  rows: readonly R[] | undefined;
  rowKey: (row: R) => string;
  /** What a row is called where only its check box is read out. */
  rowLabel: (row: R) => string;
  empty: ReactNode;
  /** With both, each row has a check box and the head has one for all. */
  selected?: ReadonlySet<string>;
  onSelectedChange?: (keys: ReadonlySet<string>) => void;
  /** Buttons at the end of a row. */
  actions?: (row: R) => ReactNode;
  /** Quieter rows, for example inactive ones. */
  isMuted?: (row: R) => boolean;
};

/** A small whole list: sorted by its headers, selected by its check boxes, all with the keyboard. */
export function DataTable<R>({
  label,
  columns,
  rows,
  rowKey,
  rowLabel,
  empty,
  selected,
  onSelectedChange,
  actions,
  isMuted,
}: DataTableProps<R>): ReactNode {
  const [sort, setSort] = useState<Sort | null>(null);
  const sorted = useMemo(() => {
    const sortBy = columns.find((column) => column.id === sort?.columnId)?.sortBy;
    return rows && sort && sortBy ? sortRows(rows, sortBy, sort.descending) : rows;
  }, [columns, rows, sort]);

  if (sorted === undefined) {
    return (
      <output className={styles.loading}>
        <Loader size={16} /> Loading...
      </output>
    );
  }
  if (sorted.length === 0) return <div className={styles.frame}>{empty}</div>;

  const selection = selected && onSelectedChange ? { selected, change: onSelectedChange } : undefined;
  const keys = sorted.map(rowKey);
  const chosen = keys.filter((key) => selected?.has(key)).length;
  const toggle = (key: string): void => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    selection?.change(next);
  };

  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th className={styles.check} scope="col">
                <Checkbox
                  aria-label="Select all"
                  checked={chosen === keys.length}
                  indeterminate={chosen > 0 && chosen < keys.length}
                  onChange={() => selection.change(new Set(chosen === keys.length ? [] : keys))}
                />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell
                key={column.id}
                column={column}
                sort={sort}
                onSort={() => setSort(nextSort(sort, column.id))}
              />
            ))}
            {actions && (
              <th className={styles.actions} scope="col">
                <span className={styles.hidden}>Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => {
            const key = rowKey(row);
            return (
              <tr
                key={key}
                data-selected={selected?.has(key) || undefined}
                data-muted={isMuted?.(row) || undefined}
              >
                {selection && (
                  <td className={styles.check}>
                    <Checkbox
                      aria-label={`Select ${rowLabel(row)}`}
                      checked={selected?.has(key) ?? false}
                      onChange={() => toggle(key)}
                    />
                  </td>
                )}
                {columns.map((column) => (
                  <td key={column.id} data-align={column.align} data-wide-only={column.wideOnly || undefined}>
                    {column.render(row)}
                  </td>
                ))}
                {actions && (
                  <td className={styles.actions}>
                    <div className={styles.buttons}>{actions(row)}</div>
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

type HeaderCellProps<R> = { column: DataColumn<R>; sort: Sort | null; onSort: () => void };

function HeaderCell<R>({ column, sort, onSort }: HeaderCellProps<R>): ReactNode {
  const own = sort?.columnId === column.id ? sort : null;
  const direction = own?.descending ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      style={{ width: column.width }}
      data-align={column.align}
      data-wide-only={column.wideOnly || undefined}
      aria-sort={own ? direction : undefined}
    >
      {column.sortBy ? (
        <button type="button" className={styles.sort} onClick={onSort}>
          {column.header}
          {own && (own.descending ? <ArrowDown size={13} /> : <ArrowUp size={13} />)}
        </button>
      ) : (
        column.header
      )}
    </th>
  );
}
