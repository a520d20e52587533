import { createStore, useStore } from './external-store.ts';
import { readStored, storageKeys, writeStored } from './storage-keys.ts';

/** Stands for the changelog that this build was made with; see vite.config.ts. */
declare const CHANGELOG_ID: string;

const hasNews = createStore(isNewer());

/** Who is here for the first time has no news: everything is new to them. */
function isNewer(): boolean {
  const seen = readStored(storageKeys.changelog);
  if (seen === null) writeStored(storageKeys.changelog, CHANGELOG_ID);
  return seen !== null && seen !== CHANGELOG_ID;
}

/** Whether the changelog has something that nobody has looked at in this browser. */
export const useChangelogNews = (): boolean => useStore(hasNews);

/** Somebody looks at it now. */
export function noteChangelogSeen(): void {
  writeStored(storageKeys.changelog, CHANGELOG_ID);
  hasNews.set(false);
}
