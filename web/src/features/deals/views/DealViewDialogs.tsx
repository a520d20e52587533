import { Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/deal-views.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { ComparedField } from '../../../ui/foreign-changes.ts';
import { FormModal } from '../../../ui/FormModal.tsx';
import { toastDone } from '../../../ui/toasts.ts';
import { useRecordForm } from '../../../ui/use-record-form.ts';
import { useDeleteView, useSaveView } from '../../deal-views/deal-views.queries.ts';
import type { UsedView } from './use-arrangement.ts';

export type DealViewDialog = 'save-as' | 'rename' | 'delete';

type DialogProps = { used: UsedView; onClose: () => void };

/** The dialogs of views: a name, or a confirmation. */
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

const comparedFields: readonly ComparedField<{ name: string; shared: boolean }>[] = [
  { field: 'name', label: texts.name },
  { field: 'shared', label: texts.shareToo, text: ({ shared }) => texts.yesNo(shared) },
];

/** Saves the current arrangement as a new view of the user under a name, or renames the active view. */
function NameView({ used, isNew, onClose }: DialogProps & { isNew: boolean }): ReactNode {
  const { view, current } = used;
  const { mutateAsync } = useSaveView();
  const form = useRecordForm({
    record: isNew ? undefined : (view ?? undefined),
    valuesOf: (renamed) => ({ name: renamed?.name ?? '', shared: renamed?.shared ?? false }),
    inputOf: (values, renamed) => {
      const { filter, sort, group, columns } = renamed ?? current;
      return { ...values, filter, sort, group, columns, ...(renamed && { version: renamed.version }) };
    },
    schema: 'dealView',
    fields: comparedFields,
    failed: texts.failed,
    save: async (input, _key, renamed) => {
      const saved = await mutateAsync({ id: renamed?._id, input });
      if (!renamed) used.adopt(saved._id);
      toastDone(texts.saved(input.name.trim()));
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
      <TextInput label={texts.name} withAsterisk data-autofocus {...form.text('name')} />
      {isNew && <Switch label={texts.shareToo} description={texts.shareHint} {...form.check('shared')} />}
    </FormModal>
  );
}

/** Deletes a view after a confirmation; the current arrangement stays. */
function DeleteView({ used, onClose }: DialogProps): ReactNode {
  const { view } = used;
  const { mutateAsync } = useDeleteView();
  if (!view) return null;
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      confirmLabel={texts.deleteLabel}
      destructive
      failed={texts.deleteFailed}
      done={texts.deleted(view.name)}
      onConfirm={async () => {
        await mutateAsync(view._id);
        used.adopt(null);
      }}
      onClose={onClose}
    >
      {texts.deleteQuestion(view.name, view.shared)}
    </ConfirmDialog>
  );
}
