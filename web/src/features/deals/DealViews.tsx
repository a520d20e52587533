import type { SavedView } from '@forecourt/contract/deal-views';
import { Button, Menu, VisuallyHidden } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import LayoutList from 'lucide-react/icons/layout-list';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { texts } from '../../texts/deal-views.ts';
import { dealViewsKey } from '../deal-views/deal-views.queries.ts';
import { DealViewActions } from './DealViewActions.tsx';
import type { DealViewDialog } from './DealViewDialogs.tsx';
import type { UsedView } from './use-saved-views.ts';
import styles from './DealViews.module.css';

const DealViewDialogs = lazy(() => import('./DealViewDialogs.tsx'));

/** The saved views of Data Entry (product section 4): which one is used, whether it is as it was saved, what to do with it. */
export function DealViews({ used }: { used: UsedView }): ReactNode {
  const { views, view, changed, use } = used;
  const [dialog, setDialog] = useState<DealViewDialog | null>(null);
  useLiveRefresh('deal-view', dealViewsKey);
  const name = view?.name ?? texts.allDeals;
  const own = views.filter(({ owner }) => owner === used.userId);
  const others = views.filter(({ owner }) => owner !== used.userId);

  const item = (each: SavedView | null, by?: string): ReactNode => (
    <Menu.Item
      key={each?._id ?? 'all'}
      leftSection={<span className={styles.tick}>{each?._id === view?._id && <Check size={14} />}</span>}
      {...(each?._id === view?._id && { 'aria-current': true })}
      onClick={() => use(each)}
    >
      {each?.name ?? texts.allDeals}
      {by !== undefined && <span className={styles.by}> · {by}</span>}
    </Menu.Item>
  );

  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <Button variant="default" leftSection={<LayoutList />}>
            <VisuallyHidden>{texts.view}</VisuallyHidden>
            <span className={styles.name}>{name}</span>
            {changed && <span className={styles.changed}> {texts.changed}</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={styles.views}>
            {item(null)}
            {own.length > 0 && <Menu.Label>{texts.own}</Menu.Label>}
            {own.map((each) => item(each, each.shared ? texts.sharedByMe : undefined))}
            {others.length > 0 && <Menu.Label>{texts.shared}</Menu.Label>}
            {others.map((each) => item(each, each.ownerName))}
          </div>
          <Menu.Divider />
          <DealViewActions used={used} onOpen={setDialog} />
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {dialog && <DealViewDialogs dialog={dialog} used={used} onClose={() => setDialog(null)} />}
      </Suspense>
    </>
  );
}
