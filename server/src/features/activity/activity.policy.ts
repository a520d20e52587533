import { ONLINE_MINUTES } from '@forecourt/contract/activity-limits';

/** Whether a session is in use. Its last use is recorded once a minute. */
export const isOnline = (lastUsedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(lastUsedAt) < ONLINE_MINUTES * 60_000;
