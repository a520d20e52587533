import { createStore, useStore } from './external-store.ts';
import { readStored, storageKeys, writeStored } from './storage-keys.ts';

/** What only the browser can record about the first steps; `hidden`: the user closed their card. */
export type TourMark = 'paste' | 'read' | 'viewAs' | 'hidden';

const marks = createStore<readonly string[]>(readStored(storageKeys.demo)?.split(' ') ?? []);

/** Returns the steps done in this browser, by any user. */
export const useTourMarks = (): readonly string[] => useStore(marks);

/** Stores a step as done in this browser. */
export function recordTourMark(mark: TourMark): void {
  if (marks.get().includes(mark)) return;
  marks.set([...marks.get(), mark]);
  writeStored(storageKeys.demo, marks.get().join(' '));
}
