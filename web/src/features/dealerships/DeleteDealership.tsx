import type { Dealership } from '@forecourt/contract/dealerships';
import type { ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { texts } from '../../texts/dealerships.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { useDeleteDealership } from './dealerships.queries.ts';

type DeleteDealershipProps = { dealership: Dealership; onClose: () => void };

/** Confirms and deletes. A dealership with deals cannot be deleted: the dialog shows how many there are. */
export function DeleteDealership({ dealership, onClose }: DeleteDealershipProps): ReactNode {
  const { mutateAsync } = useDeleteDealership();
  const { _id, name, contacts } = dealership;

  const remove = async (): Promise<void> => {
    try {
      await mutateAsync(_id);
      toastDone(texts.deleted);
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.code === 'IN_USE') throw thrown;
      toastFailed(thrown, texts.deleteFailed);
    }
  };

  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      confirmLabel={texts.delete}
      destructive
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{texts.deleteQuestion}</p>
      <p className="ui-box ui-strong ui-mt-3">{texts.deleteWhat(name, contacts.length)}</p>
    </ConfirmDialog>
  );
}
