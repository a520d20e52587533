import { MIN_SEARCH_ANYWHERE } from '@forecourt/contract/deal-limits';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import FunnelX from 'lucide-react/icons/funnel-x';
import SearchX from 'lucide-react/icons/search-x';
import Table2 from 'lucide-react/icons/table-2';
import type { ReactNode } from 'react';
import { formatMonth } from '../../../platform/formats.ts';
import { useLiveRefresh } from '../../../platform/live-events.ts';
import { texts as viewTexts } from '../../../texts/deal-views.ts';
import { texts } from '../../../texts/deals.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { focusTable, useDataEntry } from '../data-entry-context.ts';
import { isOverMonths, type DealView } from '../deal-view.ts';
import { firstRowsKey, firstRowsQuery } from '../deals.queries.ts';

/** Minimum time between counts in milliseconds: a change of any row may change them. */
const REST_MS = 5000;

/** Says why there are no rows, and offers the next step. `refused`: the server's reason against the filter. */
export default function NoRows({ refused }: { refused?: string }): ReactNode {
  const { view, adding } = useDataEntry();
  if (refused !== undefined) {
    return (
      <EmptyState icon={<FunnelX />} title={refused}>
        {viewTexts.refusedNote}
      </EmptyState>
    );
  }
  if (view.search !== '' && view.filter !== null)
    return <NothingFiltered view={view} conditions={view.filter.conditions.length} />;
  if (view.search !== '') return <NothingFound view={view} />;
  if (view.filter !== null) {
    return (
      <EmptyState icon={<FunnelX />} title={viewTexts.nothingPasses}>
        {viewTexts.nothingPassesNote}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<Table2 />} title={texts.emptyTitle(formatMonth(view.month))}>
      {adding === true ? texts.emptyMayAdd : texts.emptyMayNotAdd}
    </EmptyState>
  );
}

/** Returns the month of a search that does not cover all months. */
const monthOfSearch = (view: DealView): string | undefined =>
  isOverMonths(view) ? undefined : formatMonth(view.month);

const NothingFound = ({ view, without }: { view: DealView; without?: string }): ReactNode => (
  <EmptyState icon={<SearchX />} title={texts.nothingFound(view.search, monthOfSearch(view), without)}>
    {isOverMonths(view) && view.search.length < MIN_SEARCH_ANYWHERE
      ? texts.shortSearchNote
      : texts.nothingFoundNote}{' '}
    <span className="ui-keys">{texts.clearSearchKey}</span>
  </EmptyState>
);

/** Shown if a search has no match within the filters, with the number of matches without them. */
function NothingFiltered({ view, conditions }: { view: DealView; conditions: number }): ReactNode {
  const { arrangement } = useDataEntry();
  useLiveRefresh('deal', firstRowsKey, REST_MS);
  const { data, isPending } = useQuery(firstRowsQuery({ ...view, filter: null }));
  const filters = viewTexts.filters(conditions);
  if (data?.total === 0) return <NothingFound view={view} without={filters} />;
  return (
    <EmptyState
      icon={<FunnelX />}
      title={texts.noneWith(filters, monthOfSearch(view))}
      action={
        !isPending && (
          <Anchor
            component="button"
            type="button"
            onClick={() => {
              arrangement.setFilter(null);
              focusTable();
            }}
          >
            {data ? texts.withoutFilters(data.total, data.isCapped, conditions) : texts.searchWithout}
          </Anchor>
        )
      }
    />
  );
}
