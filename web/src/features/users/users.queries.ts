import type { Sent } from '@forecourt/contract/api';
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { onLiveEvent, onLiveGap } from '../../platform/live-events.ts';
import { queryClient } from '../../platform/query-client.ts';

const usersKey = ['users'] as const;
const listKey = [...usersKey, 'list'] as const;

/** Everybody with an account, for administrators: fetched once, then cached (spec section 7). */
export const usersQuery = queryOptions({
  queryKey: listKey,
  queryFn: ({ signal }) => call('GET /users', { signal }),
  staleTime: Infinity,
});

/** Active people by name, for whoever may share. */
export const directoryQuery = queryOptions({
  queryKey: [...usersKey, 'directory'],
  queryFn: ({ signal }) => call('GET /users/directory', { signal }),
});

/** The live sessions of one person. */
export const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...usersKey, id, 'sessions'],
    queryFn: ({ signal }) => call('GET /users/:id/sessions', { params: { id }, signal }),
    staleTime: 0,
  });

/** How much one person owns. */
export const belongingsQuery = (id: string) =>
  queryOptions({
    queryKey: [...usersKey, id, 'belongings'],
    queryFn: ({ signal }) => call('GET /users/:id/belongings', { params: { id }, signal }),
    staleTime: 0,
  });

const refresh = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: usersKey });

// The list is kept while other screens are open, so it is told of changes there, too.
onLiveEvent('user', () => void refresh(queryClient));
onLiveGap(() => void refresh(queryClient));

/** A change of people, after which what is known of them is loaded again. */
function useChange<V, R>(mutationFn: (given: V) => Promise<R>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => refresh(client) });
}

export const useAddUser = () =>
  useChange((body: Sent<'POST /users', 'body'>) => call('POST /users', { body }));

type SaveUser = { id: string; changes: Sent<'PUT /users/:id', 'body'>; idempotencyKey: string };
export const useSaveUser = () =>
  useChange(({ id, changes, idempotencyKey }: SaveUser) =>
    call('PUT /users/:id', { params: { id }, body: changes, idempotencyKey }),
  );

export const useResetPassword = () =>
  useChange((id: string) => call('POST /users/:id/reset-password', { params: { id } }));

export const useInvite = () =>
  useChange((id: string) => call('POST /users/:id/invitation', { params: { id } }));

export const useRequireTwoStep = () =>
  useChange(({ id, required }: { id: string; required: boolean }) =>
    call('PUT /users/:id/two-step', { params: { id }, body: { required } }),
  );

export const useResetTwoStep = () =>
  useChange((id: string) => call('DELETE /users/:id/two-step', { params: { id } }));

/** Ends one session of a person; without `sessionId` all of them. */
export const useEndSessions = () =>
  useChange(({ id, sessionId }: { id: string; sessionId?: string }) =>
    sessionId === undefined
      ? call('DELETE /users/:id/sessions', { params: { id } })
      : call('DELETE /users/:id/sessions/:sessionId', { params: { id, sessionId } }),
  );

type TransferAll = {
  id: string;
  transfer: Sent<'POST /users/:id/transfer', 'body'>;
  idempotencyKey: string;
};
export const useTransferAll = () =>
  useChange(({ id, transfer, idempotencyKey }: TransferAll) =>
    call('POST /users/:id/transfer', { params: { id }, body: transfer, idempotencyKey }),
  );
