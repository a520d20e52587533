import { ActionIcon, Button } from '@mantine/core';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { texts } from '../../texts/table.ts';
import type { DataColumn } from './data-column.ts';
import { filterText, type Filters } from './filter-rows.ts';
import styles from './TableBar.module.css';

type TableBarProps<R> = {
  columns: readonly DataColumn<R>[];
  filters: Filters;
  /** Null clears all filters. */
  onClear: (columnId: string | null) => void;
  /** Number of rows after filtering, and in total. */
  shown: number;
  all: number;
  hiddenCount: number;
  onShowAll: () => void;
};

/** The active filters and hidden columns, with buttons to undo them. Empty when there are none. */
export function TableBar<R>(props: TableBarProps<R>): ReactNode {
  const { columns, filters, onClear, shown, all, hiddenCount, onShowAll } = props;
  const isFiltered = Object.keys(filters).length > 0;

  return (
    <div className={`ui-row ${styles.bar}`} data-empty={(!isFiltered && hiddenCount === 0) || undefined}>
      {columns.map(({ id, header, filterBy }) => {
        const filter = filters[id];
        if (!filterBy || !filter) return null;
        const text = texts.filter(header, filterText(filterBy.kind, filter));
        return (
          <span key={id} className={`ui-inline ${styles.chip}`}>
            {text}
            <ActionIcon size={24} aria-label={texts.removeFilter(text)} onClick={() => onClear(id)}>
              <X size={13} />
            </ActionIcon>
          </span>
        );
      })}
      {isFiltered && (
        <Button variant="subtle" size="compact-sm" onClick={() => onClear(null)}>
          {texts.clearFilters}
        </Button>
      )}
      {hiddenCount > 0 && (
        <span className="ui-inline ui-quiet">
          {texts.hidden(hiddenCount)}
          <Button variant="subtle" size="compact-sm" onClick={onShowAll}>
            {texts.showAll}
          </Button>
        </span>
      )}
      <output className="ui-quiet ui-push">{isFiltered && texts.shown(shown, all)}</output>
    </div>
  );
}
