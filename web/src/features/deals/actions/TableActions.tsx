import {
  useDeferredValue,
  useEffect,
  useMemo,
  useReducer,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
} from 'react';
import { useStore } from '../../../platform/external-store.ts';
import { itemsInEdit, useDataEntry } from '../data-entry-context.ts';
import { ItemsInEdit } from '../items/ItemsInEdit.tsx';
import { DealActions } from './DealActions.tsx';

type TableActionsProps = {
  selected: ReadonlySet<string>;
  onSelected: Dispatch<SetStateAction<ReadonlySet<string>>>;
};

/** Actions on the selected rows, else on those of the selected block, else on the active row. */
export function TableActions({ selected, onSelected }: TableActionsProps): ReactNode {
  const { deals, active, cells } = useDataEntry();
  const cell = useStore(active);
  const activeKey = cell?.key;
  const block = useDeferredValue(useStore(cells));
  // Rows that left the table are no longer selected.
  useEffect(
    () =>
      deals.rows.subscribeOrder(() =>
        onSelected((before) => {
          const present = [...before].filter((key) => deals.rows.get(key));
          return present.length === before.size ? before : new Set(present);
        }),
      ),
    [deals.rows, onSelected],
  );
  const keys = useMemo(() => {
    if (selected.size > 0) return [...selected];
    if (block && block.keys.length > 1) return block.keys.filter((key) => key !== deals.table.blankKey());
    return activeKey === undefined ? [] : [activeKey];
  }, [deals.table, selected, block, activeKey]);
  // Abilities change when drafts are saved, and when other users change or share rows.
  useStore(deals.draftSync.pending);
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const stops = keys.map((key) => deals.rows.subscribeRow(key, drawAgain));
    return () => stops.forEach((stop) => stop());
  }, [deals.rows, keys]);
  const rows = keys.flatMap((key) => deals.rows.get(key) ?? []);
  return (
    <>
      <DealActions
        rows={rows}
        columnId={cell?.columnId}
        onItems={({ key }) => itemsInEdit.set(key)}
        onDeleted={() => onSelected(new Set())}
      />
      <ItemsInEdit />
    </>
  );
}
