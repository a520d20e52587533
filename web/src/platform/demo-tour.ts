import { createStore, useStore } from './external-store.ts';
import { readStored, storageKeys, writeStored } from './storage-keys.ts';

/** Steps that only the browser can record; `hidden`: the user closed the card of the tour. */
export type TourMark = 'paste' | 'read' | 'viewAs' | 'hidden';

const marks = createStore<readonly string[]>(readStored(storageKeys.demo)?.split(' ') ?? []);

export const useTourMarks = (): readonly string[] => useStore(marks);

export function recordTourMark(mark: TourMark): void {
  if (marks.get().includes(mark)) return;
  marks.set([...marks.get(), mark]);
  writeStored(storageKeys.demo, marks.get().join(' '));
}
