import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { toastFailed } from './toasts.ts';
import styles from './toast-undo.module.css';

const UNDO_MS = 10_000;

/**
 * Says that something was done and, for 10 seconds, offers to take it back.
 * @param undo shown as failed, in the server's words, when it rejects
 */
export function toastUndo(message: string, label: string, undo: () => Promise<void>): void {
  const takeBack = async (id: string): Promise<void> => {
    notifications.hide(id);
    try {
      await undo();
    } catch (thrown) {
      toastFailed(thrown);
    }
  };
  const id = notifications.show({
    message: (
      <span className={styles.undo}>
        {message}
        <Button variant="default" onClick={() => void takeBack(id)}>
          {label}
        </Button>
      </span>
    ),
    color: 'accent',
    autoClose: UNDO_MS,
    closeButtonProps: { 'aria-label': 'Close' },
  });
}
