import { useQuery } from '@tanstack/react-query';
import Keyboard from 'lucide-react/icons/keyboard';
import { useEffect, type ReactNode, useEffectEvent, useState } from 'react';
import {
  blockSums,
  type BlockSums,
  type GridColumn,
  type RowStore,
  type SelectedCells,
} from '../../../grid/grid.ts';
import { unstoredDrafts } from '../../../platform/drafts.ts';
import { useStore, type Store } from '../../../platform/external-store.ts';
import { useFirstScreenReady } from '../../../platform/first-screen.ts';
import { formatMoney, formatMonth, formatCount } from '../../../platform/formats.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { later } from '../../../platform/retry-later.ts';
import { texts as keyTexts } from '../../../texts/deal-keys.ts';
import { texts } from '../../../texts/deals.ts';
import { counting } from '../../../texts/figures.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { countingNote, figureLabel } from '../../../ui/figures.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealRow } from '../deal-row.ts';
import { dealOptionsKey, summaryQuery, type DealView } from '../deals.queries.ts';
import { useMonthMoves } from '../notices/use-month-moves.ts';
import { refusalsOf, type DealDraft } from '../sync/draft.ts';
import styles from './DealsStatusBar.module.css';

type DealsStatusBarProps = {
  /** Result of the last undo or redo. */
  announcement: Store<string>;
  selected: number;
  /** Absent where there are no keys. */
  onHelp: (() => void) | undefined;
};

/** Count and sums of the rows in view, and whether all edits are saved. */
export function DealsStatusBar({ announcement, selected, onHelp }: DealsStatusBarProps): ReactNode {
  const { deals, view, options, canAdd } = useDataEntry();
  const lastUndo = useStore(announcement);
  const canChooseMonth = usePermissions().can('dataEntry', 'canAccessAllMonths');
  const { data } = useQuery({ ...summaryQuery(view, canChooseMonth), enabled: useFirstScreenReady() });
  const begun = data?.onlyMonth === view.month ? undefined : data?.onlyMonth;
  useEffect(() => {
    // The options contain the month that is shown after a reload.
    if (begun !== undefined) void queryClient.invalidateQueries({ queryKey: dealOptionsKey });
  }, [begun]);
  useMonthMoves(deals);
  const statuses = options?.statuses;
  return (
    <footer className={`ui-line ui-gap-4 ui-quiet ${styles.bar}`}>
      {data && (
        <dl className={styles.sums}>
          <div>
            <dd>{countOf(data.total, view, begun)}</dd>
          </div>
          <Sum label={texts.sale} amount={data.saleAmount} />
          <Sum label={texts.grossProfit} amount={data.grossProfit} />
          <Sum
            label={figureLabel('commission', statuses)}
            note={statuses && countingNote(statuses, data)}
            amount={data.commission}
            missing={data.withoutRate}
          />
        </dl>
      )}
      <SelectionSums />
      <output className="ui-hidden">
        {data && (view.search !== '' || view.filter !== null) && texts.foundRows(data.total)}
      </output>
      <output>{lastUndo}</output>
      {selected > 0 && <span>{texts.selected(selected)}</span>}
      {!canAdd && (
        <span>{(typeof options?.add === 'string' && texts.noBlankRow[options.add]) || texts.mayNotAdd}</span>
      )}
      <SaveState />
      {onHelp && <IconAction label={keyTexts.open} icon={Keyboard} size={16} onClick={onHelp} />}
    </footer>
  );
}

/** Returns the text of the number of rows, with the month if it is not the displayed one. */
function countOf(total: number, { search }: DealView, month: string | undefined): string {
  if (search !== '') return texts.foundRows(total);
  return month === undefined ? texts.rows(total) : texts.rowsIn(total, formatMonth(month));
}

type SumProps = {
  label: string;
  note?: string | undefined;
  amount: number | null | undefined;
  missing?: number | undefined;
};

/** A sum. Empty if the column does not exist for the user. */
function Sum({ label, note, amount, missing = 0 }: SumProps): ReactNode {
  if (amount === undefined) return null;
  return (
    <div>
      <dt title={note}>{label}</dt>
      <dd>{amount === null ? counting.notSet : formatMoney(amount)}</dd>
      {amount !== null && missing > 0 && <dd>({counting.missing(missing)})</dd>}
    </div>
  );
}

