import { Loader } from '@mantine/core';
import FunnelX from 'lucide-react/icons/funnel-x';
import SearchX from 'lucide-react/icons/search-x';
import Table2 from 'lucide-react/icons/table-2';
import { useSyncExternalStore, type ReactNode } from 'react';
import { useStore } from '../../platform/external-store.ts';
import { formatMonth } from '../../platform/formats.ts';
import { texts as viewTexts } from '../../texts/deal-views.ts';
import { texts } from '../../texts/deals.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import { isFiltered } from './deal-filters.ts';
import type { DealView } from './deals.queries.ts';
import type { Deals } from './use-deals.ts';
import styles from './DataEntryScreen.module.css';

type DealsEmptyProps = { deals: Deals; view: DealView; mayAdd: boolean };

/** What stands where rows would be: loading, why they did not come, or what to do next. */
export function DealsEmpty({ deals, view, mayAdd }: DealsEmptyProps): ReactNode {
  const { state, error } = useStore(deals.loading.state);
  const order = useSyncExternalStore(deals.rows.subscribeOrder, deals.rows.getOrder);
  const unsaved = useStore(deals.table.trailing).some((key) => deals.outbox.draftOf(key) !== undefined);
  if (state === 'failed') {
    return (
      <div className={styles.overlay} data-solid>
        <LoadFailed error={error} retry={deals.reload} />
      </div>
    );
  }
  if (order.length > 0) return null;
  if (state === 'loading') {
    return (
      <output className={styles.overlay}>
        <Loader size={16} /> {texts.loading}
      </output>
    );
  }
  if (unsaved) return null;
  return (
    <div className={styles.overlay}>
      <NoRows view={view} mayAdd={mayAdd} />
    </div>
  );
}

function NoRows({ view, mayAdd }: Pick<DealsEmptyProps, 'view' | 'mayAdd'>): ReactNode {
  if (view.search !== '') {
    return (
      <EmptyState icon={<SearchX />} title={texts.nothingFound(view.search)}>
        {texts.nothingFoundNote}
      </EmptyState>
    );
  }
  if (isFiltered(view)) {
    return (
      <EmptyState icon={<FunnelX />} title={viewTexts.nothingPasses}>
        {viewTexts.nothingPassesNote}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Table2 />} title={texts.emptyTitle(formatMonth(view.month))}>
      {mayAdd ? texts.emptyMayAdd : texts.emptyMayNotAdd}
    </EmptyState>
  );
}
