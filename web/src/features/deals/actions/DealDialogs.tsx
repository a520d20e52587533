import { Select } from '@mantine/core';
import { Suspense, type ReactNode } from 'react';
import { texts } from '../../../texts/deal-actions.ts';
import { texts as undoTexts } from '../../../texts/deal-undo.ts';
import { texts as common } from '../../../texts/deals.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { isDay } from '../../../ui/day-text.ts';
import { DayField } from '../../../ui/DayField.tsx';
import { FormModal } from '../../../ui/FormModal.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { toastDone } from '../../../ui/toasts.ts';
import { useForm } from '../../../ui/use-form.ts';
import { DoNotContactForm } from '../../do-not-contact/do-not-contact.lazy.ts';
import { MergeDialog, SendEmailDialog } from '../../email-sending/send-dialogs.lazy.ts';
import { dealAttachmentsQuery } from '../attachments/deal-attachments.queries.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { activeNames } from '../deal-fields.ts';
import { contactsOf, editAbility, isUnsaved, rowName, type DealRow } from '../deal-row.ts';
import { dealDialog, findContact, type DealDialog } from '../open-parts.ts';
import { offerUndo } from './offer-undo.ts';
import { useDealActions } from './row-actions.ts';

const ShareDeals = lazyPart(async () => ({ default: (await import('./DealSharing.tsx')).ShareDeals }));
const TransferDeals = lazyPart(async () => ({ default: (await import('./DealSharing.tsx')).TransferDeals }));
const DeletedRows = lazyPart(() => import('./DeletedRows.tsx'));
const DealAttachments = lazyPart(() => import('../attachments/DealAttachments.tsx'));
const MergeRows = lazyPart(() => import('./MergeRows.tsx'));
const RowHistory = lazyPart(() => import('../changes/RowHistory.tsx'));

export default function DealDialogs({ dialog }: { dialog: DealDialog }): ReactNode {
  return (
    <Suspense>
      <Dialog {...dialog} />
    </Suspense>
  );
}

function Dialog({ kind, rows, duplicates, field, onDeleted }: DealDialog): ReactNode {
  const onClose = (): void => dealDialog.set(null);
  const saved = rows.flatMap(({ deal }) => deal ?? []);
  const [first, second] = saved;
  const customerName = first?.customerName ?? common.unnamed;
  switch (kind) {
    case 'email':
      if (!first) return null;
      if (second) return <MergeDialog dealIds={saved.map(({ _id }) => _id)} onClose={onClose} />;
      return (
        <SendEmailDialog
          deal={{ _id: first._id, customerName, files: dealAttachmentsQuery(first._id) }}
          onClose={onClose}
        />
      );
    case 'share':
      return <ShareDeals deals={saved} onClose={onClose} />;
    case 'transfer':
      return <TransferDeals deals={saved} onClose={onClose} />;
    case 'delete':
      return <DeleteDeals rows={rows} onDone={onDeleted} onClose={onClose} />;
    case 'status':
      return <SetStatus rows={rows} onClose={onClose} />;
    case 'month':
      return <SetMonth rows={rows} onClose={onClose} />;
    case 'history':
      return <RowHistory rows={rows} field={field} onClose={onClose} />;
    case 'merge': {
      const [survivor, other, ...others] = [...saved, ...(duplicates ?? [])];
      if (!survivor || !other) return null;
      return (
        <MergeRows
          rows={[survivor, other, ...others]}
          candidates={duplicates?.slice(1).map(({ _id }) => _id)}
          onClose={onClose}
          // The page of a row that was merged into another one leads there.
          onDone={duplicates ? undefined : onDeleted}
        />
      );
    }
    case 'attachments':
      return first ? (
        <DealAttachments
          deal={{ _id: first._id, customerName }}
          ability={editAbility(first)}
          onClose={onClose}
        />
      ) : null;
    case 'doNotContact':
      return (
        <DoNotContactForm
          values={rows.flatMap(contactsOf).filter((contact) => !findContact.get()(contact))}
          onClose={onClose}
        />
      );
    case 'deleted':
      return <DeletedRows onClose={onClose} />;
    default:
      return kind satisfies never;
  }
}

