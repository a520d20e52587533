import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import { useSyncExternalStore, type ReactNode } from 'react';
import type { GridColumn } from '../../../grid/grid.ts';
import { useStore } from '../../../platform/external-store.ts';
import { texts } from '../../../texts/deal-window.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { actionKeys } from '../action-keys.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealRow } from '../deal-row.ts';
import { type DealSort, type DealWindow, isOverMonths } from '../deal-view.ts';
import styles from './DealWindowBar.module.css';

type DealWindowBarProps = {
  inWindow: DealWindow;
  sort: DealSort | null;
  onSlide: (backwards: boolean) => void;
};

/** Shows the window of a large view, with buttons for others (docs/product/data-entry.md, How rows load). */
export default function DealWindowBar({ inWindow, sort, onSlide }: DealWindowBarProps): ReactNode {
  const { deals, active, columns, view } = useDataEntry();
  const { rows } = deals;
  const { before, count, total, isCapped, isComplete, next } = inWindow;
  const order = useSyncExternalStore(rows.subscribeOrder, rows.getOrder);
  const cell = useStore(active);
  const range = `${texts.range(before + 1, before + count, total, isCapped)}, ${formatSort(sort, columns)}`;
  const isAtEnd = next !== null && cell?.key === order.at(-1);
  const isAtStart = before > 0 && cell?.key === order[0];
  const edge = isAtEnd ? texts.endReached : isAtStart ? texts.startReached : null;
  return (
    <div className={`ui-row ui-gap-4 ui-quiet ${styles.bar}`} role="group" aria-label={texts.label}>
      <strong className={styles.range}>{range}</strong>
      <span className={styles.note}>
        {edge ?? (isComplete ? (isOverMonths(view) ? texts.unsorted : texts.note) : texts.coming)}
      </span>
      {/* Announced once, after all rows are loaded. */}
      <output className="ui-hidden">{edge ?? (isComplete ? range : '')}</output>
      <div className="ui-line ui-push">
        <ActionButton
          variant="default"
          size="compact-sm"
          leftSection={<ChevronUp size={14} />}
          ability={before > 0 || texts.atFirst}
          aria-keyshortcuts={actionKeys.previousWindow}
          onClick={() => onSlide(true)}
        >
          {texts.previous}
        </ActionButton>
        <ActionButton
          variant="default"
          size="compact-sm"
          leftSection={<ChevronDown size={14} />}
          ability={next !== null || (isComplete ? texts.atLast : texts.notYet)}
          aria-keyshortcuts={actionKeys.nextWindow}
          onClick={() => onSlide(false)}
        >
          {texts.next}
        </ActionButton>
      </div>
    </div>
  );
}

function formatSort(sort: DealSort | null, columns: readonly GridColumn<DealRow>[]): string {
  const name = columns.find(({ id }) => id === sort?.columnId)?.header;
  if (sort === null || name === undefined) return texts.newestFirst;
  return sort.first === undefined
    ? texts.sortedBy(name, sort.direction === 'descending')
    : texts.statusFirst(sort.first);
}
