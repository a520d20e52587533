import type { HistoryEntry } from '@forecourt/contract/deals';
import type { ReactNode } from 'react';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { texts } from '../../../texts/deal-actions.ts';
import { ChangeEntry } from '../../../ui/ChangeEntry.tsx';
import { describeChange } from './change-texts.ts';

type HistoryChangeProps = {
  /** The row whose history is shown. The entry may be about a row that was merged into it. */
  dealId: string;
  entry: HistoryEntry;
};

/** A change of a row, comment or file, with the values before and after. */
export function HistoryChange({
  dealId,
  entry: { action, changes, ...entry },
}: HistoryChangeProps): ReactNode {
  const timeZone = useTimeZone();
  const done = texts.done[action];
  return (
    <ChangeEntry
      {...entry}
      done={entry.dealId === dealId ? done : texts.inMergedRow(done)}
      timeZone={timeZone}
      changes={changes.map((change) => describeChange(change, isNew.has(action), timeZone))}
    />
  );
}

/** Actions without a value before. */
const isNew: ReadonlySet<HistoryEntry['action']> = new Set(['created', 'commentAdded', 'attachmentAdded']);
