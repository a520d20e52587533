import { Button } from '@mantine/core';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { texts } from '../../texts/table.ts';
import type { DataColumn } from './data-column.ts';
import { filterWords, type Filters } from './filter-rows.ts';
import styles from './TableBar.module.css';

type TableBarProps<R> = {
  columns: readonly DataColumn<R>[];
  filters: Filters;
  /** Null takes all of them away. */
  onClear: (columnId: string | null) => void;
  /** Rows that the filters leave, and all there are. */
  shown: number;
  all: number;
  hiddenCount: number;
  onShowAll: () => void;
};

/** What the table leaves out, in sight and with the way back. Nothing where it leaves out nothing. */
export function TableBar<R>(props: TableBarProps<R>): ReactNode {
  const { columns, filters, onClear, shown, all, hiddenCount, onShowAll } = props;
  const isFiltered = Object.keys(filters).length > 0;

  return (
    <div className={styles.bar} data-empty={(!isFiltered && hiddenCount === 0) || undefined}>
      {columns.map(({ id, header, filterBy }) => {
        const filter = filters[id];
        if (!filterBy || !filter) return null;
        const words = texts.filter(header, filterWords(filterBy.kind, filter));
        return (
          <span key={id} className={styles.chip}>
            {words}
            <button
              type="button"
              className={styles.remove}
              aria-label={texts.removeFilter(words)}
              onClick={() => onClear(id)}
            >
              <X size={13} />
            </button>
          </span>
        );
      })}
      {isFiltered && (
        <Button variant="subtle" size="compact-sm" onClick={() => onClear(null)}>
          {texts.clearFilters}
        </Button>
      )}
      {hiddenCount > 0 && (
        <span className={styles.hiding}>
          {texts.hidden(hiddenCount)}
          <Button variant="subtle" size="compact-sm" onClick={onShowAll}>
            {texts.showAll}
          </Button>
        </span>
      )}
      <output className={styles.count}>{isFiltered && texts.shown(shown, all)}</output>
    </div>
  );
}
