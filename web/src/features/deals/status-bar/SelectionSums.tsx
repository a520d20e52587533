import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import {
  blockSums,
  type BlockSums,
  type GridColumn,
  type RowStore,
  type SelectedCells,
} from '../../../grid/grid.ts';
import { useStore } from '../../../platform/external-store.ts';
import { formatCount, formatMoney } from '../../../platform/formats.ts';
import { later } from '../../../platform/retry-later.ts';
import { texts } from '../../../texts/deals.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealRow } from '../deal-row.ts';
import styles from './DealsStatusBar.module.css';

/** Delays the sums while a selection is being drawn, as adding up a large one takes a moment. */
const WAIT_MS = 120;

/** Count, sum and average of the selected cells. Empty if only the active cell is selected. */
export function SelectionSums(): ReactNode {
  const {
    deals: { rows },
    columns,
    cells,
  } = useDataEntry();
  const selected = useStore(cells);
  const [sums, setSums] = useState<BlockSums | null>(null);
  const add = useEffectEvent((picked: SelectedCells | null) =>
    setSums(picked && sumsOf(rows, columns, picked)),
  );
  useEffect(() => {
    let stopTimer: (() => void) | null = null;
    const addLater = (): void => {
      stopTimer ??= later(() => {
        stopTimer = null;
        add(selected);
      }, WAIT_MS);
    };
    addLater();
    const stop = selected && rows.subscribeRecords(addLater);
    return () => {
      stop?.();
      stopTimer?.();
    };
  }, [rows, selected]);

  const parts = selected && sums ? formatSums(sums) : [];
  return (
    <output className={styles.selection} aria-live="polite">
      {parts.map(([label, value]) => (
        <span key={label}>
          {label} <strong>{value}</strong>
        </span>
      ))}
    </output>
  );
}

const sumsOf = (
  rows: RowStore<DealRow>,
  columns: readonly GridColumn<DealRow>[],
  { keys, columnIds }: SelectedCells,
): BlockSums =>
  blockSums(
    rows,
    keys,
    columns.filter(({ id }) => columnIds.includes(id)),
  );

function formatSums({ count, numbers, sum, isMoney }: BlockSums): [string, string][] {
  const format = isMoney ? formatMoney : formatCount;
  const counted: [string, string] = [texts.count, formatCount(count)];
  if (numbers === 0) return [counted];
  return [counted, [texts.sum, format(sum)], [texts.average, format(sum / numbers)]];
}
