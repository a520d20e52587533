import type { ReactNode } from 'react';
import type { CellAddress } from '../../grid/grid.ts';
import { useStore, type Store } from '../../platform/external-store.ts';
import { DealActions } from './DealActions.tsx';
import type { Deals } from './use-deals.ts';

type TableActionsProps = {
  deals: Deals;
  active: Store<CellAddress | null>;
  selected: ReadonlySet<string>;
  onSelected: (keys: ReadonlySet<string>) => void;
};

/** Actions on the ticked rows, or without any on the row that somebody is in. */
export function TableActions({ deals, active, selected, onSelected }: TableActionsProps): ReactNode {
  const cell = useStore(active);
  // What may be done with a row changes when its typing has been saved.
  useStore(deals.outbox.pending);
  const keys = selected.size > 0 ? [...selected] : cell === null ? [] : [cell.key];
  const rows = keys.map((key) => deals.rows.get(key)).filter((row) => row !== undefined);
  return <DealActions deals={deals} rows={rows} onDeleted={() => onSelected(new Set())} />;
}
