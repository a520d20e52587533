import type { SavedView } from '@forecourt/contract/deal-views';
import { Menu } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { texts } from '../../texts/deal-views.ts';
import { ButtonMenu } from '../../ui/ButtonPopover.tsx';
import type { Opened } from '../../ui/use-opener.ts';
import { DealViewActions } from './DealViewActions.tsx';
import type { DealViewDialog } from './DealViewDialogs.tsx';
import type { UsedView } from './use-saved-views.ts';
import styles from './DealViewsMenu.module.css';

const DealViewDialogs = lazy(() => import('./DealViewDialogs.tsx'));

/** The menu below the button of the views, and its dialogs. */
export default function DealViewsMenu({ part, used }: { part: Opened; used: UsedView }): ReactNode {
  const { views, view, use } = used;
  const [dialog, setDialog] = useState<DealViewDialog | null>(null);
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
      <ButtonMenu part={part} position="bottom-start" width={280}>
        <div className={styles.views}>
          {item(null)}
          {own.length > 0 && <Menu.Label>{texts.own}</Menu.Label>}
          {own.map((each) => item(each, each.shared ? texts.sharedByMe : undefined))}
          {others.length > 0 && <Menu.Label>{texts.shared}</Menu.Label>}
          {others.map((each) => item(each, each.ownerName))}
        </div>
        <Menu.Divider />
        <DealViewActions used={used} onOpen={setDialog} />
      </ButtonMenu>
      <Suspense>
        {dialog && <DealViewDialogs dialog={dialog} used={used} onClose={() => setDialog(null)} />}
      </Suspense>
    </>
  );
}
