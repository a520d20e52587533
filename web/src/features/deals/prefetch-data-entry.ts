import { dealOptionsQuery } from '../../platform/deal-options.ts';
import { monthOfClock } from '../../platform/months.ts';
import { queryClient } from '../../platform/query-client.ts';
import { currentSession } from '../../platform/session.ts';
import { loadCustomColumns } from './custom/custom-columns.lazy.ts';
import { firstFilter, viewOf } from './deal-view.ts';
import { firstRowsQuery } from './deals.queries.ts';
import { readArrangement } from './views/stored-arrangement.ts';

/** Requests the first rows while the screen's script is loading. */
export function prefetchDataEntry(): void {
  const { authenticated, user } = currentSession();
  if (!authenticated) return;
  const search = Object.fromEntries(new URLSearchParams(window.location.search));
  queryClient
    .fetchQuery(dealOptionsQuery)
    .then(({ customFields }) => (customFields.length > 0 ? loadCustomColumns() : undefined))
    .catch(() => undefined);
  const arrangement = readArrangement(user?._id ?? '');
  // Ignored, because the component reports a missing script.
  if (arrangement.group !== null) import('./groups/DealGroups.tsx').catch(() => undefined);
  const filter = firstFilter(search['filter'], arrangement.filter);
  if (filter === undefined) return;
  void queryClient.prefetchQuery(firstRowsQuery(viewOf(search, monthOfClock(), filter)));
}
