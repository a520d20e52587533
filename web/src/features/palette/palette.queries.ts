import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

/** Maximum number of deals shown. */
const FOUND_DEALS = '6';

/** The deals that match a search, as far as the user may search. */
export const foundDealsQuery = (search: string) =>
  queryOptions({
    queryKey: ['palette', 'deals', search],
    queryFn: ({ signal }) => call('GET /deals', { query: { search, limit: FOUND_DEALS }, signal }),
    enabled: search.length >= 2,
    gcTime: 60_000,
  });
