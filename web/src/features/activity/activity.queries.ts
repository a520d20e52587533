import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

const activityKey = ['activity'] as const;

/** Every live session: asked again each half a minute while it is in sight, without that being use of one's own. */
export const liveSessionsQuery = queryOptions({
  queryKey: [...activityKey, 'sessions'],
  queryFn: ({ signal }) => call('GET /user-activity/sessions', { signal, background: true }),
  refetchInterval: 30_000,
  staleTime: 0,
});

/** Who worked when, in so many days. */
export const activityQuery = (days: string) =>
  queryOptions({
    queryKey: [...activityKey, days],
    queryFn: ({ signal }) => call('GET /user-activity', { query: { days }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
