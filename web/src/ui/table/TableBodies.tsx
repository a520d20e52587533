import { Checkbox } from '@mantine/core';
import { type ReactNode, type RefObject, memo, type MouseEvent } from 'react';
import { texts } from '../../texts/table.ts';
import type { DataColumn } from './data-column.ts';
import { CHUNK_SIZE, useNearChunks, WHOLE_SIZE } from './use-near-chunks.ts';
import styles from './Table.module.css';

type TableBodiesProps<R> = {
  table: RefObject<HTMLTableElement | null>;
  columns: readonly DataColumn<R>[];
  rows: readonly R[];
  keys: readonly string[];
  rowLabel: (row: R) => string;
  actions?: ((row: R) => ReactNode) | undefined;
  isMuted?: (row: R) => boolean;
  selected?: ReadonlySet<string>;
  onToggle: ((key: string, extend: boolean) => void) | undefined;
  hasRest: boolean;
};

/** The rows. Of a long table only rows near the viewport are mounted, and the row with the keyboard focus. */
export function TableBodies<R>(props: TableBodiesProps<R>): ReactNode {
  const { table, columns, rows, keys, rowLabel, actions, isMuted, selected, onToggle, hasRest } = props;
  const near = useNearChunks(table, rows.length);
  const isLong = rows.length > WHOLE_SIZE;

  const size = isLong ? CHUNK_SIZE : rows.length;
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, chunk) => {
    const from = chunk * size;
    const chunkRows = rows.slice(from, from + size);
    if (isLong && !near.isNear(chunk)) {
      return (
        <tbody key={chunk} aria-hidden="true">
          <tr style={{ height: near.heightOf(chunk, chunkRows.length) }} />
        </tbody>
      );
    }
    return (
      <tbody key={chunk} data-rows>
        {chunkRows.map((row, index) => {
          const key = keys[from + index] ?? '';
          return (
            <TableRow
              key={key}
              row={row}
              rowKey={key}
              label={rowLabel(row)}
              columns={columns}
              actions={actions}
              isMuted={isMuted?.(row) ?? false}
              isSelected={onToggle && selected?.has(key)}
              onToggle={onToggle}
              ariaRowIndex={isLong ? from + index + 2 : undefined}
              hasRest={hasRest}
            />
          );
        })}
      </tbody>
    );
  });
}

type TableRowProps<R> = Pick<TableBodiesProps<R>, 'columns' | 'actions' | 'onToggle'> & {
  row: R;
  rowKey: string;
  label: string;
  isMuted: boolean;
  /** Undefined in a table without checkboxes. */
  isSelected: boolean | undefined;
  /** Counts from 2, since the head is 1; undefined if all rows are mounted. */
  ariaRowIndex: number | undefined;
  /** An empty last cell fills the remaining width. */
  hasRest: boolean;
};

function TableRowOnce<R>(props: TableRowProps<R>): ReactNode {
  const { row, rowKey, label, columns, actions, isMuted, isSelected, onToggle } = props;
  const { ariaRowIndex, hasRest } = props;
  return (
    <tr
      data-row={rowKey}
      data-selected={isSelected || undefined}
      data-muted={isMuted || undefined}
      aria-rowindex={ariaRowIndex}
    >
      {isSelected !== undefined && (
        <td className={styles.check}>
          <Checkbox
            aria-label={texts.select(label)}
            checked={isSelected}
            onChange={({ nativeEvent }) =>
              onToggle?.(rowKey, (nativeEvent as unknown as MouseEvent).shiftKey)
            }
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} data-align={column.align} data-wide-only={column.wideOnly || undefined}>
          {column.render(row)}
        </td>
      ))}
      {actions && (
        <td className={styles.actions} data-actions>
          <div className={`ui-line ui-gap-1 ui-end ${styles.buttons}`}>{actions(row)}</div>
        </td>
      )}
      {hasRest && <td className={styles.rest} aria-hidden="true" />}
    </tr>
  );
}

const TableRow = memo(TableRowOnce) as typeof TableRowOnce;
