import { call } from '../../platform/api.ts';
import { readQuery, useAttempt, useChange } from '../../platform/read-query.ts';

export const notificationsKey = ['notifications'] as const;

export const notificationsQuery = {
  ...readQuery(notificationsKey, 'GET /notifications', { background: true }),
  staleTime: 60_000,
};

/** Marks these notifications as read, or all up to the time of the newest loaded one. */
export const useReadNotifications = () =>
  useAttempt(notificationsKey, (body: { ids: string[] } | { until: string }) =>
    call('POST /notifications/read', { body }),
  );

const settingsKey = ['notification-settings'] as const;

export const notificationSettingsQuery = readQuery(settingsKey, 'GET /notifications/settings');

export const useChangeNotificationSettings = () =>
  useChange(settingsKey, (mentionMail: boolean) =>
    call('PUT /notifications/settings', { body: { mentionMail } }),
  );