/** Shows discreetly that everything is saved, and prominently what is not. */
function SaveState(): ReactNode {
  const { deals, active } = useDataEntry();
  const drafts = useStore(deals.draftSync.pending);
  const isRestored = useStore(deals.draftSync.isRestored);
  const trailing = useStore(deals.table.trailing);
  const cell = useStore(active);
  const unstored = useStore(unstoredDrafts);
  const own = drafts.find(({ key }) => key === cell?.key);
  const isWaiting = drafts.some(({ problem }) => problem !== null);
  const refused = drafts.reduce((count, draft) => count + refusalsOf(draft).length, 0);
  const waiting = unstored > 0 ? texts.waitingUnstored : texts.waitingForLine;
  const parts = [
    texts.unsaved(drafts.length),
    ...describeElsewhere(drafts, new Set(trailing)),
    refused > 0 && texts.toCorrect(refused),
    isWaiting ? waiting : own && describeMissing(own),
  ];
  const saved = isRestored ? texts.allSaved : '';
  const state = drafts.length === 0 ? saved : parts.filter(Boolean).join(' · ');
  return (
    <output className={styles.state} title={state} data-unsaved={drafts.length > 0 || undefined}>
      {state}
    </output>
  );
}

/** Returns the number of new rows in each other month. */
const describeElsewhere = (drafts: readonly DealDraft[], visible: ReadonlySet<string>): string[] =>
  [
    ...Map.groupBy(
      drafts.filter(({ key, dealId }) => dealId === null && !visible.has(key)),
      ({ month }) => month,
    ),
  ].map(([month, rows]) => texts.unsavedThere(rows.length, formatMonth(month)));

/** Returns what a new row still needs; empty for a complete one. */
function describeMissing({ dealId, typed }: DealDraft): string | null {
  if (dealId !== null) return null;
  const missing = (['customerName', 'dealershipId'] as const).filter((field) => !typed[field]?.value);
  const names = missing.map((field) => texts.columns[field].toLowerCase());
  return names.length === 0 ? null : texts.incomplete(names.join(' and a '));
}

/** Delays the sums while a selection is being drawn, as adding up a large one takes a moment. */
const WAIT_MS = 120;

/** Count, sum and average of the selected cells. Empty if only the active cell is selected. */
function SelectionSums(): ReactNode {
  const {
    deals: { rows },
    columns,
    cells,
  } = useDataEntry();
  const selected = useStore(cells);
  const [sums, setSums] = useState<BlockSums | null>(null);
  const add = useEffectEvent((picked: SelectedCells | null) =>
    setSums(picked && sumsOf(rows, columns, picked)),
  );
  useEffect(() => {
    let stopTimer: (() => void) | null = null;
    const addLater = (): void => {
      stopTimer ??= later(() => {
        stopTimer = null;
        add(selected);
      }, WAIT_MS);
    };
    addLater();
    const stop = selected && rows.subscribeRecords(addLater);
    return () => {
      stop?.();
      stopTimer?.();
    };
  }, [rows, selected]);

  const parts = selected && sums ? formatSums(sums) : [];
  return (
    <output className={styles.selection} aria-live="polite">
      {parts.map(([label, value]) => (
        <span key={label}>
          {label} <strong>{value}</strong>
        </span>
      ))}
    </output>
  );
}

const sumsOf = (
  rows: RowStore<DealRow>,
  columns: readonly GridColumn<DealRow>[],
  { keys, columnIds }: SelectedCells,
): BlockSums =>
  blockSums(
    rows,
    keys,
    columns.filter(({ id }) => columnIds.includes(id)),
  );

function formatSums({ count, numbers, sum, isMoney }: BlockSums): [string, string][] {
  const format = isMoney ? formatMoney : formatCount;
  const counted: [string, string] = [texts.count, formatCount(count)];
  if (numbers === 0) return [counted];
  return [counted, [texts.sum, format(sum)], [texts.average, format(sum / numbers)]];
}
