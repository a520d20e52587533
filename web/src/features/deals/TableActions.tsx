import { useDeferredValue, useEffect, useMemo, useReducer, type ReactNode } from 'react';
import type { CellAddress, SelectedCells } from '../../grid/grid.ts';
import { useStore, type Store } from '../../platform/external-store.ts';
import { DealActions } from './DealActions.tsx';
import { itemsInEdit } from './items-in-edit.ts';
import { ItemsInEdit } from './ItemsInEdit.tsx';
import type { Deals } from './use-deals.ts';

type TableActionsProps = {
  deals: Deals;
  active: Store<CellAddress | null>;
  /** The block of cells, where it is more than one. */
  cells: Store<SelectedCells | null>;
  selected: ReadonlySet<string>;
  onSelected: (keys: ReadonlySet<string>) => void;
};

/** Actions on the ticked rows; without any on those of the block, or on the row that somebody is in. */
export function TableActions({ deals, active, cells, selected, onSelected }: TableActionsProps): ReactNode {
  const cell = useStore(active);
  const activeKey = cell?.key;
  const block = useDeferredValue(useStore(cells));
  const keys = useMemo(() => {
    if (selected.size > 0) return [...selected];
    if (block && block.keys.length > 1) return block.keys.filter((key) => key !== deals.table.blankKey());
    return activeKey === undefined ? [] : [activeKey];
  }, [deals.table, selected, block, activeKey]);
  // What may be done with a row changes when its typing has been saved, and when others change or share it.
  useStore(deals.outbox.pending);
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const stops = keys.map((key) => deals.rows.subscribeRow(key, drawAgain));
    return () => stops.forEach((stop) => stop());
  }, [deals.rows, keys]);
  const rows = keys.flatMap((key) => deals.rows.get(key) ?? []);
  return (
    <>
      <DealActions
        deals={deals}
        rows={rows}
        columnId={cell?.columnId}
        onItems={({ key }) => itemsInEdit.set(key)}
        onDeleted={() => onSelected(new Set())}
      />
      <ItemsInEdit deals={deals} />
    </>
  );
}
