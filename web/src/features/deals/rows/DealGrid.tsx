import { Suspense, useMemo, type ReactNode } from 'react';
import { DataGrid, type CellMarks } from '../../../grid/grid.ts';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { useStore, type Store } from '../../../platform/external-store.ts';
import { texts } from '../../../texts/deals.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import type { OpenDealMenu } from '../actions/DealMenu.tsx';
import { useDataEntry } from '../data-entry-context.ts';
import { isUnsaved, rowName, type DealRow, valueOf } from '../deal-row.ts';
import { type DealSort, isOverMonths } from '../deal-view.ts';
import { statusClass } from '../deals.columns.tsx';
import { rowMarks } from '../open-parts.ts';
import { shownColumns } from '../views/arrangement.ts';

const DealCards = lazyPart(() => import('./DealCards.tsx'));

/** Height of a row in px with the compact row height. */
const COMPACT_ROW = 26;

type DealGridProps = {
  sort: DealSort | null;
  /** Marks of other users' cells. */
  marks: Store<CellMarks>;
  onSort: (columnId: string) => void;
  onOpen: (key: string) => void;
  onMenu: (menu: OpenDealMenu) => void;
  onUndo: () => void;
  onRedo: () => void;
};

/** The rows as a table, or on a phone as cards. */
export function DealGrid(props: DealGridProps): ReactNode {
  const { sort, marks, onSort, onOpen, onMenu, onUndo, onRedo } = props;
  const { deals, view, options, columns, arrangement, isPhone, grid, groups } = useDataEntry();
  const { active, cells, selected, setSelected } = useDataEntry();
  const trailing = useStore(deals.table.trailing);
  const overMonths = isOverMonths(view);
  const gridColumns = useMemo(
    () => shownColumns(arrangement.columns, overMonths),
    [arrangement.columns, overMonths],
  );
  const statuses = options?.statuses;
  const rowClassName = useMemo(
    () => (row: DealRow) => statusClass(statuses ?? [], valueOf(row, 'status')),
    [statuses],
  );
  const timeZone = useTimeZone();
  if (isPhone)
    return (
      <Suspense>
        <DealCards onMenu={onMenu} />
      </Suspense>
    );
  return (
    <DataGrid
      label={texts.grid}
      ref={grid}
      store={deals.rows}
      groups={groups}
      columns={columns}
      columnState={gridColumns}
      onColumnStateChange={arrangement.setColumns}
      trailingRows={trailing}
      isUnsaved={isUnsaved}
      rowClassName={rowClassName}
      rowLabel={rowName}
      onCommand={deals.onCommand}
      onTyping={deals.onTyping}
      newRows={deals.addRows}
      onUndo={onUndo}
      onRedo={onRedo}
      find={view.search}
      marks={marks}
      rowMarks={rowMarks}
      onSelectedCellsChange={cells.set}
      sort={sort}
      onHeaderClick={onSort}
      selectedKeys={selected}
      onSelectedKeysChange={setSelected}
      onActiveCellChange={active.set}
      onOpen={onOpen}
      onContextMenu={(target, at) => onMenu({ target, at })}
      timeZone={timeZone}
      {...(arrangement.isCompact && { rowHeight: COMPACT_ROW })}
    />
  );
}
