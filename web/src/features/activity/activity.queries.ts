import { keepPreviousData } from '@tanstack/react-query';
import { readQuery } from '../../platform/read-query.ts';

const activityKey = ['activity'] as const;

/** All live sessions. Polled every half minute, as a background request that does not extend the session. */
export const liveSessionsQuery = {
  ...readQuery([...activityKey, 'sessions'], 'GET /user-activity/sessions', { background: true }),
  refetchInterval: 30_000,
  staleTime: 0,
};

export const activityQuery = (days: string) => ({
  ...readQuery([...activityKey, days], 'GET /user-activity', { query: { days } }),
  placeholderData: keepPreviousData,
  staleTime: 60_000,
});
