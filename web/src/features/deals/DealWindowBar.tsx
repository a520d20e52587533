import { VisuallyHidden } from '@mantine/core';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import { useSyncExternalStore, type ReactNode } from 'react';
import type { CellAddress, GridColumn, RowStore } from '../../grid/grid.ts';
import { useStore, type Store } from '../../platform/external-store.ts';
import { texts } from '../../texts/deal-window.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import type { DealWindow } from './deal-loading.ts';
import type { DealSort } from './deal-order.ts';
import type { DealRow } from './deal-row.ts';
import styles from './DealWindowBar.module.css';

type DealWindowBarProps = {
  inWindow: DealWindow;
  rows: RowStore<DealRow>;
  active: Store<CellAddress | null>;
  columns: readonly GridColumn<DealRow>[];
  sort: DealSort | null;
  onSlide: (backwards: boolean) => void;
};

/** Which rows of a view that is too large for the browser are here, and the ways to the others (product section 4). */
export default function DealWindowBar(props: DealWindowBarProps): ReactNode {
  const { inWindow, rows, active, columns, sort, onSlide } = props;
  const { before, count, total, isCapped, isWhole, next } = inWindow;
  const order = useSyncExternalStore(rows.subscribeOrder, rows.getOrder);
  const cell = useStore(active);
  const range = `${texts.range(before + 1, before + count, total, isCapped)}, ${wordsOf(sort, columns)}`;
  const isAtEnd = next !== null && cell?.key === order.at(-1);
  const isAtStart = before > 0 && cell?.key === order[0];
  const edge = isAtEnd ? texts.endReached : isAtStart ? texts.startReached : null;
  return (
    <div className={styles.bar} role="group" aria-label={texts.label}>
      <strong className={styles.range}>{range}</strong>
      <span className={styles.note}>{edge ?? (isWhole ? texts.note : texts.coming)}</span>
      {/* Said once when all have come, and not with each answer. */}
      <VisuallyHidden component="output">{edge ?? (isWhole ? range : '')}</VisuallyHidden>
      <div className={styles.ways}>
        <ActionButton
          variant="default"
          size="compact-sm"
          leftSection={<ChevronUp size={14} />}
          ability={before > 0 || texts.atFirst}
          aria-keyshortcuts="Alt+PageUp"
          onClick={() => onSlide(true)}
        >
          {texts.previous}
        </ActionButton>
        <ActionButton
          variant="default"
          size="compact-sm"
          leftSection={<ChevronDown size={14} />}
          ability={next !== null || (isWhole ? texts.atLast : texts.notYet)}
          aria-keyshortcuts="Alt+PageDown"
          onClick={() => onSlide(false)}
        >
          {texts.next}
        </ActionButton>
      </div>
    </div>
  );
}

function wordsOf(sort: DealSort | null, columns: readonly GridColumn<DealRow>[]): string {
  const name = columns.find(({ id }) => id === sort?.columnId)?.header;
  if (sort === null || name === undefined) return texts.newestFirst;
  return sort.first === undefined
    ? texts.sortedBy(name, sort.direction === 'descending')
    : texts.statusFirst(sort.first);
}
