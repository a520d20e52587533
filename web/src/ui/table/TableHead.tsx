import { Checkbox } from '@mantine/core';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { type CSSProperties, type ReactNode, useRef } from 'react';
import { texts } from '../../texts/table.ts';
import type { Sort } from '../sort-rows.ts';
import type { DataColumn } from './data-column.ts';
import type { ColumnWidths } from './use-column-widths.ts';
import styles from './Table.module.css';

type TableHeadProps<R> = {
  columns: readonly DataColumn<R>[];
  sort: Sort | null;
  onSort: (column: DataColumn<R>) => void;
  widths: ColumnWidths;
  onFit: (column: DataColumn<R>) => void;
  options: (column: DataColumn<R>) => ReactNode;
  /** Undefined in a table without checkboxes. */
  selectAll: { checked: boolean; mixed: boolean; onChange: () => void } | undefined;
  hasActions: boolean;
};

export function TableHead<R>(props: TableHeadProps<R>): ReactNode {
  const { columns, sort, onSort, widths, onFit, options, selectAll, hasActions } = props;
  return (
    <thead>
      <tr>
        {selectAll && (
          <th className={styles.check} scope="col">
            <Checkbox
              aria-label={texts.selectAll}
              checked={selectAll.checked}
              indeterminate={selectAll.mixed}
              onChange={selectAll.onChange}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            data-column={column.id}
            data-align={column.align}
            data-wide-only={column.wideOnly || undefined}
            data-flexible={column.width === undefined || undefined}
            style={
              {
                '--column-width': widths.areSet ? `${widths.of(column)}px` : column.width,
              } as CSSProperties
            }
            aria-sort={sort?.columnId === column.id ? directionOf(sort) : undefined}
          >
            <div className={`ui-line ui-gap-1 ${styles.head}`}>
              {column.sortBy ? (
                <button type="button" className={`ui-inline ${styles.sort}`} onClick={() => onSort(column)}>
                  <span className={styles.label}>{column.header}</span>
                  {sort?.columnId === column.id &&
                    (sort.descending ? <ArrowDown size={13} /> : <ArrowUp size={13} />)}
                </button>
              ) : (
                <span className={styles.label}>{column.header}</span>
              )}
              {options(column)}
            </div>
            <ColumnEdge columnId={column.id} widths={widths} onFit={() => onFit(column)} />
          </th>
        ))}
        {hasActions ? (
          <th className={styles.actions} scope="col">
            <span className="ui-hidden">{texts.actions}</span>
          </th>
        ) : (
          widths.areSet && <td className={styles.rest} aria-hidden="true" />
        )}
      </tr>
    </thead>
  );
}

const directionOf = ({ descending }: Sort) => (descending ? 'descending' : 'ascending');

type ColumnEdgeProps = { columnId: string; widths: ColumnWidths; onFit: () => void };

/**
 * The right edge of a column's header: a drag resizes the column, a double click fits it to its content. By keyboard: the
 * column's options.
 */
function ColumnEdge({ columnId, widths, onFit }: ColumnEdgeProps): ReactNode {
  const from = useRef<{ x: number; width: number } | null>(null);
  return (
    <span
      className={styles.edge}
      data-edge
      aria-hidden="true"
      onPointerDown={({ button, currentTarget, pointerId, clientX }) => {
        if (button !== 0) return;
        currentTarget.setPointerCapture(pointerId);
        from.current = { x: clientX, width: widths.measure(columnId) };
      }}
      onPointerMove={({ clientX }) => {
        if (from.current) widths.drag(columnId, from.current.width + clientX - from.current.x);
      }}
      onPointerUp={({ clientX }) => {
        const by = clientX - (from.current?.x ?? clientX);
        if (from.current && by !== 0) widths.resize(columnId, from.current.width + by);
      }}
      onLostPointerCapture={() => {
        from.current = null;
        widths.endDrag();
      }}
      onDoubleClick={onFit}
    />
  );
}
