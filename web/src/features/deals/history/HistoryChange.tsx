import type { HistoryEntry } from '@forecourt/contract/deals';
import type { ReactNode } from 'react';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { texts } from '../../../texts/deal-actions.ts';
import { ChangeEntry } from '../../../ui/ChangeEntry.tsx';
import { describeChange } from './change-texts.ts';

/** A change of a row, comment or file, with the values before and after. */
export function HistoryChange({ entry: { action, changes, ...entry } }: { entry: HistoryEntry }): ReactNode {
  const timeZone = useTimeZone();
  return (
    <ChangeEntry
      {...entry}
      done={texts.done[action]}
      timeZone={timeZone}
      changes={changes.map((change) => describeChange(change, isNew.has(action), timeZone))}
    />
  );
}

/** Actions without a value before. */
const isNew: ReadonlySet<HistoryEntry['action']> = new Set(['created', 'commentAdded', 'attachmentAdded']);
