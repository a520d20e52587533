import { Button, Popover } from '@mantine/core';
import Columns3 from 'lucide-react/icons/columns-3';
import { lazy, Suspense, type ReactNode } from 'react';
import type { ColumnState, GridColumn, SetColumnState } from '../../grid/grid.ts';
import { texts } from '../../texts/deals.ts';
import type { DealRow } from './deal-row.ts';

const ColumnList = lazy(() => import('./ColumnList.tsx'));

export type ColumnChooserProps = {
  columns: readonly GridColumn<DealRow>[];
  state: ColumnState;
  onChange: SetColumnState;
};

/** Which columns are shown, in which order, and which of them stay in sight while the others scroll (spec section 2). */
export function ColumnChooser(props: ColumnChooserProps): ReactNode {
  return (
    <Popover position="bottom-end" trapFocus returnFocus width={340}>
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 />}>
          {texts.columnsMenu}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.columnsMenu}>
        <Suspense>
          <ColumnList {...props} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
