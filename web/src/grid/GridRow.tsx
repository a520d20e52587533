import { memo, useCallback, useSyncExternalStore, type ReactElement } from 'react';
import type { BlockSpan } from './block.ts';
import { CellEditor } from './CellEditor.tsx';
import type { GridRecord } from './columns.ts';
import type { CellFinder } from './find-cell.ts';
import { displayText } from './format.ts';
import type { CellMark, RowMark } from './marks.ts';
import type { RowStore } from './row-store.ts';
import type { ShownColumn } from './use-column-layout.ts';
import type { Session } from './use-editing.ts';

// oxlint-disable jsx-a11y/prefer-tag-over-role -- a <table> allows neither rows out of flow nor virtual columns

/** Props shared by all rows. Their identity is stable, so that a row renders only for its own changes. */
export interface RowContext<R extends GridRecord> {
  readonly store: RowStore<R>;
  readonly prefix: string;
  readonly rowHeight: number;
  readonly timeZone: string;
  readonly selectable: boolean;
  readonly rowClassName: ((record: R) => string | undefined) | undefined;
  readonly isUnsaved: ((record: R) => boolean) | undefined;
  readonly rowLabel: ((record: R) => string) | undefined;
  readonly finder: CellFinder | null;
}

export interface GridRowProps<R extends GridRecord> {
  readonly context: RowContext<R>;
  readonly rowKey: string;
  readonly index: number;
  readonly columns: readonly ShownColumn<R>[];
  /** The column of the active cell, which stays mounted when it is scrolled away; undefined in all other rows. */
  readonly active: ShownColumn<R> | undefined;
  readonly session: Session | null;
  readonly selected: boolean;
  /** Marks by column id. */
  readonly marks: ReadonlyMap<string, CellMark> | undefined;
  readonly rowMarks: readonly RowMark[] | undefined;
  /** The part of the selected block in this row; its identity is stable while it is unchanged. */
  readonly block: BlockSpan | undefined;
  /** Whether this is the blank row at the end, which is sticky at the lower edge. */
  readonly sticky: boolean;
}

function Row<R extends GridRecord>(props: GridRowProps<R>): ReactElement | null {
  const { context, rowKey, index, columns, active, session, selected, marks, rowMarks, block, sticky } =
    props;
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

  const cells = columns.map((shownColumn) => {
    const { column } = shownColumn;
    const refusal = column.refusal?.(record) ?? null;
    const invalid = refusal !== null || (column.invalidReason?.(record) ?? null) !== null;
    const editing = session?.columnId === column.id ? session : null;
    const locked = column.readOnly || (column.blockedReason?.(record) ?? null) !== null;
    let cellClass = shownColumn.className;
    const ownClass = column.cellClassName?.(record);
    if (ownClass) cellClass += ` ${ownClass}`;
    const inBlock = block !== undefined && shownColumn.index >= block.from && shownColumn.index <= block.to;
    // The fill handle is at the lower right corner of the block, or of the active cell without a block.
    const hasHandle = block ? block.isBottom && shownColumn.index === block.to : shownColumn === active;
    const link = column.link?.(record) ?? null;
    const mark = marks?.get(column.id);
    if (mark) cellClass += ` grid-marked ${mark.className}`;
    if (inBlock) cellClass += blockClass(block, shownColumn.index);
    if (shownColumn === active) cellClass += ' active';
    if (context.finder?.(column, record, timeZone)) cellClass += ' found';
    if (editing) cellClass += ' editing';
    else if (invalid) cellClass += ' refused';
    return (
      <div
        key={column.id}
        role="gridcell"
        className={cellClass}
        aria-colindex={shownColumn.index + (selectable ? 2 : 1)}
        // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA 1.2 lists it for gridcell
        aria-readonly={locked || undefined}
        id={shownColumn === active ? `${prefix}r${index}c${shownColumn.index}` : undefined}
        aria-selected={shownColumn === active || inBlock || undefined}
        aria-invalid={invalid || undefined}
        aria-describedby={invalid && shownColumn === active ? `${prefix}note` : undefined}
      >
        {editing ? (
          <CellEditor column={column} session={editing} prefix={prefix} />
        ) : (
          (refusal?.text ?? displayText(column, record, timeZone))
        )}
        {link && !editing && (
          <a
            className="grid-link"
            href={link.href}
            aria-label={link.label}
            // The link is no tab stop, because Tab moves through the cells.
            tabIndex={-1}
            // Stops the press before the grid captures the pointer, which would suppress the click.
            onPointerDown={(event) => event.stopPropagation()}
            onClick={(event) => {
              if (!link.open || event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              link.open();
            }}
          >
            {link.icon}
          </a>
        )}
        {mark && !editing && (
          <span className="grid-mark" title={mark.title} aria-hidden>
            {mark.label}
          </span>
        )}
        {hasHandle && !editing && <span className="grid-fill-handle" aria-hidden />}
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
        // Labelled explicitly. A label computed from its content would make it a second cell with the record's name.
        <div
          role="gridcell"
          aria-colindex={1}
          aria-label={sticky ? undefined : 'Select row'}
          className="grid-cell grid-select grid-pinned"
        >
          {!sticky && (
            <span
              role="checkbox"
              aria-checked={selected}
              aria-label={`Select ${context.rowLabel?.(record) || 'row'}`}
              className="grid-check"
            />
          )}
          {rowMarks?.map(({ label, className = 'icon', icon, onClick }) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the caller has a key for it
            <span
              key={className}
              role="button"
              aria-label={label}
              className={`grid-row-mark ${className}`}
              onClick={onClick}
            >
              {icon}
            </span>
          ))}
        </div>
      )}
      {cells}
    </div>
  );
}

/** The cells draw the outline of a block, so that it scrolls and sticks with them. */
function blockClass({ from, to, isTop, isBottom }: BlockSpan, column: number): string {
  let className = ' in-block';
  if (isTop) className += ' block-top';
  if (isBottom) className += ' block-bottom';
  if (column === from) className += ' block-left';
  if (column === to) className += ' block-right';
  return className;
}

/** One row. It subscribes to its record and renders only if the record, its columns or its editing state change. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo drops the generic parameter
export const GridRow = memo(Row) as typeof Row;

/** Replaces the note of the active cell. */
export const ROW_REMOVED = 'This row is no longer in the table. Press an arrow key or click a cell to go on.';

/** A line in place of the removed active row, with the note below it at the left edge of the viewport. */
export function RemovedRow({ id, top }: { readonly id: string; readonly top: number }): ReactElement {
  return (
    <div className="grid-lost" style={{ transform: `translateY(${top}px)` }} aria-hidden>
      <span id={id} />
    </div>
  );
}
