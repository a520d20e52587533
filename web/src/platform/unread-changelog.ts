import { createStore, useStore } from './external-store.ts';
import { readStored, storageKeys, writeStored } from './storage-keys.ts';

/** Id of the changelog at build time; see vite.config.ts. */
declare const CHANGELOG_ID: string;

const hasUnread = createStore(isNewer());

/** Nothing is unread on the first visit. */
function isNewer(): boolean {
  const seen = readStored(storageKeys.changelog);
  if (seen === null) writeStored(storageKeys.changelog, CHANGELOG_ID);
  return seen !== null && seen !== CHANGELOG_ID;
}

/** Whether the changelog has entries that this browser has not displayed. */
export const useHasUnreadChangelog = (): boolean => useStore(hasUnread);

export function markChangelogRead(): void {
  writeStored(storageKeys.changelog, CHANGELOG_ID);
  hasUnread.set(false);
}
