import { MAX_BULK_RECORDS } from '@forecourt/contract/deal-limits';
import { useMemo, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { withRefusals, type CellTexts } from '../../../ui/import/cell-texts.ts';
import type { ImportField } from '../../../ui/import/matched-columns.ts';
import type { useImport } from '../../../ui/import/use-import.ts';
import type { DealOptions } from '../deal-fields.ts';
import { cellReader, type ImportedField } from './cells.ts';
import {
  useExistingDeals,
  useImportPreview,
  type Imported,
  type ImportRequest,
} from './deal-import.queries.ts';
import type { Method } from './DealImportChoices.tsx';
import {
  countRepaired,
  countWrongCells,
  importPlan,
  readAgain,
  readLines,
  refusedCells,
  unknownNames,
  withDuplicatesOfAdded,
  type ImportLine,
} from './plan.ts';
import {
  decisionsOf,
  leftSince,
  shownDecisions,
  withInvalidChoices,
  withPreview,
  type Comparison,
  type Decisions,
  type Presenting,
} from './update-plan.ts';

/** Values of new rows without their own. */
export type Usual = { dealershipId: string; month: string };

type Reading = {
  options: DealOptions | undefined;
  fields: readonly ImportField<ImportedField>[];
  /** The only permitted month; null for all. */
  onlyMonth: string | null;
  usual: Usual;
  chosen: CellTexts;
  isAdding: boolean;
};

/** Reads the lines of the file, with edited texts. */
export function useReadLines(
  { source, match, edits }: Pick<ReturnType<typeof useImport<ImportedField>>, 'source' | 'match' | 'edits'>,
  { options, fields, onlyMonth, usual, chosen, isAdding }: Reading,
) {
  const [now] = useState(() => new Date());
  const read = useMemo(
    () => options && cellReader(options, onlyMonth, { now, timeZone: options.timeZone }),
    [options, onlyMonth, now],
  );
  const reading = useMemo(() => {
    const { dealershipId: usualDealershipId, month: usualMonth } = usual;
    return match && read && { fields, match, read, usualDealershipId, usualMonth, chosen, isAdding };
  }, [fields, match, read, usual, chosen, isAdding]);
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
  return { current, names };
}

/** Plans lines that are all added, except duplicates. */
export function useAddedLines(lines: readonly ImportLine[], includedLines: ReadonlySet<number>) {
  const { existing, ...existingDeals } = useExistingDeals(lines);
  const plan = useMemo(() => importPlan(lines, existing, includedLines), [lines, existing, includedLines]);
  const request = (): ImportRequest => ({ rows: plan.rows.map(({ input }) => input) });
  const months = plan.rows.flatMap(({ input }) => input.month ?? []);
  return { ...existingDeals, plan, written: plan.rows.length, months, request };
}

type Updating = Omit<Presenting, 'compared'> & {
  how: Method;
  comparison: Comparison | undefined;
  usual: Usual;
  decisions: Decisions;
};

/** Plans lines that find existing rows, as the server would write them. */
export function useUpdatedLines(
  lines: readonly ImportLine[],
  { how: { mode, emptyClears }, comparison, usual, decisions, fields, canAdd, timeZone }: Updating,
) {
  const matchBy = comparison?.matchBy;
  const body = useMemo((): ImportRequest | null => {
    const isReady = lines.length > 0 && lines.length <= MAX_BULK_RECORDS && matchBy !== undefined;
    if (!isReady || countWrongCells(withInvalidChoices(lines, decisions)) > 0) return null;
    const { dealershipId, month } = usual;
    return {
      mode,
      matchBy,
      emptyClears,
      rows: lines.map(({ input }) => input),
      defaults: { ...(dealershipId !== '' && { dealershipId }), ...(month !== '' && { month }) },
      decisions: decisionsOf(lines, decisions),
    };
  }, [lines, mode, matchBy, emptyClears, usual, decisions]);
  const { preview, error, ...answer } = useImportPreview(body);
  const found = useMemo(
    () =>
      withPreview(lines, preview?.rows, { fields, compared: comparison?.compared ?? [], canAdd, timeZone }),
    [lines, preview, fields, comparison, canAdd, timeZone],
  );
  const added = useMemo(() => found.filter(({ choice }) => choice?.value === 'new'), [found]);
  const { existing } = useExistingDeals(added);
  const planned = useMemo(() => withDuplicatesOfAdded(found, added, existing), [found, added, existing]);
  const rows = useMemo(() => lines.map(({ number, input }) => ({ line: number, input })), [lines]);
  const wrongCells = error instanceof ApiError ? refusedCells(error.errors, rows, fields) : {};
  const isOfCells = Object.keys(wrongCells).length > 0;
  const counts = answer.isCurrent ? preview?.counts : undefined;
  return {
    ...answer,
    // An error of a cell is shown in it.
    error: isOfCells ? null : error,
    isChecking: body !== null && !answer.isCurrent && !error,
    plan: {
      lines: withInvalidChoices(withRefusals(planned, wrongCells), decisions),
      rows,
      repaired: countRepaired(lines),
    },
    counts,
    /** Number of added rows with a number that another row has. */
    duplicates: planned.filter(({ sameAs }) => sameAs !== undefined).length,
    /** The months of rows that would be changed. */
    months: (preview?.rows ?? []).flatMap(({ kind, deal }) =>
      kind === 'changed' && deal ? [deal.month] : [],
    ),
    /** Number of rows that would be written. */
    written: counts ? counts.new + counts.changed : 0,
    request: (): ImportRequest => ({
      rows: [],
      ...body,
      decisions: shownDecisions(preview?.rows ?? []),
    }),
    leftIn: ({ left }: Imported) => leftSince(left, lines, preview?.rows ?? []),
  };
}
