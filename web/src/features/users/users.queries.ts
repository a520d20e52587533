import type { RequestPart } from '@forecourt/contract/api';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { onLiveEvent, onLiveGap } from '../../platform/live-events.ts';
import { queryClient } from '../../platform/query-client.ts';
import { useChange, readQuery } from '../../platform/read-query.ts';

const usersKey = ['users'] as const;
const listKey = [...usersKey, 'list'] as const;

/** All users, for administrators, cached (docs/product/people-and-permissions.md, Users). */
export const usersQuery = { ...readQuery(listKey, 'GET /users'), staleTime: Infinity };

export const sessionsQuery = (id: string) => ({
  ...readQuery([...usersKey, id, 'sessions'], 'GET /users/:id/sessions', { params: { id } }),
  staleTime: 0,
});

/** Number of records that one user owns. */
export const belongingsQuery = (id: string) => ({
  ...readQuery([...usersKey, id, 'belongings'], 'GET /users/:id/belongings', { params: { id } }),
  staleTime: 0,
});

const refresh = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: usersKey });

// The list is cached while other screens are open, so it is refreshed there, too.
onLiveEvent('user', () => void refresh(queryClient));
onLiveGap(() => void refresh(queryClient));

type AddUser = { body: RequestPart<'POST /users', 'body'>; idempotencyKey: string };
export const useAddUser = () =>
  useChange(usersKey, ({ body, idempotencyKey }: AddUser) => call('POST /users', { body, idempotencyKey }));

type SaveUser = { id: string; changes: RequestPart<'PUT /users/:id', 'body'>; idempotencyKey: string };
export const useSaveUser = () =>
  useChange(usersKey, ({ id, changes, idempotencyKey }: SaveUser) =>
    call('PUT /users/:id', { params: { id }, body: changes, idempotencyKey }),
  );

export const useResetPassword = () =>
  useChange(usersKey, ({ id, idempotencyKey }: { id: string; idempotencyKey: string }) =>
    call('POST /users/:id/reset-password', { params: { id }, idempotencyKey }),
  );

export const useInvite = () =>
  useChange(usersKey, (id: string) => call('POST /users/:id/invitation', { params: { id } }));

export const useRequireTwoStep = () =>
  useChange(usersKey, ({ id, required }: { id: string; required: boolean }) =>
    call('PUT /users/:id/two-step', { params: { id }, body: { required } }),
  );

export const useResetTwoStep = () =>
  useChange(usersKey, (id: string) => call('DELETE /users/:id/two-step', { params: { id } }));

/** Ends one session of a user; without `sessionId` all of them. */
export const useEndSessions = () =>
  useChange(usersKey, ({ id, sessionId }: { id: string; sessionId?: string }) =>
    sessionId === undefined
      ? call('DELETE /users/:id/sessions', { params: { id } })
      : call('DELETE /users/:id/sessions/:sessionId', { params: { id, sessionId } }),
  );

type TransferAll = {
  id: string;
  transfer: RequestPart<'POST /users/:id/transfer', 'body'>;
  idempotencyKey: string;
};
export const useTransferAll = () =>
  useChange(usersKey, ({ id, transfer, idempotencyKey }: TransferAll) =>
    call('POST /users/:id/transfer', { params: { id }, body: transfer, idempotencyKey }),
  );
