import type { ComponentProps, ReactNode } from 'react';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { EmptyState } from './EmptyState.tsx';
import { Loaded } from './Loaded.tsx';
import { Page, PageHeader } from './PageHeader.tsx';

type ListScreenProps<R> = Omit<DataTableProps<R>, 'label' | 'empty' | 'actions'> & {
  texts: {
    title: string;
    note: string;
    table: string;
    loadFailed: string;
    /** Title and next step for an empty list, unless `empty` is set. */
    empty?: string;
    emptyNext?: string | undefined;
  };
  wide?: boolean;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** The button that adds a row: beside the title, or in the empty list. */
  add?: ReactNode;
  /** Rendered between the title and the list, even before it is loaded: notices, and filters of the server. */
  before?: ReactNode;
  filters?: ReactNode;
  query: ComponentProps<typeof Loaded>['of'];
  /** Replaces the list, for a failure other than that of its query. */
  failure?: ReactNode;
  /** Whether the rows belong to an earlier query. */
  isStale?: boolean;
  rows: readonly R[] | undefined;
  rowActions?: ((row: R) => ReactNode) | undefined;
  icon?: ReactNode;
  /** Shown below the text of the empty list; default: `add`. */
  emptyAction?: ReactNode;
  /** Replaces the empty list. */
  empty?: ReactNode;
  /** Rendered below the table, for example a pager. */
  after?: ReactNode;
  children?: ReactNode;
};

/** A screen with one list: title, actions and filters, and the table, its empty state or its failure. */
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