type ChangeProps = { rows: readonly DealRow[]; onClose: () => void };

function SetStatus(props: ChangeProps): ReactNode {
  const { rows, onClose } = props;
  const { options } = useDataEntry();
  const form = useChange(props, '', {
    required: texts.statusRequired,
    isValid: (status) => status !== '',
    change: 'setStatus',
    done: (status) => texts.statusSet(rows.length, status),
  });
  return (
    <FormModal
      title={texts.statusTitle(rows.length)}
      size="sm"
      form={form}
      submitLabel={texts.change}
      onClose={onClose}
    >
      <Select
        label={texts.status}
        withAsterisk
        searchable
        data-autofocus
        data={activeNames(options?.statuses)}
        {...form.choice('value')}
      />
    </FormModal>
  );
}

function SetMonth(props: ChangeProps): ReactNode {
  const { rows, onClose } = props;
  const form = useChange(props, rows[0]?.deal?.month ?? '', {
    required: texts.monthRequired,
    isValid: (month) => isDay(month, 'month'),
    change: 'setMonth',
    done: (month) => undoTexts.moved(rows.length, month),
  });
  return (
    <FormModal
      title={texts.monthTitle(rows.length)}
      size="sm"
      form={form}
      submitLabel={texts.move}
      onClose={onClose}
    >
      <DayField precision="month" label={texts.month} withAsterisk data-autofocus {...form.value('value')} />
    </FormModal>
  );
}

type Change = {
  /** Shown if nothing is chosen. */
  required: string;
  isValid: (value: string) => boolean;
  change: 'setStatus' | 'setMonth';
  done: (value: string) => string;
};

function useChange({ rows, onClose }: ChangeProps, initial: string, change: Change) {
  const actions = useDealActions();
  return useForm({
    initial: { value: initial },
    failed: texts.changeFailed,
    validate: ({ value }): Record<string, string> =>
      change.isValid(value) ? {} : { value: change.required },
    submit: async ({ value }) => {
      const chosen = rows.flatMap(({ deal }) => deal ?? []);
      const moved = await actions[change.change](chosen, value);
      toastDone(change.done(value));
      // A setting has moved the changed rows (docs/product/data-entry.md, Months).
      if (moved) offerUndo(undoTexts.moved(moved.count, moved.month), moved.undo);
      onClose();
    },
  });
}

type DeleteDealsProps = {
  rows: readonly DealRow[];
  onDone: () => void;
  onClose: () => void;
};

/** Returns a sentence about which of the rows can be restored. */
function restoreNote(count: number, unsaved: number): string {
  if (unsaved === 0) return texts.restorable(count);
  return unsaved === count ? texts.unsavedOnly(count) : texts.partlyUnsaved(unsaved);
}

/** Deletes rows in one step after a confirmation, with an undo for 10 s. Unsaved rows are discarded. */
function DeleteDeals({ rows, onDone, onClose }: DeleteDealsProps): ReactNode {
  const { draftSync } = useDataEntry().deals;
  const actions = useDealActions();
  const remove = async (): Promise<void> => {
    const saved = rows.flatMap(({ deal }) => deal ?? []);
    const undo = saved.length > 0 ? await actions.remove(saved) : null;
    for (const { key } of rows) draftSync.discard(key);
    if (undo === null) toastDone(texts.deleted(rows.length));
    else offerUndo(texts.deleted(rows.length), undo, texts.restored(saved.length));
    onDone();
  };
  const unsaved = rows.filter(isUnsaved).length;
  const [first] = rows;
  const name = (first && rowName(first)) || common.unnamed;
  const names = rows.length === 1 ? name : name + texts.andMore(rows.length - 1);
  return (
    <ConfirmDialog
      title={texts.deleteTitle(rows.length)}
      confirmLabel={common.deleteRow}
      destructive
      onConfirm={remove}
      onClose={onClose}
    >
      {texts.deleteQuestion(names)} {restoreNote(rows.length, unsaved)}
    </ConfirmDialog>
  );
}
