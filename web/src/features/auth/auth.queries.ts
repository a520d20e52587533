import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { freshQuery, readQuery, useAttempt, useCall } from '../../platform/read-query.ts';

/** Whether the first administrator must still be created, and whether reset links can be mailed. */
export const setupQuery = readQuery(['auth', 'setup'], 'GET /auth/setup');

/** Returns the message, which is the same whether or not the account exists. */
export const requestLink = async (email: string): Promise<string> =>
  (await call('POST /auth/forgot-password', { body: { email } })).message;

export const choosePassword = (key: string, newPassword: string) =>
  call('POST /auth/reset-password', { body: { key, newPassword } });

const twoStepKey = ['auth', 'two-step'] as const;

export const twoStepQuery = readQuery(twoStepKey, 'GET /auth/two-step');

export const beginTwoStep = (currentPassword: string) =>
  call('POST /auth/two-step', { body: { currentPassword } });

/** Invalidates nothing, because the recovery codes must remain on the screen: they are returned only once. */
export const confirmTwoStep = (code: string) => call('POST /auth/two-step/confirm', { body: { code } });

export const useNewRecoveryCodes = () => useCall(twoStepKey, 'POST /auth/two-step/recovery-codes');

export const useTurnOffTwoStep = () => useCall(twoStepKey, 'POST /auth/two-step/turn-off');

export function useRefreshTwoStep(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: twoStepKey });
}

const sessionsKey = ['auth', 'sessions'] as const;

// Loaded on each mount, because a sign-in elsewhere publishes no live event.
export const sessionsQuery = freshQuery(sessionsKey, 'GET /auth/sessions');

/** Ends sessions one after the other. */
export const useEndSessions = () =>
  useAttempt(sessionsKey, async (ids: readonly string[]) => {
    for (const id of ids) await call('DELETE /auth/sessions/:id', { params: { id } });
  });
