import type { ReactNode } from 'react';
import { texts as done } from '../../texts/deal-actions.ts';
import { texts } from '../../texts/deals.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toastUndo } from '../../ui/toast-undo.tsx';
import { toastDone, toastWarning } from '../../ui/toasts.ts';
import { isUnsaved, rowName, type DealRow } from './deal-row.ts';
import type { UndoOutcome } from './deal-undo.ts';
import { focusTable } from './focus-table.ts';
import type { Deals } from './use-deals.ts';

type DeleteDealsProps = {
  deals: Deals;
  rows: readonly DealRow[];
  onDone: () => void;
  onClose: () => void;
};

/** What of the rows can come back. */
function fateOf(count: number, unsaved: number): string {
  if (unsaved === 0) return texts.comesBack(count);
  return unsaved === count ? texts.isGoneThen(count) : texts.partIsGoneThen(unsaved);
}

/** Asks, naming the rows, and deletes them in one step, which can be taken back for 10 s; unsaved ones are discarded. */
export function DeleteDeals({
  deals: { outbox, actions },
  rows,
  onDone,
  onClose,
}: DeleteDealsProps): ReactNode {
  const remove = async (): Promise<void> => {
    const saved = rows.flatMap(({ deal }) => deal ?? []);
    const undo = saved.length > 0 ? await actions.remove(saved) : null;
    for (const { key } of rows) outbox.discard(key);
    if (undo === null) toastDone(texts.deleted(rows.length));
    else
      toastUndo(texts.deleted(rows.length), done.undo, async () => {
        focusTable();
        say(await undo(), saved.length);
      });
    onDone();
  };
  const say = ({ words, isWhole }: UndoOutcome, count: number): void =>
    isWhole ? toastDone(done.restored(count)) : toastWarning(words);
  const unsaved = rows.filter(isUnsaved).length;
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
      {texts.deleteQuestion(names)} {fateOf(rows.length, unsaved)}
    </ConfirmDialog>
  );
}
