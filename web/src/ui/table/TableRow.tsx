import { Checkbox } from '@mantine/core';
import { memo, type MouseEvent, type ReactNode } from 'react';
import { texts } from '../../texts/table.ts';
import type { DataColumn } from './data-column.ts';
import styles from './Table.module.css';

type TableRowProps<R> = {
  row: R;
  rowKey: string;
  label: string;
  columns: readonly DataColumn<R>[];
  actions: ((row: R) => ReactNode) | undefined;
  isMuted: boolean;
  isTabStop: boolean;
  /** Undefined in a table without checkboxes. */
  isSelected: boolean | undefined;
  onToggle: ((key: string, extend: boolean) => void) | undefined;
  /** From 2, the head being 1, where not every row is mounted. */
  ariaRowIndex: number | undefined;
  /** An empty last cell fills the remaining width. */
  hasRest: boolean;
};

function TableRowOnce<R>(props: TableRowProps<R>): ReactNode {
  const { row, rowKey, label, columns, actions, isMuted, isTabStop, isSelected, onToggle } = props;
  const { ariaRowIndex, hasRest } = props;
  return (
    <tr
      data-row={rowKey}
      data-selected={isSelected || undefined}
      data-muted={isMuted || undefined}
      aria-rowindex={ariaRowIndex}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys go from row to row; Space and Enter act on it
      tabIndex={isTabStop ? 0 : -1}
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

/** One row. Memoised: renders only when its own props change. */
export const TableRow = memo(TableRowOnce) as typeof TableRowOnce;
