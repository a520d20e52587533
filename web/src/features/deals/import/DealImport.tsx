import { MAX_BULK_RECORDS } from '@forecourt/contract/deal-limits';
import { Button, Progress } from '@mantine/core';
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
  type SubmitEvent,
} from 'react';
import { ApiError, messageOf } from '../../../platform/api-error.ts';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { useStore } from '../../../platform/external-store.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts } from '../../../texts/deal-import.ts';
import { texts as revertTexts } from '../../../texts/deal-revert.ts';
import { FormModal } from '../../../ui/FormModal.tsx';
import { withRefusals, type CellTexts } from '../../../ui/import/cell-texts.ts';
import { ColumnChoice } from '../../../ui/import/ColumnChoice.tsx';
import { ImportPreview } from '../../../ui/import/ImportPreview.tsx';
import { ImportSource } from '../../../ui/import/ImportSource.tsx';
import { headersOf, type ColumnMatch } from '../../../ui/import/matched-columns.ts';
import type { TextTable } from '../../../ui/import/text-table.ts';
import { useImport } from '../../../ui/import/use-import.ts';
import { intoView } from '../../../ui/into-view.ts';
import { toastUndo } from '../../../ui/toast-undo.tsx';
import { toastDone, toastFailed } from '../../../ui/toasts.ts';
import { ClosedMonths } from '../ClosedMonths.tsx';
import { useDataEntry } from '../data-entry-context.ts';
import { isOverMonths } from '../deal-view.ts';
import { findContact } from '../open-parts.ts';
import { importFields, type ImportedField } from './cells.ts';
import { importDeals, revertImport, type Imported, type ImportRequest } from './deal-import.queries.ts';
import { DealImportDefaults, DealImportMethod, DealImportNames, type Method } from './DealImportChoices.tsx';
import { DealImportSummary, DealUpdateSummary } from './DealImportSummary.tsx';
import { MergeOfLine } from './MergeOfLine.tsx';
import { countWrongCells, refusedCells, withContactNotes, type ImportLine } from './plan.ts';
import { comparisonsIn } from './update-plan.ts';
import { useDecisions } from './use-decisions.ts';
import { useAddedLines, useReadLines, useUpdatedLines, type Usual } from './use-planned-lines.ts';
import { useRememberedColumns } from './use-remembered-columns.ts';
import '@mantine/core/styles/Progress.layer.css';
import styles from './DealImport.module.css';

const noLines: ReadonlySet<number> = new Set();

