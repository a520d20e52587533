import type { ReactNode } from 'react';
import { texts } from '../../texts/deals.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { rowName, type DealRow } from './deal-row.ts';
import { deleteDeal } from './deals.queries.ts';
import type { Deals } from './use-deals.ts';

type DeleteDealsProps = {
  deals: Deals;
  rows: readonly DealRow[];
  onDone: () => void;
  onClose: () => void;
};

/** Asks, naming the rows, and deletes them one after the other; those that were never saved are discarded. */
export function DeleteDeals({
  deals: { outbox, table },
  rows,
  onDone,
  onClose,
}: DeleteDealsProps): ReactNode {
  const remove = async (): Promise<void> => {
    for (const { key, deal } of rows) {
      outbox.discard(key);
      if (deal === null) continue;
      await deleteDeal(deal._id);
      table.remove([deal._id]);
    }
    toastDone(texts.deleted(rows.length));
    onDone();
  };
  const unsaved = rows.every(({ deal }) => deal === null);
  const [first] = rows;
  const name = (first && rowName(first)) || texts.unnamed;
  const names = rows.length === 1 ? name : name + texts.andMore(rows.length - 1);
  return (
    <ConfirmDialog
      title={texts.deleteTitle(rows.length)}
      confirmLabel={texts.deleteRow}
      destructive
      onConfirm={remove}
      onClose={onClose}
    >
      {unsaved ? texts.discardQuestion(names) : texts.deleteQuestion(names)}
    </ConfirmDialog>
  );
}
