import type { Item } from '@forecourt/contract/items';
import type { ReactNode } from 'react';
import { texts } from '../../texts/items.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useDeleteItem } from './items.queries.ts';

/** Confirms and deletes. An item used by deals cannot be deleted: the dialog shows how many there are. */
export function DeleteItem({ item, onClose }: { item: Item; onClose: () => void }): ReactNode {
  const { mutateAsync } = useDeleteItem();
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      confirmLabel={texts.delete}
      destructive
      failed={texts.deleteFailed}
      onConfirm={async () => {
        await mutateAsync(item._id);
        toastDone(texts.deleted);
      }}
      onClose={onClose}
    >
      <p>{texts.deleteQuestion}</p>
      <p className="ui-box ui-strong ui-mt-3">{item.name}</p>
    </ConfirmDialog>
  );
}
