import type { ReactNode } from 'react';
import { texts } from '../../../texts/deal-actions.ts';
import { texts as common } from '../../../texts/deals.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { toastUndo } from '../../../ui/toast-undo.tsx';
import { toastDone, toastWarning } from '../../../ui/toasts.ts';
import { focusTable, useDataEntry } from '../data-entry-context.ts';
import { isUnsaved, rowName, type DealRow } from '../deal-row.ts';
import { useDealActions } from './row-actions.ts';

type DeleteDealsProps = {
  rows: readonly DealRow[];
  onDone: () => void;
  onClose: () => void;
};

/** Returns the text on which of the rows can be restored. */
function fateOf(count: number, unsaved: number): string {
  if (unsaved === 0) return texts.comesBack(count);
  return unsaved === count ? texts.isGoneThen(count) : texts.partIsGoneThen(unsaved);
}

/**
 * Confirms with the names of the rows and deletes them in one step, with an undo for 10 s. Unsaved rows are
 * discarded.
 */
export default function DeleteDeals({ rows, onDone, onClose }: DeleteDealsProps): ReactNode {
  const { draftSync } = useDataEntry().deals;
  const actions = useDealActions();
  const remove = async (): Promise<void> => {
    const saved = rows.flatMap(({ deal }) => deal ?? []);
    const undo = saved.length > 0 ? await actions.remove(saved) : null;
    for (const { key } of rows) draftSync.discard(key);
    if (undo === null) toastDone(texts.deleted(rows.length));
    else
      toastUndo(texts.deleted(rows.length), texts.undo, async () => {
        focusTable();
        const { message, isComplete } = await undo();
        if (isComplete) toastDone(texts.restored(saved.length));
        else toastWarning(message);
      });
    onDone();
  };
  const unsaved = rows.filter(isUnsaved).length;
  const [first] = rows;
  const name = (first && rowName(first)) || common.unnamed;
  const names = rows.length === 1 ? name : name + texts.andMore(rows.length - 1);
  return (
    <ConfirmDialog
      title={texts.deleteTitle(rows.length)}
      confirmLabel={common.deleteRow}
      destructive
      onConfirm={remove}
      onClose={onClose}
    >
      {texts.deleteQuestion(names)} {fateOf(rows.length, unsaved)}
    </ConfirmDialog>
  );
}
