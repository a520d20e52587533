import { createStore, useStore } from './external-store.ts';
import { readStored, storageKeys, writeStored } from './storage-keys.ts';

/** Id of the changelog at build time; see vite.config.ts. */
declare const CHANGELOG_ID: string;

const hasUnread = createStore(isNewer());

/** On the first visit nothing is unread. */
function isNewer(): boolean {
  const seen = readStored(storageKeys.changelog);
  if (seen === null) writeStored(storageKeys.changelog, CHANGELOG_ID);
  return seen !== null && seen !== CHANGELOG_ID;
}

/** Returns whether the changelog has entries that this browser has not shown yet. */
export const useHasUnreadChangelog = (): boolean => useStore(hasUnread);

export function markChangelogRead(): void {
  writeStored(storageKeys.changelog, CHANGELOG_ID);
  hasUnread.set(false);
}
