import type { Ability } from '@forecourt/contract/route';
import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Keyboard from 'lucide-react/icons/keyboard';
import { useEffect, type ReactNode } from 'react';
import type { CellAddress, GridColumn, SelectedCells } from '../../grid/grid.ts';
import { useFirstScreenStands } from '../../platform/coming-later.ts';
import { useStore, type Store } from '../../platform/external-store.ts';
import { formatMoney, formatMonth } from '../../platform/formats.ts';
import { useMay } from '../../platform/permissions.ts';
import { queryClient } from '../../platform/query-client.ts';
import { texts as keyTexts } from '../../texts/deal-keys.ts';
import { texts } from '../../texts/deals.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { refusalsOf, type DealDraft } from './deal-draft.ts';
import type { DealRow } from './deal-row.ts';
import { dealOptionsKey, summaryQuery, type DealView } from './deals.queries.ts';
import { SelectionSums } from './SelectionSums.tsx';
import type { Deals } from './use-deals.ts';
import { useMonthMoves } from './use-month-moves.ts';
import styles from './DealsStatusBar.module.css';

type DealsStatusBarProps = {
  deals: Deals;
  view: DealView;
  active: Store<CellAddress | null>;
  columns: readonly GridColumn<DealRow>[];
  cells: Store<SelectedCells | null>;
  /** What the last undo came to. */
  said: Store<string>;
  selected: number;
  mayAdd: boolean;
  /** Why whoever has the right gets no blank row all the same. */
  add: Ability | undefined;
  /** Left out where there are no keys. */
  onHelp: (() => void) | undefined;
};

/** Count and sums of what is in view, and whether everything typed has reached the server. */
export function DealsStatusBar(props: DealsStatusBarProps): ReactNode {
  const { deals, view, active, selected, mayAdd } = props;
  const said = useStore(props.said);
  const mayChooseMonth = useMay().do('dataEntry', 'canAccessAllMonths');
  const { data } = useQuery({ ...summaryQuery(view, mayChooseMonth), enabled: useFirstScreenStands() });
  const begun = data?.onlyMonth === view.month ? undefined : data?.onlyMonth;
  useEffect(() => {
    // The options have the month in which the page begins anew.
    if (begun !== undefined) void queryClient.invalidateQueries({ queryKey: dealOptionsKey });
  }, [begun]);
  useMonthMoves(deals);
  return (
    <footer className={styles.bar}>
      {data && (
        <dl className={styles.sums}>
          <div>
            <dd>{countOf(data.total, view, begun)}</dd>
          </div>
          <Sum label={texts.sale} amount={data.saleAmount} />
          <Sum label={texts.grossProfit} amount={data.grossProfit} />
          <Sum label={texts.commission} amount={data.commission} />
        </dl>
      )}
      <SelectionSums rows={deals.rows} columns={props.columns} cells={props.cells} />
      <VisuallyHidden component="output">
        {data && view.search !== '' && texts.foundRows(data.total)}
      </VisuallyHidden>
      <output>{said}</output>
      {selected > 0 && <span>{texts.selected(selected)}</span>}
      {!mayAdd && (
        <span>{(typeof props.add === 'string' && texts.noBlankRow[props.add]) || texts.mayNotAdd}</span>
      )}
      <SaveState deals={deals} active={active} />
      {props.onHelp && (
        <IconAction label={keyTexts.open} icon={<Keyboard size={16} />} onClick={props.onHelp} />
      )}
    </footer>
  );
}

/** How many there are, and in which month where that is not the one of the rows. */
function countOf(total: number, { search }: DealView, month: string | undefined): string {
  if (search !== '') return texts.foundRows(total);
  return month === undefined ? texts.rows(total) : texts.rowsIn(total, formatMonth(month));
}

/** A sum; nothing of a column that this person may not see. */
function Sum({ label, amount }: { label: string; amount: number | undefined }): ReactNode {
  if (amount === undefined) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{formatMoney(amount)}</dd>
    </div>
  );
}

/** Says quietly that all is saved, and plainly what is not. */
function SaveState({ deals, active }: Pick<DealsStatusBarProps, 'deals' | 'active'>): ReactNode {
  const drafts = useStore(deals.outbox.pending);
  const trailing = useStore(deals.table.trailing);
  const cell = useStore(active);
  const own = drafts.find(({ key }) => key === cell?.key);
  const waits = drafts.some(({ problem }) => problem !== null);
  const refused = drafts.reduce((count, draft) => count + refusalsOf(draft).length, 0);
  return (
    <output className={styles.state} data-unsaved={drafts.length > 0 || undefined}>
      {drafts.length === 0
        ? texts.allSaved
        : [
            texts.unsaved(drafts.length),
            ...elsewhere(drafts, new Set(trailing)),
            refused > 0 && texts.toCorrect(refused),
            waits ? texts.waitingForLine : own && missingWords(own),
          ]
            .filter(Boolean)
            .join(' · ')}
    </output>
  );
}

/** How many new rows stand in which other month. */
const elsewhere = (drafts: readonly DealDraft[], inSight: ReadonlySet<string>): string[] =>
  [
    ...Map.groupBy(
      drafts.filter(({ key, dealId }) => dealId === null && !inSight.has(key)),
      ({ month }) => month,
    ),
  ].map(([month, there]) => texts.unsavedThere(there.length, formatMonth(month)));

/** What a new row still needs; nothing for one that is complete. */
function missingWords({ dealId, typed }: DealDraft): string | null {
  if (dealId !== null) return null;
  const missing = (['customerName', 'dealershipId'] as const).filter((field) => !typed[field]?.value);
  const names = missing.map((field) => texts.columns[field].toLowerCase());
  return names.length === 0 ? null : texts.incomplete(names.join(' and a '));
}
