import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { toastFailed } from './toasts.ts';

const UNDO_MS = 10_000;

/**
 * Shows a success toast with an undo button for 10 seconds.
 * @param undo a rejection is shown as a failure toast
 */
export function toastUndo(message: string, label: string, undo: () => Promise<void>): void {
  const revert = async (id: string): Promise<void> => {
    notifications.hide(id);
    try {
      await undo();
    } catch (thrown) {
      toastFailed(thrown);
    }
  };
  const id = notifications.show({
    message: (
      <span className="ui-line ui-gap-3 ui-between">
        {message}
        <Button variant="default" flex="none" onClick={() => void revert(id)}>
          {label}
        </Button>
      </span>
    ),
    color: 'accent',
    autoClose: UNDO_MS,
    closeButtonProps: { 'aria-label': 'Close' },
  });
}
