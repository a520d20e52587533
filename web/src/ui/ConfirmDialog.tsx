import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { messageOf } from '../platform/api-error.ts';
import { Dialog } from './Dialog.tsx';
import { FormMessage } from './FormMessage.tsx';
import { toastDone } from './toasts.ts';

type ConfirmDialogProps = {
  title: string;
  /** The question, and what will be deleted. */
  children: ReactNode;
  confirmLabel: string;
  /** Label of the button that closes the dialog; default: Cancel. */
  closeLabel?: string;
  /** The confirm button is red and does not have the initial focus. */
  destructive?: boolean;
  /** The action is impossible for the reason in `children`, so the only button is Close. */
  blocked?: boolean;
  /** Shown for a failure without a message of the server. */
  failed?: string;
  /** The toast after the action. */
  done?: string;
  /** Runs the action. If it rejects, the dialog shows the reason; if it resolves, the dialog closes. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  closeLabel = 'Cancel',
  destructive = false,
  blocked = false,
  failed,
  done,
  onConfirm,
  onClose,
}: ConfirmDialogProps): ReactNode {
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);

  const confirm = async (): Promise<void> => {
    setBusy(true);
    setMessage(null);
    try {
      await onConfirm();
      if (done !== undefined) toastDone(done);
      onClose();
    } catch (thrown) {
      setMessage(messageOf(thrown, failed));
      setBusy(false);
    }
  };

  return (
    <Dialog title={title} size="sm" onClose={() => busy || onClose()}>
      <div className="ui-stack">
        <FormMessage text={message} />
        <div>{children}</div>
      </div>
      <div className="ui-line ui-end ui-mt-5">
        <Button variant="default" onClick={onClose} disabled={busy} data-autofocus={destructive || undefined}>
          {blocked ? 'Close' : closeLabel}
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
    </Dialog>
  );
}
