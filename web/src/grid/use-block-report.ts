import { useEffect, useEffectEvent } from 'react';
import type { Block } from './block.ts';
import type { RowSequence } from './row-sequence.ts';

/** The selected cells by their rows and columns. */
export interface SelectedCells {
  readonly keys: readonly string[];
  readonly columnIds: readonly string[];
}

/** Calls `onChange` whenever the selected block or its rows change. */
export function useBlockReport(
  block: Block | null,
  sequence: RowSequence,
  columnIds: readonly string[],
  onChange: ((cells: SelectedCells | null) => void) | undefined,
): void {
  const report = useEffectEvent((cells: SelectedCells | null) => onChange?.(cells));
  const { top, left, bottom, right } = block ?? { top: 0, left: 0, bottom: -1, right: -1 };
  useEffect(() => {
    const isEmpty = bottom < top || right < left;
    const keys = sequence.keysBetween(top, bottom);
    report(isEmpty ? null : { keys, columnIds: columnIds.slice(left, right + 1) });
  }, [top, left, bottom, right, sequence, columnIds]);
}
