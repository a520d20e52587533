import type { CheckResult, MonthOverview } from '@forecourt/contract/months';
import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import CalendarCheck from 'lucide-react/icons/calendar-check';
import Check from 'lucide-react/icons/check';
import { useState, type ReactNode } from 'react';
import { useTimeZone } from '../../platform/deal-options.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { rowsLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/months.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { descriptionBelow, FormModal } from '../../ui/FormModal.tsx';
import { toastOutcome } from '../../ui/toasts.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { stateOf } from './check-state.ts';
import { useTakeBack, useWaive } from './months.queries.ts';
import styles from './MonthCloseScreen.module.css';

/** The checks of a month. Those of a closed one are read-only: its statements have its waivers. */
export function Checklist({ month, rows, checks, state }: MonthOverview): ReactNode {
  const [waiving, setWaiving] = useState<CheckResult | null>(null);
  const isClosed = state === 'closed';
  if (checks.length === 0)
    return (
      !isClosed && (
        <EmptyState icon={<CalendarCheck />} title={texts.hidden}>
          {texts.hiddenNext}
        </EmptyState>
      )
    );
  const { open = [], waived = [], done = [] } = Object.groupBy(checks, stateOf);
  if (isClosed && open.length === 0 && waived.length === 0) return null;
  return (
    <div className="ui-stack">
      {(open.length > 0 || !isClosed) && (
        <Card title={isClosed ? texts.openSince : texts.open} aside={texts.rowsOf(rows, month)}>
          {open.length === 0 ? (
            <p className="ui-quiet">{texts.openNone}</p>
          ) : (
            <ul className="ui-lines">
              {open.map((check) => (
                <Line key={check.key} month={month} check={check}>
                  {!isClosed && (
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={texts.waiveOne(texts.checks[check.key].label)}
                      onClick={() => setWaiving(check)}
                    >
                      {texts.waive}
                    </Button>
                  )}
                </Line>
              ))}
            </ul>
          )}
        </Card>
      )}
      {waived.length > 0 && (
        <Card title={texts.waived}>
          <ul className="ui-lines">
            {waived.map((check) => (
              <Line key={check.key} month={month} check={check}>
                {!isClosed && <TakeBack month={month} check={check} />}
              </Line>
            ))}
          </ul>
        </Card>
      )}
      {done.length > 0 && !isClosed && (
        <Card title={texts.done}>
          <ul className="ui-row ui-gap-4 ui-quiet">
            {done.map(({ key }) => (
              <li key={key} className="ui-inline">
                <Check size={14} /> {texts.checks[key].label}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <p className="ui-quiet">{texts.paidRows}</p>
      {waiving && <WaiveForm month={month} check={waiving} onClose={() => setWaiving(null)} />}
    </div>
  );
}

type LineProps = { month: string; check: CheckResult; children: ReactNode };

/** A check that has rows, with the link to them and its waiver. */
function Line({ month, check: { key, count, filter, waiver }, children }: LineProps): ReactNode {
  const timeZone = useTimeZone();
  const { label, note } = texts.checks[key];
  return (
    <li className="ui-line ui-top ui-gap-4">
      <Link className={styles.rows} aria-label={texts.linkTo(count, label)} {...rowsLink({ month, filter })}>
        {texts.rows(count)}
      </Link>
      <div className="ui-grow ui-anywhere">
        <span className="ui-strong">{label}</span>
        {note !== undefined && <span className="ui-sub">{note}</span>}
        {waiver !== null && (
          <span className="ui-sub">
            {waiver.rows < count && <span className="ui-warn">{texts.waivedFor(waiver.rows, count)} · </span>}
            {texts.waivedBy(waiver.waivedByName, formatDateTime(waiver.waivedAt, timeZone))}: {waiver.reason}
          </span>
        )}
      </div>
      {children}
    </li>
  );
}

function TakeBack({ month, check: { key } }: Omit<LineProps, 'children'>): ReactNode {
  const { mutateAsync, isPending } = useTakeBack();
  const { label } = texts.checks[key];
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={isPending}
      aria-label={texts.takeBackOne(label)}
      onClick={() =>
        toastOutcome(
          mutateAsync({ params: { month, check: key } }),
          texts.takenBack(label),
          texts.takeBackFailed,
        )
      }
    >
      {texts.takeBack}
    </Button>
  );
}

type WaiveFormProps = {
  month: string;
  /** The check as the user saw it when they opened the form: later rows are not waived. */
  check: CheckResult;
  onClose: () => void;
};

function WaiveForm({ month, check: { key, count, waiver }, onClose }: WaiveFormProps): ReactNode {
  const { mutateAsync } = useWaive();
  const { label } = texts.checks[key];
  const form = useRecordForm({
    valuesOf: () => ({ reason: waiver?.reason ?? '' }),
    inputOf: ({ reason }) => ({ check: key, rows: count, reason }),
    schema: 'waiver',
    failed: texts.waiveFailed,
    send: (body, idempotencyKey) => mutateAsync({ params: { month }, body, idempotencyKey }),
    sent: texts.waiveDone(label),
    onClose,
  });
  return (
    <FormModal
      title={texts.waiveTitle(label)}
      form={form}
      submitLabel={texts.submit}
      isUnsaved={form.changed}
      onClose={onClose}
    >
      <TextInput
        label={texts.reason}
        description={texts.reasonHint(count)}
        {...descriptionBelow}
        withAsterisk
        data-autofocus
        {...form.text('reason')}
      />
    </FormModal>
  );
}
