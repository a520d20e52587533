import type { DealStatus } from '@forecourt/contract/deals';
import { Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/deal-actions.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { toastUndo } from '../../ui/toast-undo.tsx';
import { toastDone, toastWarning } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import type { MovedRows } from './deal-actions.ts';
import type { DealRow } from './deal-row.ts';
import { focusTable } from './focus-table.ts';
import type { Deals } from './use-deals.ts';

type ChangeProps = { deals: Deals; rows: readonly DealRow[]; onClose: () => void };

/** Gives the rows a status: all of them or none. */
export function SetStatus({
  statuses,
  ...props
}: ChangeProps & { statuses: readonly DealStatus[] }): ReactNode {
  const { rows, onClose } = props;
  const form = useChange(props, '', {
    required: texts.statusRequired,
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
        data={statuses.filter(({ active }) => active).map(({ name }) => name)}
        {...form.choice('value')}
      />
    </FormModal>
  );
}

/** Moves the rows to a month: all of them or none. */
export function SetMonth(props: ChangeProps): ReactNode {
  const { rows, onClose } = props;
  const form = useChange(props, rows[0]?.deal?.month ?? '', {
    required: texts.monthRequired,
    change: 'setMonth',
    done: (month) => texts.moved(rows.length, month),
  });
  return (
    <FormModal
      title={texts.monthTitle(rows.length)}
      size="sm"
      form={form}
      submitLabel={texts.move}
      onClose={onClose}
    >
      <TextInput label={texts.month} withAsterisk type="month" data-autofocus {...form.text('value')} />
    </FormModal>
  );
}

type Change = {
  /** What to say while nothing is chosen. */
  required: string;
  change: 'setStatus' | 'setMonth';
  done: (value: string) => string;
};

function useChange({ deals, rows, onClose }: ChangeProps, initial: string, change: Change) {
  return useForm({
    initial: { value: initial },
    failed: texts.changeFailed,
    validate: ({ value }): Record<string, string> => (value === '' ? { value: change.required } : {}),
    submit: async ({ value }) => {
      const chosen = rows.flatMap(({ deal }) => deal ?? []);
      const moved = await deals.actions[change.change](chosen, value);
      toastDone(change.done(value));
      if (moved) tellOfMove(moved);
      onClose();
    },
  });
}

/** A setting has moved rows that were changed: said, and taken back when asked (product section 4). */
const tellOfMove = ({ count, month, undo }: MovedRows): void =>
  toastUndo(texts.moved(count, month), texts.undo, async () => {
    focusTable();
    const { words, isWhole } = await undo();
    if (!isWhole) toastWarning(words);
  });
