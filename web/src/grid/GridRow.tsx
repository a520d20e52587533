// oxlint-disable jsx-a11y/prefer-tag-over-role -- a <table> can neither hold rows out of flow nor columns that come and go
import { memo, useCallback, useSyncExternalStore, type ReactElement } from 'react';
import { CellEditor } from './CellEditor.tsx';
import type { GridRecord } from './columns.ts';
import { displayText } from './format.ts';
import type { RowStore } from './row-store.ts';
import type { ShownColumn } from './shown-columns.ts';
import type { Session } from './use-editing.ts';
import type { RowRefusals } from './use-refusals.ts';

/** What all rows share; keeps its identity, so that a row renders for its own reasons only. */
export interface RowContext<R extends GridRecord> {
  readonly store: RowStore<R>;
  readonly prefix: string;
  readonly rowHeight: number;
  readonly timeZone: string;
  readonly selectable: boolean;
  readonly rowClassName: ((record: R) => string | undefined) | undefined;
  readonly isUnsaved: ((record: R) => boolean) | undefined;
}

export interface GridRowProps<R extends GridRecord> {
  readonly context: RowContext<R>;
  readonly rowKey: string;
  readonly index: number;
  readonly columns: readonly ShownColumn<R>[];
  /** The column of the active cell, mounted also while it is out of sight; undefined in all rows but one. */
  readonly active: ShownColumn<R> | undefined;
  readonly session: Session | null;
  readonly refusals: RowRefusals | undefined;
  readonly selected: boolean;
  /** The blank row at the end, which sticks to the lower edge. */
  readonly sticky: boolean;
}

function Row<R extends GridRecord>(props: GridRowProps<R>): ReactElement | null {
  const { context, rowKey, index, columns, active, session, refusals, selected, sticky } = props;
  const { store, prefix, rowHeight, selectable, timeZone } = context;
  const subscribe = useCallback(
    (listener: () => void) => store.subscribeRow(rowKey, listener),
    [store, rowKey],
  );
  const record = useSyncExternalStore(subscribe, () => store.get(rowKey));
  if (!record) return null;

  let className = `grid-row ${prefix}row`;
  if (sticky) className += ' grid-sticky';
  if (context.isUnsaved?.(record)) className += ' unsaved';
  if (session) className += ' editing';
  if (selected) className += ' selected';
  const own = context.rowClassName?.(record);
  if (own) className += ` ${own}`;

  const cells = columns.map((shown) => {
    const { column } = shown;
    const refusal = refusals?.get(column.id);
    const invalid = refusal !== undefined || (column.invalidReason?.(record) ?? null) !== null;
    const editing = session?.columnId === column.id ? session : null;
    const locked = column.readOnly || (column.blockedReason?.(record) ?? null) !== null;
    let cellClass = shown.className;
    const ownClass = column.cellClassName?.(record);
    if (ownClass) cellClass += ` ${ownClass}`;
    if (shown === active) cellClass += ' active';
    if (editing) cellClass += ' editing';
    else if (invalid) cellClass += ' refused';
    return (
      <div
        key={column.id}
        role="gridcell"
        className={cellClass}
        aria-colindex={shown.index + (selectable ? 2 : 1)}
        // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA 1.2 lists it for gridcell
        aria-readonly={locked || undefined}
        id={shown === active ? `${prefix}r${index}c${shown.index}` : undefined}
        aria-selected={shown === active || undefined}
        aria-invalid={invalid || undefined}
        aria-describedby={invalid && shown === active ? `${prefix}note` : undefined}
      >
        {editing ? (
          <CellEditor column={column} session={editing} prefix={prefix} />
        ) : (
          (refusal?.text ?? displayText(column, record, timeZone))
        )}
      </div>
    );
  });

  return (
    <div
      role="row"
      className={className}
      aria-rowindex={index + 2}
      aria-selected={selectable ? selected : undefined}
      style={
        sticky
          ? { height: rowHeight }
          : { height: rowHeight, transform: `translateY(${index * rowHeight}px)` }
      }
    >
      {selectable && (
        <div role="gridcell" aria-colindex={1} className="grid-cell grid-select grid-pinned">
          {!sticky && (
            <span role="checkbox" aria-checked={selected} aria-label="Select row" className="grid-check" />
          )}
        </div>
      )}
      {cells}
    </div>
  );
}

/** One row: listens to its own record and renders only when that, its columns or its part in editing change. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo forgets that the component is generic
export const GridRow = memo(Row) as typeof Row;
