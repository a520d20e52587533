import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { ApiError, messageOf } from '../../platform/api-error.ts';
import { useMay } from '../../platform/permissions.ts';
import { texts } from '../../texts/deal-import.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { withRefusals, type CellTexts } from '../../ui/import/cell-texts.ts';
import { ColumnChoice } from '../../ui/import/ColumnChoice.tsx';
import { ImportPreview } from '../../ui/import/ImportPreview.tsx';
import { ImportSource } from '../../ui/import/ImportSource.tsx';
import type { TextTable } from '../../ui/import/text-table.ts';
import { useImport } from '../../ui/import/use-import.ts';
import { toastUndo } from '../../ui/toast-undo.tsx';
import { toastDone, toastFailed } from '../../ui/toasts.ts';
import { cellReader } from './deal-import-cells.ts';
import { importFields } from './deal-import-fields.ts';
import { unknownNames } from './deal-import-names.ts';
import {
  importPlan,
  MAX_DEALS,
  readAgain,
  readLines,
  refusedCells,
  wrongIn,
  type DealImportPlan,
} from './deal-import-plan.ts';
import { importDeals, useExistingDeals } from './deal-import.queries.ts';
import { DealImportDefaults } from './DealImportDefaults.tsx';
import { DealImportNames } from './DealImportNames.tsx';
import { DealImportProgress } from './DealImportProgress.tsx';
import { DealImportSummary } from './DealImportSummary.tsx';
import { dealOptionsQuery, deleteDeals, isOverMonths, type DealView } from './deals.queries.ts';
import type { Deals } from './use-deals.ts';
import styles from './DealImport.module.css';

type DealImportProps = { deals: Deals; view: DealView; onClose: () => void };

const noLines: ReadonlySet<number> = new Set();

/** Adds deals from a file or pasted rows, after a look at what would be added (product section 4, Import wizard). */
export default function DealImport({ deals, view, onClose }: DealImportProps): ReactNode {
  const may = useMay();
  const { data: options } = useQuery(dealOptionsQuery);
  const mayChooseMonth = may.do('dataEntry', 'canAccessAllMonths');
  const currentMonth = options?.currentMonth ?? view.month;
  const [usual, setUsual] = useState({
    dealershipId: '',
    month: mayChooseMonth ? monthOf(view, currentMonth) : '',
  });
  const [kept, setKept] = useState(noLines);
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
  const onlyMonth = mayChooseMonth ? null : currentMonth;
  const read = useMemo(
    () => options && cellReader(options, onlyMonth, { now, timeZone: options.timeZone }),
    [options, onlyMonth, now],
  );
  const reading = useMemo(
    () =>
      match &&
      read && {
        fields,
        match,
        read,
        usualDealershipId: usual.dealershipId,
        usualMonth: usual.month,
        chosen,
      },
    [fields, match, read, usual, chosen],
  );
  const table = source?.table;
  // All lines when something changes that concerns all of them, then only what is typed over.
  const unedited = useMemo(() => (table && reading ? readLines(table, reading, {}) : []), [table, reading]);
  const current = useMemo(
    () => (table && reading ? readAgain(unedited, table, reading, edits) : []),
    [unedited, table, reading, edits],
  );
  const names = useMemo(
    () => (table && match && read ? unknownNames(table, match, read) : []),
    [table, match, read],
  );
  const found = useExistingDeals(current);
  // The preview is in its order once it is known what is a duplicate, and then stays as it is.
  const look = JSON.stringify([source?.id, match, usual, chosen]);
  const [checked, setChecked] = useState('');
  if (found.isCurrent && checked !== look) setChecked(look);
  const plan = useMemo(() => importPlan(current, found.existing, kept), [current, found.existing, kept]);
  const lines = withRefusals(plan.lines, refused);
  const wrongFields = new Set(lines.flatMap(({ errors }) => Object.keys(errors)));
  const wrong = wrongIn(lines);
  const blocked = reasonAgainst(source !== null, plan, wrong, found);

  const take = (given: TextTable, fileName: string | null): void => {
    form.take(given, fileName);
    setKept(noLines);
    setChosen({});
  };
  const keep = (line: number, isKept: boolean): void => {
    const next = new Set(kept);
    if (isKept) next.add(line);
    else next.delete(line);
    setKept(next);
  };
  const keepAll = (isKept: boolean): void =>
    setKept(isKept ? new Set(plan.lines.flatMap(({ number, sameAs }) => (sameAs ? number : []))) : noLines);

  const done = (ids: string[], months: readonly string[]): void => {
    const message = texts.done(ids.length, months);
    deals.reload();
    // Another one may be open by now.
    if (!isGone.current) onClose();
    if (!may.do('dataEntry', 'canDeleteRows')) return toastDone(message);
    toastUndo(message, texts.undo, async () => {
      await deleteDeals(ids);
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
          // Where the dialog would say so, nobody looks any more.
          if (isGone.current) toastFailed(null, failureOf(thrown, total));
          throw thrown;
        });
        const months = new Set(rows.map(({ month }) => month ?? currentMonth));
        done(
          items.map(({ _id }) => _id),
          [...months],
        );
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
      onClose={close}
    >
      <p className={styles.note}>{texts.note}</p>
      <ImportSource fileName={source?.fileName ?? null} onTable={take} />
      {source && match && reading && (
        <>
          <ColumnChoice fields={fields} header={source.table.header} match={match} onChange={form.setMatch} />
          <DealImportDefaults
            dealerships={options?.dealerships ?? []}
            mayChooseMonth={mayChooseMonth}
            values={usual}
            onChange={setUsual}
          />
          <DealImportNames names={names} fields={fields} chosen={chosen} onChange={setChosen} />
          <DealImportSummary
            plan={plan}
            wrong={wrong}
            isChecking={!found.isCurrent && !found.error}
            onKeepAll={keepAll}
          />
          {found.error && (
            <p className={styles.failed} role="alert">
              {texts.checkFailed}
              <Button variant="default" onClick={() => void found.retry()}>
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

/** The month whose rows are in view; a search of all has none. */
const monthOf = (view: DealView, currentMonth: string): string =>
  isOverMonths(view) ? currentMonth : view.month;

/** What has failed, said where nothing else tells what it is about. */
const failureOf = (thrown: unknown, count: number): string =>
  thrown instanceof ApiError && thrown.status === 0
    ? texts.unknownMeanwhile(count)
    : texts.failedMeanwhile(count, messageOf(thrown));

/** Why it cannot be imported as it is; undefined: it can. */
function reasonAgainst(
  isChosen: boolean,
  { rows }: DealImportPlan,
  wrong: number,
  { isCurrent, error }: ReturnType<typeof useExistingDeals>,
): string | undefined {
  if (!isChosen) return texts.chooseFirst;
  if (wrong > 0) return texts.correctFirst;
  if (rows.length > MAX_DEALS) return texts.tooMany;
  if (!isCurrent) return error ? texts.checkFailed : texts.checking;
  return rows.length === 0 ? texts.nothing : undefined;
}
