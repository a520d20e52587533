import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CellAddress } from '../../grid/grid.ts';
import { useStore, type Store } from '../../platform/external-store.ts';
import { formatMoney } from '../../platform/formats.ts';
import { texts } from '../../texts/deals.ts';
import type { DealDraft } from './deal-draft.ts';
import { summaryQuery, type DealView } from './deals.queries.ts';
import type { Deals } from './use-deals.ts';
import styles from './DealsStatusBar.module.css';

type DealsStatusBarProps = {
  deals: Deals;
  view: DealView;
  active: Store<CellAddress | null>;
  selected: number;
  mayAdd: boolean;
};

/** Count and sums of what is in view, and whether everything typed has reached the server. */
export function DealsStatusBar({ deals, view, active, selected, mayAdd }: DealsStatusBarProps): ReactNode {
  const { data } = useQuery(summaryQuery(view));
  return (
    <footer className={styles.bar}>
      {data && (
        <dl className={styles.sums}>
          <div>
            <dd>{view.search === '' ? texts.rows(data.total) : texts.foundRows(data.total)}</dd>
          </div>
          <div>
            <dt>{texts.sale}</dt>
            <dd>{formatMoney(data.saleAmount)}</dd>
          </div>
          <div>
            <dt>{texts.grossProfit}</dt>
            <dd>{formatMoney(data.grossProfit)}</dd>
          </div>
        </dl>
      )}
      {selected > 0 && <span>{texts.selected(selected)}</span>}
      {!mayAdd && <span>{texts.mayNotAdd}</span>}
      <SaveState deals={deals} active={active} />
    </footer>
  );
}

/** Says quietly that all is saved, and plainly what is not. */
function SaveState({ deals, active }: Pick<DealsStatusBarProps, 'deals' | 'active'>): ReactNode {
  const drafts = useStore(deals.outbox.pending);
  const cell = useStore(active);
  const own = drafts.find(({ key }) => key === cell?.key);
  const waits = drafts.some(({ problem }) => problem !== null);
  return (
    <output className={styles.state} data-unsaved={drafts.length > 0 || undefined}>
      {drafts.length === 0
        ? texts.allSaved
        : [texts.unsaved(drafts.length), waits ? texts.waitingForLine : own && missingWords(own)]
            .filter(Boolean)
            .join(' · ')}
    </output>
  );
}

/** What a new row still needs; nothing for one that is complete. */
function missingWords({ dealId, typed }: DealDraft): string | null {
  if (dealId !== null) return null;
  const missing = (['customerName', 'dealershipId'] as const).filter((field) => !typed[field]?.value);
  const names = missing.map((field) => texts.columns[field].toLowerCase());
  return names.length === 0 ? null : texts.incomplete(names.join(' and a '));
}
