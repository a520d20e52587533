import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { readQuery } from '../../platform/read-query.ts';

export const notificationsKey = ['notifications'] as const;

/** The user's notifications, newest first. */
export const notificationsQuery = {
  ...readQuery(notificationsKey, 'GET /notifications', { background: true }),
  staleTime: 60_000,
};

/** Marks these notifications as read, or all. */
export function useReadNotifications() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: string[] | undefined) =>
      call('POST /notifications/read', { body: ids === undefined ? {} : { ids } }),
    onSettled: () => client.invalidateQueries({ queryKey: notificationsKey }),
  });
}