/** Imports deals from a file or pasted rows after a preview (docs/product/data-entry.md, Import). */
export default function DealImport({ onClose }: { onClose: () => void }): ReactNode {
  const { deals, view, options } = useDataEntry();
  const permissions = usePermissions();
  const timeZone = useTimeZone();
  const canChooseMonth = permissions.can('dataEntry', 'canAccessAllMonths');
  const canAdd = permissions.can('dataEntry', 'canAddRows');
  const currentMonth = options?.currentMonth ?? view.month;
  // A search in all months has no month.
  const month = isOverMonths(view) ? currentMonth : view.month;
  const [usual, setUsual] = useState({ dealershipId: '', month: canChooseMonth ? month : '' });
  const [how, setHow] = useState<Method>({
    mode: canAdd ? 'add' : 'update',
    comparison: '',
    emptyClears: false,
  });
  const isAdding = how.mode === 'add';
  const [includedLines, setKept] = useState(noLines);
  const [chosen, setChosen] = useState<CellTexts>({});
  const [sent, setSent] = useState({ written: 0, total: 0 });
  const isGone = useIsGone();

  const fields = useMemo(() => importFields(options), [options]);
  const form = useImport(fields);
  const { source, match, refused } = form;
  const { recall, recallForFile, matchByHand } = useRememberedColumns(form);
  const { current, names } = useReadLines(form, {
    options,
    fields,
    onlyMonth: canChooseMonth ? null : currentMonth,
    usual,
    chosen,
    isAdding,
  });
  const table = source?.table;
  const comparisons = useMemo(
    () => (match ? comparisonsIn(match, fields, options?.customFields ?? []) : []),
    [match, fields, options],
  );
  const comparison = comparisons.find(({ value }) => value === how.comparison) ?? comparisons[0];
  const { decisions, decide, edit } = useDecisions(form, how.mode, comparison);
  const adding = useAddedLines(isAdding ? current : noRead, includedLines);
  const updating = useUpdatedLines(isAdding ? noRead : current, {
    how,
    comparison,
    usual,
    decisions,
    fields,
    canAdd,
    timeZone,
  });
  const { plan, isCurrent, error, retry, written: total, months } = isAdding ? adding : updating;
  const order = useOrder(
    JSON.stringify([source?.id, match, usual, chosen, how, comparison?.value]),
    isCurrent,
  );
  const lines = withContactNotes(withRefusals(plan.lines, refused), useStore(findContact));
  const usedFields = new Set(
    lines.flatMap(({ errors, changes = {} }) => Object.keys({ ...errors, ...changes })),
  );
  const wrong = countWrongCells(lines);
  const blocked = [
    source === null && texts.chooseFirst,
    !isAdding && comparison === undefined && texts.noComparison,
    wrong > 0 && texts.correctFirst,
    plan.rows.length > MAX_BULK_RECORDS && texts.tooMany,
    !isCurrent && uncheckedReason(isAdding, error !== null),
    total === 0 && (isAdding ? texts.nothing : texts.nothingToUpdate),
  ].find((reason) => reason !== false);

  const take = (newTable: TextTable, fileName: string | null): void => {
    form.take(newTable, fileName);
    setKept(noLines);
    setChosen({});
    void recallForFile(usual.dealershipId, newTable.header);
  };
  const changeUsual = (next: typeof usual): void => {
    setUsual(next);
    const { dealershipId } = next;
    if (table && dealershipId !== usual.dealershipId) void recall(dealershipId, table.header);
  };
  const keep = (line: number, isKept: boolean): void =>
    setKept(new Set([...includedLines].filter((one) => one !== line).concat(isKept ? line : [])));
  const keepAll = (isKept: boolean): void =>
    setKept(isKept ? new Set(plan.lines.flatMap(({ number, sameAs }) => (sameAs ? number : []))) : noLines);

  const done = (imported: Imported, message: string): void => {
    deals.loading.reload();
    // Another import may have been opened.
    if (!isGone.current) onClose();
    const { changeSetId, items } = imported;
    if (changeSetId === null || (items.length > 0 && !permissions.can('dataEntry', 'canDeleteRows')))
      return toastDone(message);
    toastUndo(message, texts.undo, async () => {
      const { reverted, left, refused: refusedRows } = await revertImport(changeSetId);
      deals.loading.reload();
      toastDone(revertTexts.done(reverted, left.length, refusedRows.length));
    });
  };

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    const request = { ...(isAdding ? adding : updating).request(), ...rememberedBy(usual, match, table) };
    void form.submit(event, {
      blocked,
      failed: texts.failed,
      refusedCells: (errors) => refusedCells(errors, plan.rows, fields),
      send: async (keyFor) => {
        setSent({ written: 0, total });
        const imported = await importDeals(request, keyFor(request), (count) =>
          setSent(({ written }) => ({ written: Math.max(written, count), total })),
        ).catch((thrown: unknown) => {
          // The dialog is closed, so a toast shows the error.
          if (isGone.current) toastFailed(null, failureOf(thrown, total));
          throw thrown;
        });
        const addedTo = new Set(adding.plan.rows.map(({ input }) => input.month ?? currentMonth));
        done(
          imported,
          isAdding ? texts.done(total, [...addedTo]) : texts.updated(imported, updating.leftIn(imported)),
        );
      },
    });
  };

  /** Looks for the rows again after some were merged, and forgets what was decided about that line. */
  const matchAgain = (line?: number): void => {
    if (line !== undefined && !isAdding) decide(line, '');
    else void retry();
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
      submitLabel={total > 0 ? texts.submit(total) : texts.submitNothing}
      busyLabel={texts.importing(sent.total)}
      leaveLabel={texts.leave}
      blocked={blocked}
      isUnsaved={source !== null}
      onClose={close}
    >
      <p className="ui-muted">{texts.note}</p>
      <ImportSource fileName={source?.fileName ?? null} onTable={take} />
      {source && match && (
        <>
          <DealImportMethod
            value={how}
            comparison={comparison?.value ?? null}
            canAdd={canAdd}
            comparisons={comparisons}
            onChange={setHow}
          />
          <ColumnChoice fields={fields} header={source.table.header} match={match} onChange={matchByHand} />
          <DealImportDefaults
            dealerships={options?.dealerships ?? []}
            canChooseMonth={canChooseMonth}
            values={usual}
            onChange={changeUsual}
          />
          <DealImportNames names={names} fields={fields} chosen={chosen} onChange={setChosen} />
          {isAdding ? (
            <DealImportSummary
              plan={adding.plan}
              wrong={wrong}
              isChecking={!isCurrent && !error}
              onKeepAll={keepAll}
            />
          ) : (
            <DealUpdateSummary {...updating} repaired={updating.plan.repaired} wrong={wrong} />
          )}
          <ClosedMonths months={months} />
          {error && <CheckFailed error={error} isAdding={isAdding} onRetry={() => void retry()} />}
          <ImportPreview
            key={order}
            fields={fields.filter(({ field }) => form.isShown(field, usedFields))}
            lines={lines}
            isEdited={form.isEdited}
            onEdit={edit}
            onKeep={keep}
            onChoose={decide}
            more={({ number, candidates = [] }) =>
              candidates.length > 1 && <MergeOfLine line={number} rows={candidates} onChange={matchAgain} />
            }
          />
        </>
      )}
      {form.busy && <DealImportProgress {...sent} />}
    </FormModal>
  );
}

