/** Somebody whose session was used within so many minutes is on now. */
const ONLINE_MINUTES = 5;

/** Whether a session counts as in use, by when it was used last. Use is written down once a minute. */
export const isOnline = (lastUsedAt: string, now: Date): boolean =>
  now.getTime() - Date.parse(lastUsedAt) < ONLINE_MINUTES * 60_000;
