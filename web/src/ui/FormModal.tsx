import { Button, type InputWrapperProps } from '@mantine/core';
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
  /** Text of the submit button while the form is sent; without it, a spinner. */
  busyLabel?: string;
  /** Text of the other button while the form is sent, which may then close the dialog; without it, it stays open. */
  leaveLabel?: string;
  /** Disables the submit button for this reason. */
  blocked?: string | undefined;
  /** Closing or leaving would lose typed input, so the user has to confirm it. */
  isUnsaved?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/**
 * A dialog with a form. It opens when it is mounted; `onClose` must unmount it, so that each opening starts with fresh
 * values. Fields in `children` are stacked; two fields side by side need `<FormRow>`.
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

/** Shows fields side by side; on a phone one below the other. */
export function FormRow({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.row}>{children}</div>;
}

/** Props of a field with its description below, so that fields side by side are aligned. */
export const descriptionBelow = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'],
} satisfies InputWrapperProps;
