import { MAX_BULK_RECORDS } from '@forecourt/contract/deal-limits';
import { Button, Progress, Checkbox } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { useStore } from '../../../platform/external-store.ts';
import { newChangeSet } from '../../../platform/ids.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts } from '../../../texts/deal-import.ts';
import { FormModal } from '../../../ui/FormModal.tsx';
import { withRefusals, type CellTexts } from '../../../ui/import/cell-texts.ts';
import { ColumnChoice } from '../../../ui/import/ColumnChoice.tsx';
import { ImportPreview } from '../../../ui/import/ImportPreview.tsx';
import { ImportSource } from '../../../ui/import/ImportSource.tsx';
import type { TextTable } from '../../../ui/import/text-table.ts';
import { useImport } from '../../../ui/import/use-import.ts';
import { intoView } from '../../../ui/into-view.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { toastUndo } from '../../../ui/toast-undo.tsx';
import { toastDone, toastFailed } from '../../../ui/toasts.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { isOverMonths } from '../deal-view.ts';
import { deleteDeals } from '../deals.queries.ts';
import { findContact } from '../open-parts.ts';
import { cellReader, importFields } from './cells.ts';
import { importDeals, useExistingDeals } from './deal-import.queries.ts';
import { DealImportDefaults, DealImportNames } from './DealImportChoices.tsx';
import {
  importPlan,
  readAgain,
  readLines,
  refusedCells,
  countWrongCells,
  type DealImportPlan,
  unknownNames,
  withContactNotes,
} from './plan.ts';
import '@mantine/core/styles/Progress.layer.css';
import styles from './DealImport.module.css';

const noLines: ReadonlySet<number> = new Set();

/** Imports deals from a file or pasted rows after a preview (docs/product/data-entry.md, Import). */
export default function DealImport({ onClose }: { onClose: () => void }): ReactNode {
  const { deals, view, options } = useDataEntry();
  const permissions = usePermissions();
  const canChooseMonth = permissions.can('dataEntry', 'canAccessAllMonths');
  const currentMonth = options?.currentMonth ?? view.month;
  // A search in all months has no month.
  const month = isOverMonths(view) ? currentMonth : view.month;
  const [usual, setUsual] = useState({ dealershipId: '', month: canChooseMonth ? month : '' });
  const [includedLines, setKept] = useState(noLines);
  const [chosen, setChosen] = useState<CellTexts>({});
  const [now] = useState(() => new Date());
  const [sent, setSent] = useState({ written: 0, total: 0 });
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const fields = useMemo(() => importFields(options), [options]);
  const form = useImport(fields);
  const { source, match, edits, refused } = form;
  const onlyMonth = canChooseMonth ? null : currentMonth;
  const read = useMemo(
    () => options && cellReader(options, onlyMonth, { now, timeZone: options.timeZone }),
    [options, onlyMonth, now],
  );
  const reading = useMemo(() => {
    const { dealershipId: usualDealershipId, month: usualMonth } = usual;
    return match && read && { fields, match, read, usualDealershipId, usualMonth, chosen };
  }, [fields, match, read, usual, chosen]);
  const table = source?.table;
  // Parses all lines after a change that affects all of them, otherwise only edited ones.
  const unedited = useMemo(() => (table && reading ? readLines(table, reading, {}) : []), [table, reading]);
  const current = useMemo(
    () => (table && reading ? readAgain(unedited, table, reading, edits) : []),
    [unedited, table, reading, edits],
  );
  const names = useMemo(
    () => (table && match && read ? unknownNames(table, match, read) : []),
    [table, match, read],
  );
  const existingDeals = useExistingDeals(current);
  // The preview is sorted when duplicates are known, and not again.
  const look = JSON.stringify([source?.id, match, usual, chosen]);
  const [checked, setChecked] = useState('');
  if (existingDeals.isCurrent && checked !== look) setChecked(look);
  const plan = useMemo(
    () => importPlan(current, existingDeals.existing, includedLines),
    [current, existingDeals.existing, includedLines],
  );
  const lines = withContactNotes(withRefusals(plan.lines, refused), useStore(findContact));
  const wrongFields = new Set(lines.flatMap(({ errors }) => Object.keys(errors)));
  const wrong = countWrongCells(lines);
  const blocked = rejectionReason(source !== null, plan, wrong, existingDeals);

  const take = (newTable: TextTable, fileName: string | null): void => {
    form.take(newTable, fileName);
    setKept(noLines);
    setChosen({});
  };
  const keep = (line: number, isKept: boolean): void => {
    const next = new Set(includedLines);
    if (isKept) next.add(line);
    else next.delete(line);
    setKept(next);
  };
  const keepAll = (isKept: boolean): void =>
    setKept(isKept ? new Set(plan.lines.flatMap(({ number, sameAs }) => (sameAs ? number : []))) : noLines);

  const done = (ids: string[], months: readonly string[]): void => {
    const message = texts.done(ids.length, months);
    deals.loading.reload();
    // Another import may have been opened.
    if (!isGone.current) onClose();
    if (!permissions.can('dataEntry', 'canDeleteRows')) return toastDone(message);
    toastUndo(message, texts.undo, async () => {
      await deleteDeals(ids, newChangeSet('undo'));
      deals.table.remove(ids);
      toastDone(texts.undone(ids.length));
    });
  };

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    const rows = plan.rows.map(({ input }) => input);
    void form.submit(event, {
      blocked,
      failed: texts.failed,
      refusedCells: (errors) => refusedCells(errors, plan.rows, fields),
      send: async (keyFor) => {
        const total = rows.length;
        setSent({ written: 0, total });
        const { items } = await importDeals(rows, keyFor(rows), (count) =>
          setSent(({ written }) => ({ written: Math.max(written, count), total })),
        ).catch((thrown: unknown) => {
          // The dialog is closed, so a toast shows the error.
          if (isGone.current) toastFailed(null, failureOf(thrown, total));
          throw thrown;
        });
        const months = new Set(rows.map(({ month }) => month ?? currentMonth));
        const ids = items.map(({ _id }) => _id);
        done(ids, [...months]);
      },
    });
  };

  const close = (): void => {
    if (form.busy) toastDone(texts.goesOn(sent.total));
    onClose();
  };

  return (
    <FormModal
      title={texts.title}
      size="2xl"
      form={{ message: form.message, busy: form.busy, onSubmit: submit }}
      submitLabel={plan.rows.length > 0 ? texts.submit(plan.rows.length) : texts.submitNothing}
      busyLabel={texts.importing(sent.total)}
      leaveLabel={texts.leave}
      blocked={blocked}
      isUnsaved={source !== null}
      onClose={close}
    >
      <p className="ui-muted">{texts.note}</p>
      <ImportSource fileName={source?.fileName ?? null} onTable={take} />
      {source && match && reading && (
        <>
          <ColumnChoice fields={fields} header={source.table.header} match={match} onChange={form.setMatch} />
          <DealImportDefaults
            dealerships={options?.dealerships ?? []}
            canChooseMonth={canChooseMonth}
            values={usual}
            onChange={setUsual}
          />
          <DealImportNames names={names} fields={fields} chosen={chosen} onChange={setChosen} />
          <DealImportSummary
            plan={plan}
            wrong={wrong}
            isChecking={!existingDeals.isCurrent && !existingDeals.error}
            onKeepAll={keepAll}
          />
          {existingDeals.error && (
            <p className="ui-row ui-gap-3 ui-danger" role="alert">
              {texts.checkFailed}
              <Button variant="default" onClick={() => void existingDeals.retry()}>
                {texts.tryAgain}
              </Button>
            </p>
          )}
          <ImportPreview
            key={`${look} ${checked === look}`}
            fields={fields.filter(({ field }) => form.isShown(field, wrongFields))}
            lines={lines}
            isEdited={form.isEdited}
            onEdit={form.edit}
            onKeep={keep}
          />
        </>
      )}
      {form.busy && <DealImportProgress {...sent} />}
    </FormModal>
  );
}

