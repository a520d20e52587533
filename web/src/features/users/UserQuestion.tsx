import type { Entry, User } from '@forecourt/contract/users';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/users.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { createIntentionKeys } from '../../ui/intention-keys.ts';
import { toastDone } from '../../ui/toasts.ts';
import { useResetPassword, useResetTwoStep, useSaveUser } from './users.queries.ts';

/** Actions on a user that are confirmed first. */
export type Question = 'deactivate' | 'resetPassword' | 'resetTwoStep';

export type OpenDialog =
  | { kind: 'add' }
  | { kind: 'edit' | 'sessions' | 'transferAll'; user: User }
  | { kind: 'question'; question: Question; user: User }
  | { kind: 'entry'; entry: Entry; user: Pick<User, 'name' | 'email'> };

type UserQuestionProps = {
  question: Question;
  user: User;
  onClose: () => void;
  onEntry: (user: User, entry: Entry) => void;
};

/** Confirms an action on a user, with its effect. */
export function UserQuestion({ question, user, onClose, onEntry }: UserQuestionProps): ReactNode {
  const { _id: id, name, sessions } = user;
  const save = useSaveUser();
  const resetPassword = useResetPassword();
  const resetTwoStep = useResetTwoStep();
  const [keyFor] = useState(createIntentionKeys);

  const questions = {
    deactivate: {
      title: texts.deactivateTitle,
      confirmLabel: texts.deactivate,
      failed: texts.updateFailed,
      what: texts.deactivateWhat(name, sessions),
      next: texts.deactivateNext,
      act: async () => {
        const changes = { isActive: false };
        await save.mutateAsync({ params: { id }, body: changes, idempotencyKey: keyFor(changes) });
        toastDone(texts.deactivated(name));
      },
    },
    resetPassword: {
      title: texts.resetTitle,
      confirmLabel: texts.resetPassword,
      failed: texts.resetFailed,
      what: texts.resetWhat(name),
      next: undefined,
      act: async () =>
        onEntry(
          user,
          await resetPassword.mutateAsync({ params: { id }, idempotencyKey: keyFor('resetPassword') }),
        ),
    },
    resetTwoStep: {
      title: texts.resetTwoStepTitle,
      confirmLabel: texts.resetTwoStep,
      failed: texts.updateFailed,
      what: texts.resetTwoStepWhat(name),
      next: undefined,
      act: async () => {
        await resetTwoStep.mutateAsync({ params: { id } });
        toastDone(texts.twoStepForgotten(name));
      },
    },
  };
  const { title, confirmLabel, failed, what, next, act } = questions[question];

  return (
    <ConfirmDialog
      title={title}
      confirmLabel={confirmLabel}
      failed={failed}
      destructive
      onConfirm={act}
      onClose={onClose}
    >
      <p>{what}</p>
      {next !== undefined && <p className="ui-muted ui-mt-2">{next}</p>}
    </ConfirmDialog>
  );
}
