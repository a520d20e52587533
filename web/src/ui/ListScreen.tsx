import type { ComponentProps, ReactNode } from 'react';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { EmptyState } from './EmptyState.tsx';
import { Loaded } from './Loaded.tsx';
import { Page, PageHeader } from './PageHeader.tsx';

type ListScreenProps<R> = Omit<DataTableProps<R>, 'label' | 'empty' | 'actions'> & {
  texts: {
    title: string;
    note: string;
    /** Accessible name of the table. */
    table: string;
    loadFailed: string;
    /** Title and next step of the empty list, unless `empty` is set. */
    empty?: string;
    emptyNext?: string | undefined;
  };
  wide?: boolean;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** The button to add a row: last beside the title; in place of the rows if there are none. */
  add?: ReactNode;
  /** Between the title and the list, also while that is not loaded: notices, and filters for the server. */
  before?: ReactNode;
  filters?: ReactNode;
  query: ComponentProps<typeof Loaded>['of'];
  /** Replaces the list, for a failure that is not of its query. */
  failure?: ReactNode;
  /** The rows are those of an earlier query. */
  isStale?: boolean;
  rows: readonly R[] | undefined;
  /** Buttons at the end of a row. */
  rowActions?: ((row: R) => ReactNode) | undefined;
  /** The icon of the empty list. */
  icon?: ReactNode;
  /** Below the text of the empty list; by default `add`. */
  emptyAction?: ReactNode;
  /** Replaces the empty list. */
  empty?: ReactNode;
  /** Below the table: further pages. */
  after?: ReactNode;
  children?: ReactNode;
};

/** A screen of one list: title, actions and filters, and the table, its empty state or its failure. */
export function ListScreen<R>({
  texts,
  wide = false,
  actions,
  add,
  before,
  filters,
  query,
  failure,
  isStale = false,
  rows,
  rowActions,
  icon,
  emptyAction = add,
  empty,
  after,
  children,
  ...table
}: ListScreenProps<R>): ReactNode {
  const shownAdd = rows?.length !== 0 && add;
  return (
    <Page wide={wide}>
      <PageHeader
        title={texts.title}
        note={texts.note}
        actions={
          actions || shownAdd ? (
            <>
              {actions}
              {shownAdd}
            </>
          ) : undefined
        }
      />
      {before}
      {failure || (
        <Loaded of={query} message={texts.loadFailed}>
          {filters}
          <div data-stale={isStale || undefined}>
            <DataTable
              {...table}
              label={texts.table}
              rows={rows}
              actions={rowActions}
              empty={
                empty || (
                  <EmptyState icon={icon} title={texts.empty ?? ''} action={emptyAction}>
                    {texts.emptyNext}
                  </EmptyState>
                )
              }
            />
            {after}
          </div>
        </Loaded>
      )}
      {children}
    </Page>
  );
}
