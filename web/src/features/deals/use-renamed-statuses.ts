import type { DealStatus } from '@forecourt/contract/deals';
import { useEffect, useEffectEvent, useRef } from 'react';

/** Calls `onRenamed` with old names and new ones when statuses that were known come with other names. */
export function useRenamedStatuses(
  statuses: readonly DealStatus[],
  onRenamed: (names: ReadonlyMap<string, string>) => void,
): void {
  const known = useRef(statuses);
  const tell = useEffectEvent(onRenamed);
  useEffect(() => {
    const before = new Map(known.current.map(({ _id, name }) => [_id, name]));
    known.current = statuses;
    const names = new Map(
      statuses.flatMap(({ _id, name }): [string, string][] => {
        const old = before.get(_id);
        return old === undefined || old === name ? [] : [[old, name]];
      }),
    );
    if (names.size > 0) tell(names);
  }, [statuses]);
}
