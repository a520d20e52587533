import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/deal-actions.ts';
import { texts as undoTexts } from '../../../texts/deal-undo.ts';
import { isDay } from '../../../ui/day-text.ts';
import { DayField } from '../../../ui/DayField.tsx';
import { FormModal } from '../../../ui/FormModal.tsx';
import { toastUndo } from '../../../ui/toast-undo.tsx';
import { toastDone, toastWarning } from '../../../ui/toasts.ts';
import { useForm } from '../../../ui/use-form.ts';
import { focusTable, useDataEntry } from '../data-entry-context.ts';
import { activeNames } from '../deal-fields.ts';
import type { DealRow } from '../deal-row.ts';
import { useDealActions, type MovedRows } from './row-actions.ts';

type ChangeProps = { rows: readonly DealRow[]; onClose: () => void };

/** Sets the status of rows: all of them or none. */
export function SetStatus(props: ChangeProps): ReactNode {
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

/** Moves the rows to a month: all of them or none. */
export function SetMonth(props: ChangeProps): ReactNode {
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
  /** Message while nothing is chosen. */
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
      if (moved) showMoved(moved);
      onClose();
    },
  });
}

/** Reports that a setting has moved the changed rows, with an undo (docs/product/data-entry.md, Months). */
const showMoved = ({ count, month, undo }: MovedRows): void =>
  toastUndo(undoTexts.moved(count, month), texts.undo, async () => {
    focusTable();
    const { message, isComplete } = await undo();
    if (!isComplete) toastWarning(message);
  });