/** Returns the message of an import that failed after its dialog was closed. */
const failureOf = (thrown: unknown, count: number): string =>
  thrown instanceof ApiError && thrown.status === 0
    ? texts.unknownMeanwhile(count)
    : texts.failedMeanwhile(count, messageOf(thrown));

/** Returns why the import is blocked; undefined if it is not. */
function rejectionReason(
  isChosen: boolean,
  { rows }: DealImportPlan,
  wrong: number,
  { isCurrent, error }: ReturnType<typeof useExistingDeals>,
): string | undefined {
  if (!isChosen) return texts.chooseFirst;
  if (wrong > 0) return texts.correctFirst;
  if (rows.length > MAX_BULK_RECORDS) return texts.tooMany;
  if (!isCurrent) return error ? texts.checkFailed : texts.checking;
  return rows.length === 0 ? texts.nothing : undefined;
}

type DealImportProgressProps = { written: number; total: number };

/** Shows the number of written rows, and that the user may leave. */
function DealImportProgress({ written, total }: DealImportProgressProps): ReactNode {
  const soFar = texts.written(written, total);
  return (
    // Scrolled into view, because it is rendered below the pressed button.
    <div ref={intoView} className={`ui-stack ui-gap-2 ${styles.progress}`}>
      <Progress.Root>
        <Progress.Section
          value={(100 * written) / total}
          withAria={false}
          role="progressbar"
          aria-label={texts.progress}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={written}
          aria-valuetext={soFar}
        />
      </Progress.Root>
      <p className="ui-strong" role="status">
        {soFar}
      </p>
      <p className="ui-muted">{texts.importingNote}</p>
    </div>
  );
}

type DealImportSummaryProps = {
  plan: DealImportPlan;
  /** Cells to correct, including those that the server refused. */
  wrong: number;
  /** Whether the request for existing rows is in flight. */
  isChecking: boolean;
  onKeepAll: (kept: boolean) => void;
};

/** Numbers of added, corrected, excluded and invalid rows. Announced when they change. */
function DealImportSummary({
  plan: { rows, repaired, duplicates, leftOut },
  wrong,
  isChecking,
  onKeepAll,
}: DealImportSummaryProps): ReactNode {
  return (
    <div className="ui-row ui-gap-4 ui-between">
      <p className="ui-row ui-gap-3" role="status">
        <span>{rows.length > MAX_BULK_RECORDS ? texts.tooMany : texts.willAdd(rows.length)}</span>
        {repaired > 0 && <StatusBadge tone="accent">{texts.repaired(repaired)}</StatusBadge>}
        {duplicates > 0 && <StatusBadge tone="warn">{texts.duplicates(duplicates, leftOut)}</StatusBadge>}
        {wrong > 0 && <StatusBadge tone="danger">{texts.toCorrect(wrong)}</StatusBadge>}
        {isChecking && <span className="ui-muted">{texts.checking}</span>}
      </p>
      {duplicates > 0 && (
        <Checkbox
          label={texts.allAnyway}
          checked={leftOut === 0}
          indeterminate={leftOut > 0 && leftOut < duplicates}
          onChange={(event) => onKeepAll(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
