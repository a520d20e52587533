import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { useFirstScreenReady } from '../../platform/first-screen.ts';
import { queryClient } from '../../platform/query-client.ts';
import { readQuery } from '../../platform/read-query.ts';
import { useSession } from '../../platform/session.ts';

/** Prefix of all queries of the demo, so that a live event can invalidate all of them. */
export const demoKey = ['demo'] as const;

/** Whether the server is a demo, and the steps of the tour that the user has done. Elsewhere requested once. */
const demoQuery = queryOptions({
  queryKey: [...demoKey, 'about'],
  queryFn: ({ signal }) => call('GET /demo', { signal }),
  staleTime: ({ state }) => (state.data?.isDemo ? 0 : Infinity),
});

/** Returns the response once it is loaded, for a signed-in user. */
export function useDemo() {
  const { user } = useSession();
  const isFirstScreenReady = useFirstScreenReady();
  return useQuery({ ...demoQuery, enabled: user !== null && isFirstScreenReady }).data;
}

/** Returns the same before a screen opens. Rejects when the server is unreachable. */
export const isDemo = async (): Promise<boolean> => (await queryClient.ensureQueryData(demoQuery)).isDemo;

export const useIsDemo = (): boolean => useDemo()?.isDemo ?? false;

/** The sent messages, newest first. */
export const mailboxQuery = {
  ...readQuery([...demoKey, 'mailbox'], 'GET /demo/mailbox'),
  // Emails of other users send no live event to all who may read them here.
  refetchInterval: 5000,
};

/** One message, which never changes. */
export const mailboxMessageQuery = (id: string) => ({
  ...readQuery(['demo-message', id], 'GET /demo/mailbox/:id', { params: { id } }),
  staleTime: Infinity,
});
