import { useMemo, type ReactNode, type RefObject } from 'react';
import type { DataColumn } from './data-column.ts';
import { TableRow } from './TableRow.tsx';
import { CHUNK_SIZE, useNearChunks, WHOLE_SIZE } from './use-near-chunks.ts';

type TableBodiesProps<R> = {
  table: RefObject<HTMLTableElement | null>;
  columns: readonly DataColumn<R>[];
  /** In display order, with their keys. */
  rows: readonly R[];
  keys: readonly string[];
  rowLabel: (row: R) => string;
  actions?: ((row: R) => ReactNode) | undefined;
  isMuted?: (row: R) => boolean;
  selected?: ReadonlySet<string>;
  onToggle: ((key: string, extend: boolean) => void) | undefined;
  tabStop: string | undefined;
  hasRest: boolean;
};

/** All rows; of a long table those near the viewport, and the row with the keyboard focus. */
export function TableBodies<R>(props: TableBodiesProps<R>): ReactNode {
  const { table, columns, rows, keys, rowLabel, actions, isMuted, selected, onToggle, tabStop, hasRest } =
    props;
  const near = useNearChunks(table, rows.length);
  const isLong = rows.length > WHOLE_SIZE;
  const active = useMemo(() => (tabStop === undefined ? -1 : keys.indexOf(tabStop)), [keys, tabStop]);

  const size = isLong ? CHUNK_SIZE : rows.length;
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, chunk) => {
    const from = chunk * size;
    const chunkRows = rows.slice(from, from + size);
    if (isLong && !near.isNear(chunk) && Math.floor(active / size) !== chunk) {
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
              isTabStop={key === tabStop}
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
