import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useDealOptions } from '../../platform/deal-options.ts';
import { templatesQuery } from '../../platform/directory.ts';
import { formatMonth } from '../../platform/formats.ts';
import { monthOfClock } from '../../platform/months.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { readQuery } from '../../platform/read-query.ts';
import { linkTo, rowsLink, rowsOfLink, type ScreenLink } from '../../platform/rows-link.ts';
import { texts } from '../../texts/palette.ts';
import { dealershipsQuery } from '../dealerships/dealerships.queries.ts';
import { namedFilters } from '../deals/deal-filter.shared.ts';
import { usersQuery } from '../users/users.queries.ts';
import type { PaletteEntry } from './palette-entries.ts';

const FOUND_DEALS = '6';

/** The deals that match a search, if the user may search. */
const foundDealsQuery = (search: string) => ({
  ...readQuery(['palette', 'deals', search], 'GET /deals', { query: { search, limit: FOUND_DEALS } }),
  enabled: search.length >= 2,
  gcTime: 60_000,
});

/** Debounce of the search, in milliseconds. */
const SEARCH_MS = 200;

/**
 * The records that the user may open, from the queries of their screens and with the same permissions. Deals are
 * searched by the server; other lists are small enough to be loaded whole.
 */
export function usePaletteRecords(typed: string, go: (to: ScreenLink) => void) {
  const permissions = usePermissions();
  const rows = permissions.page('dataEntry');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_MS);
  const deals = useQuery({ ...foundDealsQuery(search), enabled: rows && search.length >= 2 });
  const { data: options } = useDealOptions(rows);
  const seesDealerships = permissions.can('dealershipConfiguration', 'viewDealerships');
  const { data: dealerships } = useQuery({ ...dealershipsQuery, enabled: seesDealerships });
  const managesTemplates = permissions.page('emailTemplates') && permissions.feature('manageTemplates');
  const { data: templates } = useQuery({ ...templatesQuery, enabled: managesTemplates });
  const { data: people } = useQuery({ ...usersQuery, enabled: permissions.isAdmin });

  const month = options?.currentMonth ?? monthOfClock();
  const addresses = new Map(dealerships?.items.map(({ _id, address }) => [_id, address]));
  const entries: PaletteEntry[] = [
    ...(rows && options ? namedFilters(options) : []).map(({ label, filter }) => ({
      id: `filter-${label}`,
      group: 'filters' as const,
      label,
      note: texts.rowsOf,
      run: () => go(rowsLink({ month, filter })),
    })),
    ...((rows ? options?.dealerships : dealerships?.items) ?? []).map(({ _id, name }) => ({
      id: `dealership-${_id}`,
      group: 'dealerships' as const,
      label: name,
      note: addresses.get(_id) ?? texts.rowsOf,
      run: () => go(rows ? rowsOfLink(month, 'dealershipId', _id) : linkTo(paths.dealershipPage(_id), {})),
    })),
    ...(templates?.items ?? []).map(({ _id, name, subject }) => ({
      id: `template-${_id}`,
      group: 'templates' as const,
      label: name,
      note: subject,
      run: () => go(linkTo(paths.editTemplate(_id), {})),
    })),
    ...(people?.items ?? []).map(({ _id, name, email }) => ({
      id: `person-${_id}`,
      group: 'people' as const,
      label: name,
      note: email,
      run: () => go(linkTo(paths.permissions, { user: _id })),
    })),
  ];
  const isCurrent = typed.trim() === search;
  // The rows are not filtered again: the server also searches fields that are not displayed here.
  const dealEntries = (isCurrent && search.length >= 2 ? (deals.data?.items ?? []) : []).map(
    (deal): PaletteEntry => ({
      id: `deal-${deal._id}`,
      group: 'deals',
      label: deal.customerName ?? texts.someone,
      note: [deal.dealNumber, deal.customerNumber, deal.dealershipName, deal.month && formatMonth(deal.month)]
        .filter(Boolean)
        .join(' · '),
      run: () => go(linkTo(paths.deal(deal._id), { month: deal.month })),
    }),
  );
  return { entries, dealEntries, isSearching: deals.isFetching || !isCurrent };
}
