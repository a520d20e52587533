import type { MonthOverview } from '@forecourt/contract/months';
import { TextInput } from '@mantine/core';
import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { texts } from '../../texts/months.ts';
import { abilityText } from '../../ui/ability.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { descriptionBelow, FormModal } from '../../ui/FormModal.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { stateOf } from './check-state.ts';
import { openChecksOf, useClose, useReopen } from './months.queries.ts';

/** The button that closes a month, after a confirmation that says what happens. */
export function CloseMonth({ month, checks, pendingAdjustments, abilities }: MonthOverview): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const { mutateAsync } = useClose();
  const mayClose = abilityText(abilities.close, texts.refusals);
  const hasOpen = checks.some((check) => stateOf(check) === 'open');

  const close = async (): Promise<void> => {
    try {
      await mutateAsync(month);
    } catch (thrown) {
      throw namingChecks(thrown, checks);
    }
    toastDone(texts.closed(month));
  };
  return (
    <>
      <ActionButton
        leftSection={<LockKeyhole />}
        ability={mayClose === true && hasOpen ? texts.settleFirst : mayClose}
        onClick={() => setAsking(true)}
      >
        {texts.close}
      </ActionButton>
      {isAsking && (
        <ConfirmDialog
          title={texts.closeTitle(month)}
          confirmLabel={texts.closeSubmit}
          failed={texts.closeFailed}
          onConfirm={close}
          onClose={() => setAsking(false)}
        >
          <div className="ui-stack ui-gap-3">
            <p>{texts.closeStatements}</p>
            {pendingAdjustments > 0 && <p>{texts.closePending(pendingAdjustments)}</p>}
            <p>{texts.closeAfter}</p>
            <p>{texts.closeReopen}</p>
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Returns a failed close with the names of the open checks, which may have rows that only others see. */
function namingChecks(thrown: unknown, checks: MonthOverview['checks']): unknown {
  const open = openChecksOf(thrown);
  if (open === undefined || open.length === 0) return thrown;
  const areHidden = open.some(
    ({ check, rows }) => rows > (checks.find(({ key }) => key === check)?.count ?? 0),
  );
  const message = texts.openForOthers(
    open.map(({ check, rows }) => texts.openCheck(texts.checks[check].label, rows)),
    areHidden,
  );
  const { status, code } = thrown as ApiError;
  return new ApiError(status, message, code, { message });
}

/** The button that opens a closed month again, with a reason. */
export function ReopenMonth({ month, abilities }: MonthOverview): ReactNode {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <ActionButton
        variant="default"
        ability={abilityText(abilities.reopen, texts.refusals)}
        onClick={() => setAsking(true)}
      >
        {texts.reopen}
      </ActionButton>
      {isAsking && <ReopenForm month={month} onClose={() => setAsking(false)} />}
    </>
  );
}

function ReopenForm({ month, onClose }: { month: string; onClose: () => void }): ReactNode {
  const { mutateAsync } = useReopen();
  const form = useRecordForm({
    valuesOf: () => ({ reason: '' }),
    schema: 'reopening',
    failed: texts.reopenFailed,
    send: (body, idempotencyKey) => mutateAsync({ params: { month }, body, idempotencyKey }),
    sent: texts.reopened(month),
    onClose,
  });
  return (
    <FormModal
      title={texts.reopenTitle(month)}
      form={form}
      submitLabel={texts.reopenSubmit}
      destructive
      isUnsaved={form.changed}
      onClose={onClose}
    >
      <p>{texts.reopenNote}</p>
      <TextInput
        label={texts.reason}
        description={texts.reopenReasonHint}
        {...descriptionBelow}
        withAsterisk
        data-autofocus
        {...form.text('reason')}
      />
    </FormModal>
  );
}
