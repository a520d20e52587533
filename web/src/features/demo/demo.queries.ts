import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { useFirstScreenStands } from '../../platform/coming-later.ts';
import { queryClient } from '../../platform/query-client.ts';
import { useSession } from '../../platform/session.ts';

/** Everything of the demo lies under one key, so that a live event can make all of it stale. */
export const demoKey = ['demo'] as const;

/** Whether there is one, and what the person has tried in it. Where there is none it is asked once. */
const demoQuery = queryOptions({
  queryKey: [...demoKey, 'about'],
  queryFn: ({ signal }) => call('GET /demo', { signal }),
  staleTime: ({ state }) => (state.data?.isDemo ? 0 : Infinity),
});

/** The answer once it is there, for whoever is signed in. */
export function useDemo() {
  const { user } = useSession();
  const stands = useFirstScreenStands();
  return useQuery({ ...demoQuery, enabled: user !== null && stands }).data;
}

/** The same before a screen opens. Rejects when the server cannot be asked. */
export const isDemo = async (): Promise<boolean> => (await queryClient.ensureQueryData(demoQuery)).isDemo;

export const useIsDemo = (): boolean => useDemo()?.isDemo ?? false;

/** What was sent, newest first. */
export const mailboxQuery = queryOptions({
  queryKey: [...demoKey, 'mailbox'],
  queryFn: ({ signal }) => call('GET /demo/mailbox', { signal }),
  // Mail of others makes no live event for everybody who may read it here.
  refetchInterval: 5000,
});

/** One message, which never changes. */
export const keptMessageQuery = (id: string) =>
  queryOptions({
    queryKey: ['demo-message', id],
    queryFn: ({ signal }) => call('GET /demo/mailbox/:id', { params: { id }, signal }),
    staleTime: Infinity,
  });
