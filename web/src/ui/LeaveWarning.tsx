import type { ReactNode } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { useLeaveWarning } from './use-leave-warning.ts';

type LeaveWarningProps = {
  /** Whether there are unsaved changes. */
  when: boolean;
  title: string;
  confirmLabel: string;
  children: ReactNode;
};

/** Requires a confirmation before the user leaves a screen with unsaved changes. */
export function LeaveWarning({ when, ...props }: LeaveWarningProps): ReactNode {
  const leaving = useLeaveWarning(when);
  return (
    leaving && (
      <ConfirmDialog
        {...props}
        destructive
        onConfirm={async () => leaving.proceed()}
        onClose={leaving.reset}
      />
    )
  );
}
