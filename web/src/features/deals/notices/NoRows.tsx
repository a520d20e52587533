import { MIN_SEARCH_ANYWHERE } from '@forecourt/contract/deal-limits';
import FunnelX from 'lucide-react/icons/funnel-x';
import SearchX from 'lucide-react/icons/search-x';
import Table2 from 'lucide-react/icons/table-2';
import type { ReactNode } from 'react';
import { formatMonth } from '../../../platform/formats.ts';
import { texts as viewTexts } from '../../../texts/deal-views.ts';
import { texts } from '../../../texts/deals.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { useDataEntry } from '../data-entry-context.ts';
import { isOverMonths } from '../deals.queries.ts';

/** Why there are no rows, and what to do next. `refused`: the reason of the server against the filter. */
export default function NoRows({ refused }: { refused?: string }): ReactNode {
  const { view, canAdd } = useDataEntry();
  if (refused !== undefined) {
    return (
      <EmptyState icon={<FunnelX />} title={refused}>
        {viewTexts.refusedNote}
      </EmptyState>
    );
  }
  if (view.search !== '') {
    return (
      <EmptyState icon={<SearchX />} title={texts.nothingFound(view.search)}>
        {isOverMonths(view) && view.search.length < MIN_SEARCH_ANYWHERE
          ? texts.shortSearchNote
          : texts.nothingFoundNote}
      </EmptyState>
    );
  }
  if (view.filter !== null) {
    return (
      <EmptyState icon={<FunnelX />} title={viewTexts.nothingPasses}>
        {viewTexts.nothingPassesNote}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Table2 />} title={texts.emptyTitle(formatMonth(view.month))}>
      {canAdd ? texts.emptyMayAdd : texts.emptyMayNotAdd}
    </EmptyState>
  );
}
