// oxlint-disable jsx-a11y/prefer-tag-over-role -- a <table> allows neither rows out of flow nor virtual columns
import type { ReactElement } from 'react';
import type { GridRecord } from './columns.ts';
import type { SortState } from './sort.ts';
import type { ShownColumn } from './use-column-layout.ts';

export interface HeaderRowProps<R extends GridRecord> {
  readonly prefix: string;
  readonly columns: readonly ShownColumn<R>[];
  readonly activeColumn: string | undefined;
  readonly dropTarget: string | null;
  readonly sort: SortState | null;
  /** Undefined in a grid without checkboxes. */
  readonly selection: 'none' | 'some' | 'all' | undefined;
}

const ARROWS = { ascending: '▲', descending: '▼', other: '◆' } as const;

export function HeaderRow<R extends GridRecord>(props: HeaderRowProps<R>): ReactElement {
  const { prefix, columns, activeColumn, dropTarget, sort, selection } = props;
  return (
    <div role="rowgroup" className="grid-header">
      <div role="row" aria-rowindex={1} className={`grid-header-row ${prefix}row`}>
        {selection && (
          <div role="columnheader" aria-colindex={1} className="grid-cell grid-select grid-pinned">
            <span
              role="checkbox"
              aria-checked={selection === 'some' ? 'mixed' : selection === 'all'}
              aria-label="Select all rows"
              className="grid-check"
            />
          </div>
        )}
        {columns.map(({ column, index, className }) => {
          const sorted = sort?.columnId === column.id ? sort.direction : null;
          const active = column.id === activeColumn;
          const marks = `${active ? ' active' : ''}${column.id === dropTarget ? ' grid-drop' : ''}`;
          return (
            <div
              key={column.id}
              role="columnheader"
              id={active ? `${prefix}r-1c${index}` : undefined}
              aria-colindex={index + (selection ? 2 : 1)}
              aria-sort={sorted ?? undefined}
              className={className + marks}
            >
              <span className="grid-header-label">{column.header}</span>
              {sorted && (
                <span className="grid-header-arrow" aria-hidden>
                  {ARROWS[sorted]}
                </span>
              )}
              <span className="grid-resizer" aria-hidden />
            </div>
          );
        })}
      </div>
    </div>
  );
}
