import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { onLiveEvent, onLiveGap } from '../../platform/live-events.ts';
import { queryClient } from '../../platform/query-client.ts';
import { freshQuery, readQuery, useCall, useChange } from '../../platform/read-query.ts';

const usersKey = ['users'] as const;
const listKey = [...usersKey, 'list'] as const;

/** All users, for administrators (docs/product/people-and-permissions.md, Users). Live events refresh them. */
export const usersQuery = { ...readQuery(listKey, 'GET /users'), staleTime: Infinity };

export const sessionsQuery = (id: string) =>
  freshQuery([...usersKey, id, 'sessions'], 'GET /users/:id/sessions', { params: { id } });

/** Number of records of each kind that a user owns. */
export const belongingsQuery = (id: string) =>
  freshQuery([...usersKey, id, 'belongings'], 'GET /users/:id/belongings', { params: { id } });

const refresh = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: usersKey });

// The list is refreshed even while other screens are open, because it stays cached.
onLiveEvent('user', () => void refresh(queryClient));
onLiveGap(() => void refresh(queryClient));

export const useAddUser = () => useCall(usersKey, 'POST /users');

export const useSaveUser = () => useCall(usersKey, 'PUT /users/:id');

export const useResetPassword = () => useCall(usersKey, 'POST /users/:id/reset-password');

export const useInvite = () => useCall(usersKey, 'POST /users/:id/invitation');

export const useRequireTwoStep = () => useCall(usersKey, 'PUT /users/:id/two-step');

export const useResetTwoStep = () => useCall(usersKey, 'DELETE /users/:id/two-step');

/** Ends a session of a user; without `sessionId` all of them. */
export const useEndSessions = () =>
  useChange(usersKey, ({ id, sessionId }: { id: string; sessionId?: string }) =>
    sessionId === undefined
      ? call('DELETE /users/:id/sessions', { params: { id } })
      : call('DELETE /users/:id/sessions/:sessionId', { params: { id, sessionId } }),
  );

export const useTransferAll = () => useCall(usersKey, 'POST /users/:id/transfer');
