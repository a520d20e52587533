import type { ReactElement } from 'react';
import type { BlockSpan } from './block.ts';
import type { GridRecord } from './columns.ts';
import type { GridParts } from './grid-props.ts';
import { GridRow, type RowContext } from './GridRow.tsx';
import type { CellMarks, RowMarks } from './marks.ts';
import type { MountedColumns } from './use-column-layout.ts';
import type { Range } from './window.ts';

/**
 * Rows that scroll in reuse the elements of rows that scroll out, which costs half as much as new ones: the React key
 * of a row is its index modulo a number of slots. The number grows in steps, so that it changes only with the size of
 * the window. The active row has a key of its own, because an editor, its text and the focus are in its elements.
 */
const SLOT_STEP = 32;

type RowParts = Pick<GridParts, 'sequence' | 'groups' | 'columnIds' | 'active' | 'editing' | 'ticks'>;

interface MountOptions<R extends GridRecord> {
  readonly context: RowContext<R>;
  /** The rows in the viewport. The active row and the sticky one are also mounted. */
  readonly range: Range;
  readonly columns: MountedColumns<R>;
  readonly activeId: string | undefined;
  readonly selectedKeys: ReadonlySet<string> | undefined;
  readonly marks: CellMarks;
  readonly rowMarks: RowMarks;
  /** Returns the part of the selected block in a row. */
  readonly spanOf: (index: number) => BlockSpan | undefined;
}

/** Returns the elements of the mounted rows and heads, from top to bottom. */
export function mountRows<R extends GridRecord>(
  { sequence, groups, columnIds, active, editing, ticks }: RowParts,
  options: MountOptions<R>,
): ReactElement[] {
  const { context, range, columns, activeId, selectedKeys, marks, rowMarks, spanOf } = options;
  const { from, to } = range;
  const slots = Math.ceil((to - from) / SLOT_STEP) * SLOT_STEP;
  const activeRow = active.position?.row ?? -1;
  const stickyIndex = sequence.trailingCount > 0 ? sequence.length - 1 : -1;
  const rows: ReactElement[] = [];
  const mount = (index: number) => {
    const rowKey = sequence.keyAt(index);
    if (rowKey === undefined) return;
    const group = groups?.group(rowKey);
    if (groups && group) {
      const { Head, renderHead } = groups;
      rows.push(
        <Head
          key={rowKey}
          group={group}
          renderHead={renderHead}
          prefix={context.prefix}
          index={index}
          rowHeight={context.rowHeight}
          columnCount={columnIds.length}
          selected={selectedKeys}
          activeId={index === activeRow ? activeId : undefined}
        />,
      );
      return;
    }
    rows.push(
      <GridRow
        key={index === activeRow || index === stickyIndex ? rowKey : `#slot-${index % slots}`}
        context={context}
        rowKey={rowKey}
        index={index}
        columns={index === activeRow ? columns.withActive : columns.mounted}
        active={index === activeRow ? columns.active : undefined}
        session={editing.session?.key === rowKey ? editing.session : null}
        selected={ticks.has(rowKey)}
        marks={marks.get(rowKey)}
        rowMarks={rowMarks.get(rowKey)}
        block={spanOf(index)}
        sticky={index === stickyIndex}
      />,
    );
  };
  if (activeRow >= 0 && activeRow < from) mount(activeRow);
  for (let index = from; index < to; index++) mount(index);
  if (activeRow >= to) mount(activeRow);
  if (stickyIndex >= to && stickyIndex !== activeRow) mount(stickyIndex);
  return rows;
}
