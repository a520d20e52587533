import { Button, VisuallyHidden } from '@mantine/core';
import LayoutList from 'lucide-react/icons/layout-list';
import { Suspense, type ReactNode } from 'react';
import { comingLater } from '../../platform/coming-later.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { texts } from '../../texts/deal-views.ts';
import { useOpener } from '../../ui/use-opener.ts';
import { dealViewsKey } from '../deal-views/deal-views.queries.ts';
import type { UsedView } from './use-saved-views.ts';
import styles from './DealViews.module.css';

const DealViewsMenu = comingLater(() => import('./DealViewsMenu.tsx'));

/** The saved views of Data Entry (product section 4): which one is used, whether it is as it was saved, what to do with it. */
export function DealViews({ used }: { used: UsedView }): ReactNode {
  const { button, part } = useOpener('menu');
  useLiveRefresh('deal-view', dealViewsKey);
  return (
    <>
      <Button variant="default" leftSection={<LayoutList />} {...button}>
        <VisuallyHidden>{texts.view}</VisuallyHidden>
        <span className={styles.name}>{used.view?.name ?? texts.allDeals}</span>
        {used.changed && <span className={styles.changed}> {texts.changed}</span>}
      </Button>
      <Suspense>{part && <DealViewsMenu part={part} used={used} />}</Suspense>
    </>
  );
}
