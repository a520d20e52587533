import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

/** So many deals a glance takes in. */
const FOUND_DEALS = '6';

/** The deals that a search finds, as far as the person may search. */
export const foundDealsQuery = (search: string) =>
  queryOptions({
    queryKey: ['palette', 'deals', search],
    queryFn: ({ signal }) => call('GET /deals', { query: { search, limit: FOUND_DEALS }, signal }),
    enabled: search.length >= 2,
    gcTime: 60_000,
  });
