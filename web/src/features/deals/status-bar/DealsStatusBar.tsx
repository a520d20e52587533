import { useQuery } from '@tanstack/react-query';
import Keyboard from 'lucide-react/icons/keyboard';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { unstoredDrafts } from '../../../platform/drafts.ts';
import { useStore, type Store } from '../../../platform/external-store.ts';
import { lazyAfterFirstPaint, useFirstScreenReady } from '../../../platform/first-screen.ts';
import { formatMoney, formatMonth } from '../../../platform/formats.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { texts } from '../../../texts/deals.ts';
import { counting } from '../../../texts/figures.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { countingNote, figureLabel } from '../../../ui/figures.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { dealOptionsKey, summaryQuery, type DealView } from '../deals.queries.ts';
import { useMonthMoves } from '../notices/use-month-moves.ts';
import { refusalsOf, type DealDraft } from '../sync/draft.ts';
import styles from './DealsStatusBar.module.css';

const SelectedSums = lazyAfterFirstPaint(() => import('./SelectedSums.tsx'));

type DealsStatusBarProps = {
  /** Result of the last undo or redo. */
  announcement: Store<string>;
  /** Keys of the rows with a tick. */
  selected: ReadonlySet<string>;
  /** Absent where there are no keys. */
  onHelp: (() => void) | undefined;
};

/** Count and sums of the rows in view, and whether all edits are saved. */
export function DealsStatusBar({ announcement, selected, onHelp }: DealsStatusBarProps): ReactNode {
  const { deals, view: shownView, options, canAdd } = useDataEntry();
  const lastUndo = useStore(announcement);
  const isFirstScreenReady = useFirstScreenReady();
  const { figures, isLoading } = useLastFigures(shownView);
  const { data, view } = figures ?? {};
  const begun = data?.onlyMonth === view?.month ? undefined : data?.onlyMonth;
  useEffect(() => {
    // The options contain the month that is shown after a reload.
    if (begun !== undefined) void queryClient.invalidateQueries({ queryKey: dealOptionsKey });
  }, [begun]);
  useMonthMoves(deals);
  const statuses = options?.statuses;
  return (
    <footer className={`ui-line ui-gap-4 ui-quiet ${styles.bar}`}>
      {data && view && (
        <dl className={styles.sums} aria-busy={isLoading}>
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
      <Suspense>{isFirstScreenReady && <SelectedSums ticked={selected} />}</Suspense>
      <output className="ui-hidden">
        {data && !isLoading && (view?.search !== '' || view.filter !== null) && texts.foundRows(data.total)}
      </output>
      <output>{lastUndo}</output>
      {!canAdd && (
        <span>{(typeof options?.add === 'string' && texts.noBlankRow[options.add]) || texts.mayNotAdd}</span>
      )}
      <SaveState />
      {onHelp && <IconAction label={texts.keys} icon={Keyboard} size={16} onClick={onHelp} />}
    </footer>
  );
}

/**
 * The figures of the view. While those of another month or search are loaded, the last ones stay with their view, so that
 * the bar neither jumps nor shows a figure under another month.
 */
export function useLastFigures(view: DealView) {
  const canChooseMonth = usePermissions().can('dataEntry', 'canAccessAllMonths');
  const { data } = useQuery({ ...summaryQuery(view, canChooseMonth), enabled: useFirstScreenReady() });
  const [figures, setFigures] = useState<{ data: NonNullable<typeof data>; view: DealView } | null>(null);
  // Figures without a month belong to the month that is shown.
  if (data && (figures?.data !== data || figures.view.month !== view.month)) setFigures({ data, view });
  return { figures, isLoading: data === undefined };
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
