import { Button } from '@mantine/core';
import Ellipsis from 'lucide-react/icons/ellipsis';
import { Suspense, type ReactNode } from 'react';
import { comingLater } from '../../platform/coming-later.ts';
import { texts } from '../../texts/deal-actions.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useOpener } from '../../ui/use-opener.ts';
import type { DealRow } from './deal-row.ts';
import type { DealOptions } from './deals.queries.ts';
import type { Deals } from './use-deals.ts';

const MoreMenu = comingLater(() => import('./MoreMenu.tsx'));

export type MoreActionsProps = {
  deals: Deals;
  rows: readonly DealRow[];
  options: DealOptions | undefined;
  /** The column that somebody is in: its history can be asked for alone. */
  columnId?: string | undefined;
  /** Opens the items of a row; absent where a form has them. */
  onItems?: ((row: DealRow) => void) | undefined;
};

/** The rarer things that can be done with rows. */
export function MoreActions(props: MoreActionsProps): ReactNode {
  const { button, part } = useOpener('menu');
  return (
    <>
      <Tooltip label={texts.more}>
        <Button variant="default" px={8} aria-label={texts.more} {...button}>
          <Ellipsis />
        </Button>
      </Tooltip>
      <Suspense>{part && <MoreMenu part={part} {...props} />}</Suspense>
    </>
  );
}
