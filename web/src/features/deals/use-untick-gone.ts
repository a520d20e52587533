import { useEffect, type Dispatch, type SetStateAction } from 'react';
import type { RowStore } from '../../grid/grid.ts';
import type { DealRow } from './deal-row.ts';

type Tick = Dispatch<SetStateAction<ReadonlySet<string>>>;

/** Unticks rows that leave the table: nothing can be done with them, and they are not counted. */
export function useUntickGone(rows: Pick<RowStore<DealRow>, 'get' | 'subscribeOrder'>, tick: Tick): void {
  useEffect(
    () =>
      rows.subscribeOrder(() =>
        tick((ticked) => {
          const there = [...ticked].filter((key) => rows.get(key));
          return there.length === ticked.size ? ticked : new Set(there);
        }),
      ),
    [rows, tick],
  );
}
