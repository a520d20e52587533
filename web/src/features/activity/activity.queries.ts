import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

const activityKey = ['activity'] as const;

/** All live sessions; polled every half a minute while shown, in the background, so that it does not extend the session. */
export const liveSessionsQuery = queryOptions({
  queryKey: [...activityKey, 'sessions'],
  queryFn: ({ signal }) => call('GET /user-activity/sessions', { signal, background: true }),
  refetchInterval: 30_000,
  staleTime: 0,
});

/** The activity of the last days. */
export const activityQuery = (days: string) =>
  queryOptions({
    queryKey: [...activityKey, days],
    queryFn: ({ signal }) => call('GET /user-activity', { query: { days }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
