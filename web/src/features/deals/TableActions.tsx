import { useEffect, useReducer, type ReactNode } from 'react';
import type { CellAddress } from '../../grid/grid.ts';
import { useStore, type Store } from '../../platform/external-store.ts';
import { DealActions } from './DealActions.tsx';
import { itemsInEdit } from './items-in-edit.ts';
import { ItemsInEdit } from './ItemsInEdit.tsx';
import type { Deals } from './use-deals.ts';

type TableActionsProps = {
  deals: Deals;
  active: Store<CellAddress | null>;
  selected: ReadonlySet<string>;
  onSelected: (keys: ReadonlySet<string>) => void;
};

const keysOf = (selected: ReadonlySet<string>, activeKey: string | undefined): string[] =>
  selected.size > 0 || activeKey === undefined ? [...selected] : [activeKey];

/** Actions on the ticked rows, or without any on the row that somebody is in. */
export function TableActions({ deals, active, selected, onSelected }: TableActionsProps): ReactNode {
  const cell = useStore(active);
  const activeKey = cell?.key;
  // What may be done with a row changes when its typing has been saved, and when others change or share it.
  useStore(deals.outbox.pending);
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const stops = keysOf(selected, activeKey).map((key) => deals.rows.subscribeRow(key, drawAgain));
    return () => stops.forEach((stop) => stop());
  }, [deals.rows, selected, activeKey]);
  const rows = keysOf(selected, activeKey).flatMap((key) => deals.rows.get(key) ?? []);
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
