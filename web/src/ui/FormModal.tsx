import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/unsaved-form.ts';
import { ActionButton } from './ActionButton.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { ConflictNotice } from './ConflictNotice.tsx';
import type { DialogSize } from './dialog-sizes.ts';
import { Dialog } from './Dialog.tsx';
import type { ForeignChange } from './foreign-changes.ts';
import { FormMessage } from './FormMessage.tsx';
import { useLeaveWarning } from './use-leave-warning.ts';
import styles from './FormModal.module.css';

type FormModalProps = {
  title: string;
  size?: DialogSize;
  /** The form of `useForm` or `useRecordForm`. */
  form: {
    message: string | null;
    busy: boolean;
    onSubmit: (event: React.SubmitEvent<HTMLFormElement>) => void;
    conflict?: { changes: readonly ForeignChange[] | null; take(field: string): void };
  };
  submitLabel?: string;
  /** Makes the submit button red. */
  destructive?: boolean;
  /** Text of the button while the form is sent; a spinner without it. */
  busyLabel?: string;
  /** Text of the other button while the form is sent, if the dialog may be closed meanwhile; without it the dialog stays. */
  leaveLabel?: string;
  /** The reason why it cannot be submitted now, shown by the disabled button. */
  blocked?: string | undefined;
  /** The user has typed something that closing or leaving would lose: they are asked first. */
  isUnsaved?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/**
 * A dialog with a form. Mount it to open it and unmount it in `onClose`, so that each opening starts with fresh
 * values. Fields in `children` stack with a gap; two side by side go into `<FormRow>`.
 */
export function FormModal({
  title,
  size = 'md',
  form,
  submitLabel = 'Save',
  destructive = false,
  busyLabel,
  leaveLabel,
  blocked,
  isUnsaved = false,
  onClose,
  children,
}: FormModalProps): ReactNode {
  const mustStay = form.busy && leaveLabel === undefined;
  const [asks, setAsks] = useState(false);
  const isKept = isUnsaved && !form.busy;
  const leaving = useLeaveWarning(isKept);
  const close = (): void => (isKept ? setAsks(true) : onClose());
  return (
    <Dialog title={title} size={size} onClose={() => mustStay || close()} closeOnClickOutside={false}>
      <form onSubmit={form.onSubmit} noValidate>
        <div className="ui-stack">
          <FormMessage text={form.message} />
          {form.conflict?.changes && (
            <ConflictNotice changes={form.conflict.changes} onTake={(field) => form.conflict?.take(field)} />
          )}
          {children}
        </div>
        <div className={`ui-line ui-end ui-stays ${styles.buttons}`}>
          <Button variant="default" onClick={close} disabled={mustStay}>
            {form.busy && leaveLabel !== undefined ? leaveLabel : 'Cancel'}
          </Button>
          <ActionButton
            type="submit"
            {...(destructive && { color: 'danger' })}
            loading={form.busy && busyLabel === undefined}
            ability={blocked ?? true}
          >
            {form.busy && busyLabel !== undefined ? busyLabel : submitLabel}
          </ActionButton>
        </div>
      </form>
      {(asks || leaving) && (
        <ConfirmDialog
          title={texts.title}
          confirmLabel={texts.discard}
          destructive
          onConfirm={async () => {
            onClose();
            leaving?.proceed();
          }}
          onClose={() => {
            setAsks(false);
            leaving?.reset();
          }}
        >
          {texts.question}
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

/** Fields side by side; one below the other on a phone. */
export function FormRow({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.row}>{children}</div>;
}
