import { Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/deal-views.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { FormModal } from '../../ui/FormModal.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { useDeleteView, useSaveView } from '../deal-views/deal-views.queries.ts';
import type { UsedView } from './use-saved-views.ts';

export type DealViewDialog = 'save-as' | 'rename' | 'delete';

type DialogProps = { used: UsedView; onClose: () => void };

/** What needs more than one step: a name, or a yes. */
export default function DealViewDialogs({
  dialog,
  ...props
}: DialogProps & { dialog: DealViewDialog }): ReactNode {
  return dialog === 'delete' ? (
    <DeleteView {...props} />
  ) : (
    <NameView isNew={dialog === 'save-as'} {...props} />
  );
}

/** Gives what is on the screen a name, as a view of one's own; or the view that is used another name. */
function NameView({ used, isNew, onClose }: DialogProps & { isNew: boolean }): ReactNode {
  const { view, current } = used;
  const { mutateAsync } = useSaveView();
  const form = useForm({
    initial: { name: isNew ? '' : (view?.name ?? ''), shared: false },
    failed: texts.failed,
    validate: ({ name }) =>
      name.trim() === '' ? { name: texts.nameRequired } : ({} as Record<string, string>),
    async submit({ name, shared }) {
      if (isNew || !view) {
        const added = await mutateAsync({ id: undefined, input: { name, shared, ...current } });
        used.adopt(added._id);
      } else {
        const { _id, filters, sort, columns, version } = view;
        const input = { name, shared: view.shared, filters, sort, columns, version };
        await mutateAsync({ id: _id, input });
      }
      toastDone(texts.saved(name.trim()));
      onClose();
    },
  });
  return (
    <FormModal
      title={isNew ? texts.saveAsTitle : texts.renameTitle}
      size="sm"
      form={form}
      submitLabel={texts.saveLabel}
      onClose={onClose}
    >
      <TextInput label={texts.name} withAsterisk maxLength={60} data-autofocus {...form.text('name')} />
      {isNew && <Switch label={texts.shareToo} description={texts.shareHint} {...form.check('shared')} />}
    </FormModal>
  );
}

/** Asks, and goes on with what is on the screen. */
function DeleteView({ used, onClose }: DialogProps): ReactNode {
  const { view } = used;
  const { mutateAsync } = useDeleteView();
  if (!view) return null;
  const remove = async (): Promise<void> => {
    await mutateAsync(view._id);
    used.adopt(null);
    toastDone(texts.deleted(view.name));
  };
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      confirmLabel={texts.deleteLabel}
      destructive
      failed={texts.deleteFailed}
      onConfirm={remove}
      onClose={onClose}
    >
      {texts.deleteQuestion(view.name, view.shared)}
    </ConfirmDialog>
  );
}
