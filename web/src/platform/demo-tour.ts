import { createStore, useStore } from './external-store.ts';
import { readStored, storageKeys, writeStored } from './storage-keys.ts';

/** What only the browser knows of the first five minutes of a demo; `hidden`: the person wants no guide. */
export type TourMark = 'paste' | 'read' | 'viewAs' | 'hidden';

const marks = createStore<readonly string[]>(readStored(storageKeys.demo)?.split(' ') ?? []);

/** What has been done in this browser, also by others who have used it. */
export const useTourMarks = (): readonly string[] => useStore(marks);

/** Remembers it in this browser. */
export function noteTour(mark: TourMark): void {
  if (marks.get().includes(mark)) return;
  marks.set([...marks.get(), mark]);
  writeStored(storageKeys.demo, marks.get().join(' '));
}
