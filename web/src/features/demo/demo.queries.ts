import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { useFirstScreenReady } from '../../platform/first-screen.ts';
import { queryClient } from '../../platform/query-client.ts';
import { readQuery } from '../../platform/read-query.ts';
import { useSession } from '../../platform/session.ts';

/** Key prefix of all queries of the demo, so that one live event invalidates them. */
export const demoKey = ['demo'] as const;

/** Whether the server is a demo, and the user's steps of the tour. Other servers are requested once. */
const demoQuery = queryOptions({
  queryKey: [...demoKey, 'about'],
  queryFn: ({ signal }) => call('GET /demo', { signal }),
  staleTime: ({ state }) => (state.data?.isDemo ? 0 : Infinity),
});

/** Returns the response when it is loaded, for a signed-in user. */
export function useDemo() {
  const { user } = useSession();
  const isFirstScreenReady = useFirstScreenReady();
  return useQuery({ ...demoQuery, enabled: user !== null && isFirstScreenReady }).data;
}

/** For guards. Rejects if the server is unreachable. */
export const isDemo = async (): Promise<boolean> => (await queryClient.ensureQueryData(demoQuery)).isDemo;

export const useIsDemo = (): boolean => useDemo()?.isDemo ?? false;

export const mailboxQuery = {
  ...readQuery([...demoKey, 'mailbox'], 'GET /demo/mailbox'),
  // Polled, because emails of other users publish no live event to this user.
  refetchInterval: 5000,
};

/** A message never changes. */
export const mailboxMessageQuery = (id: string) => ({
  ...readQuery(['demo-message', id], 'GET /demo/mailbox/:id', { params: { id } }),
  staleTime: Infinity,
});
