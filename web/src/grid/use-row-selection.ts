import { useRef } from 'react';
import type { RowSequence } from './row-sequence.ts';

export interface RowSelection {
  readonly state: 'none' | 'some' | 'all' | undefined;
  readonly has: (key: string) => boolean;
  /** Toggles one row. `extend` gives its new state to all rows between it and the row toggled before. */
  readonly toggle: (key: string, extend: boolean) => void;
  /** Deselects these rows if all of them are selected, otherwise selects them. */
  readonly toggleRows: (keys: readonly string[]) => void;
  readonly toggleAll: () => void;
}

/** Row checkboxes. The caller owns the set; select-all covers the ordered rows, not the trailing ones. */
export function useRowSelection(
  sequence: RowSequence,
  selected: ReadonlySet<string> | undefined,
  onChange: ((keys: ReadonlySet<string>) => void) | undefined,
): RowSelection {
  const anchor = useRef<string | null>(null);

  const state = selected && stateOf(selected.size, sequence.recordCount);

  return {
    state,
    has: (key) => selected?.has(key) ?? false,
    toggle(key, extend) {
      const to = sequence.indexOf(key);
      if (!selected || to === null) return;
      const from = (extend && anchor.current !== null ? sequence.indexOf(anchor.current) : null) ?? to;
      const next = new Set(selected);
      const adds = !selected.has(key);
      for (const each of sequence.keysBetween(Math.min(from, to), Math.max(from, to))) {
        if (adds) next.add(each);
        else next.delete(each);
      }
      anchor.current = key;
      onChange?.(next);
    },
    toggleRows(keys) {
      if (!selected) return;
      const next = new Set(selected);
      const adds = !keys.every((key) => selected.has(key));
      for (const key of keys) {
        if (adds) next.add(key);
        else next.delete(key);
      }
      onChange?.(next);
    },
    toggleAll() {
      if (selected) onChange?.(new Set(state === 'all' ? [] : sequence.getRecords()));
    },
  };
}

function stateOf(count: number, ordered: number): 'none' | 'some' | 'all' {
  if (count === 0) return 'none';
  return count >= ordered ? 'all' : 'some';
}