/**
 * Returns a key of the order of the preview: it is sorted when duplicates or rows to update are known, and not again.
 * @param look what else changes the lines
 */
function useOrder(look: string, isCurrent: boolean): string {
  const [checked, setChecked] = useState('');
  if (isCurrent && checked !== look) setChecked(look);
  return `${look} ${checked === look}`;
}

/** Returns whether the dialog was closed while something runs. */
function useIsGone(): RefObject<boolean> {
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  return isGone;
}

type CheckFailedProps = { error: Error; isAdding: boolean; onRetry: () => void };

const CheckFailed = ({ error, isAdding, onRetry }: CheckFailedProps): ReactNode => (
  <p className="ui-row ui-gap-3 ui-danger" role="alert">
    {isAdding ? texts.checkFailed : messageOf(error, texts.previewFailed)}
    <Button variant="default" onClick={onRetry}>
      {texts.tryAgain}
    </Button>
  </p>
);

const noRead: readonly ImportLine[] = [];

/** Returns what is remembered with the dealership of a file. */
const rememberedBy = (
  { dealershipId }: Usual,
  match: ColumnMatch<ImportedField> | null,
  table: TextTable | undefined,
): Pick<ImportRequest, 'remember'> =>
  dealershipId === '' || !match || !table
    ? {}
    : { remember: { dealershipId, columns: headersOf(match, table.header) } };

/** Returns the message of an import that failed after its dialog was closed. */
const failureOf = (thrown: unknown, count: number): string =>
  thrown instanceof ApiError && thrown.status === 0
    ? texts.unknownMeanwhile(count)
    : texts.failedMeanwhile(count, messageOf(thrown));

/** Returns why it is not yet known what happens with the lines. */
function uncheckedReason(isAdding: boolean, isFailed: boolean): string {
  if (isFailed) return isAdding ? texts.checkFailed : texts.previewFailed;
  return isAdding ? texts.checking : texts.matching;
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
