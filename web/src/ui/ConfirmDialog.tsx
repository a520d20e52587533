import { Button, Modal } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import './styles-dialog.ts';
import { messageOf } from '../platform/api-error.ts';
import { dialogSizes } from './dialog-sizes.ts';
import { FormMessage } from './FormMessage.tsx';
import { useFocusBack } from './use-focus-back.ts';
import styles from './FormModal.module.css';

type ConfirmDialogProps = {
  title: string;
  /** The question, and what will be gone. */
  children: ReactNode;
  confirmLabel: string;
  /** A step that destroys something is red and does not have the focus. */
  destructive?: boolean;
  /** It cannot be done, and `children` say why: there is nothing to press but Close. */
  blocked?: boolean;
  /** What failed when it did, for when the server did not say anything itself. */
  failed?: string;
  /** Does it. The dialog stays with the reason when this rejects, and closes when it succeeds. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

/** Asks before something is done. Mount it when it is wanted. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  destructive = false,
  blocked = false,
  failed,
  onConfirm,
  onClose,
}: ConfirmDialogProps): ReactNode {
  useFocusBack();
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);

  const confirm = async (): Promise<void> => {
    setBusy(true);
    setMessage(null);
    try {
      await onConfirm();
      onClose();
    } catch (thrown) {
      setMessage(messageOf(thrown, failed));
      setBusy(false);
    }
  };

  return (
    <Modal
      opened
      title={title}
      size={dialogSizes.sm}
      onClose={() => busy || onClose()}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={styles.fields}>
        <FormMessage text={message} />
        <div>{children}</div>
      </div>
      <div className={styles.actions}>
        <Button variant="default" onClick={onClose} disabled={busy} data-autofocus={destructive || undefined}>
          {blocked ? 'Close' : 'Cancel'}
        </Button>
        {!blocked && (
          <Button
            {...(destructive ? { color: 'danger' } : { 'data-autofocus': true })}
            loading={busy}
            onClick={() => void confirm()}
          >
            {confirmLabel}
          </Button>
        )}
      </div>
    </Modal>
  );
}
