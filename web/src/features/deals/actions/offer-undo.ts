import { texts } from '../../../texts/deal-actions.ts';
import { toastUndo } from '../../../ui/toast-undo.tsx';
import { toastDone, toastWarning } from '../../../ui/toasts.ts';
import { focusTable } from '../data-entry-context.ts';
import type { Step } from '../undo-step.ts';

/** Reports an action with an undo button. After the undo it reports what could not be undone, or else `undone`. */
export const offerUndo = (done: string, undo: Step['undo'], undone?: string): void =>
  toastUndo(done, texts.undo, async () => {
    // The pressed button is gone. A dialog that is open keeps the focus.
    const dialog = document.querySelector<HTMLElement>('[aria-modal="true"]');
    if (dialog) dialog.focus({ preventScroll: true });
    else focusTable();
    const { message, isComplete } = await undo();
    if (!isComplete) toastWarning(message);
    else if (undone !== undefined) toastDone(undone);
  });
