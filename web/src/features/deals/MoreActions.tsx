import { Button } from '@mantine/core';
import Ellipsis from 'lucide-react/icons/ellipsis';
import { Suspense, type ReactNode } from 'react';
import { comingLater } from '../../platform/coming-later.ts';
import { texts } from '../../texts/deal-actions.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useOpener } from '../../ui/use-opener.ts';
import type { MoreActionsProps } from './MoreMenu.tsx';

const MoreMenu = comingLater(() => import('./MoreMenu.tsx'));

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
