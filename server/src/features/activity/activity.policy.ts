import { ONLINE_MINUTES } from '@forecourt/contract/activity-limits';

/** Returns whether a session counts as in use, by its last use, which is recorded once a minute. */
export const isOnline = (lastUsedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(lastUsedAt) < ONLINE_MINUTES * 60_000;
